# Kanata: lanes open and close in turn, between I and R; issues and the cycles of waiting are the statistics.
BEGIN { FS = "[\t ]" }
function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1; exit 1 }
FNR == 1 { file++ }
file == 1 { want[$1] = $2; next }
FNR == 1 { if ($0 != "Kanata\t0004") wrong("no header"); next }
$1 == "C=" { now = $2 }
$1 == "C" { if ($2 < 1) wrong("time stands still"); now += $2 }
$1 == "I" { if ($2 != issues++ || $2 in live) wrong("not a new line"); live[$2] = 1; next }
$1 ~ /^[LSER]$/ && !($2 in live) { wrong("no such line") }
$1 == "S" { if (($2, $3) in open) wrong("lane begins twice"); open[$2, $3] = $4; since[$2, $3] = now }
$1 == "E" {
	if (open[$2, $3] != $4) wrong("closes what is not open")
	delete open[$2, $3]
	spent[$4] += now - since[$2, $3]
}
$1 == "R" {
	if (($2, 0) in open || ($2, 1) in open) wrong("retires with an open lane")
	if ($3 != retired++) wrong("out of order")
	delete live[$2]
	flushed += $4
}
END {
	if (bad) exit 1
	for (i in live) wrong("line " i " never retires")
	if (issues != want["events.issue"] || spent["Is"] != issues) wrong("issues: " issues ", not " want["events.issue"])
	if (!whole) exit 0
	if (flushed) wrong(flushed " lines are cut off")
	if (spent["Wb"] != want["events.writeback"]) wrong("write-backs: " spent["Wb"])
	if (spent["L"] != want["warps.long"]) wrong("long: " spent["L"] ", not " want["warps.long"])
	if (spent["S"] != want["warps.short"]) wrong("short: " spent["S"] ", not " want["warps.short"])
	if (spent["B"] != want["warps.barrier"]) wrong("barrier: " spent["B"] ", not " want["warps.barrier"])
}
