# `make reproduce`: quick figures of every group are those written down (tests/reproduce/quick.txt), laws of some of them, a reason for each number
# of the last whole run that differs, and what it says where it cannot go on. With WARPSTEP_GOLDENS=write the quick figures are written down anew.
# A quick run is of some groups of several papers, the laws of others' figures are for WARPSTEP_LONG.
# Rows of the same sources are kept in the folder of the build, so that only what is missing runs.
# more: the tables of the papers, in part
. tests/tap
OUT=$BUILD/reproduce
export OUT
here=tests/reproduce
reproduce=$BUILD/tests/reproduce

groups='fma rows elf vt table readers ages'
[ -z "$WARPSTEP_LONG$WARPSTEP_GOLDENS" ] || groups=
# ran GROUP: is it among the groups that run? figures: standard input's lines of these groups
ran() { case " ${groups:-$1} " in *" $1 "*) ;; *) false ;; esac; }
figures() { grep -E "^($(echo "${groups:-[a-z]*}" | tr ' ' '|'))-"; }
"$reproduce" --quick $groups >"$LOG/reproduce.txt" 2>&1
holds "status" [ $? -eq 0 ]
[ "$WARPSTEP_GOLDENS" = write ] && cp "$OUT/quick.txt" $here/quick.txt
none "quick figures are those written down (make goldens)" "$(figures <$here/quick.txt | diff - "$OUT/quick.txt" | head -n 6)"
none "every number is one" "$(grep -vE '^[a-z][^ ]* -?[0-9]+(\.[0-9]+)?$' "$OUT/quick.txt")"
none "every group of make help has a figure" "$(for group in $(sed -n "s/^.*make reproduce .*ROWS='\([^']*\)'.*/\1/p" Makefile); do
	! ran "$group" || grep -q "^$group-" "$OUT/quick.txt" || echo "$group"; done)"

holds "a row over some loads says so" grep -q "^vt-gain .*(2 of 27 loads)$" "$LOG/reproduce.txt"

# figure KEY LEAST MOST: a quick figure lies between
figure() {
	ran "${1%%-*}" || return 0
	holds "$1 is $2 to $3" awk -v key="$1" -v least="$2" -v most="$3" '$1 == key { n++; bad = $2 < least || $2 > most } END { exit bad || n != 1 }' "$OUT/quick.txt"
}
figure fma-rr 3.78 4.02         # the paper's 3.9, within 3 %
figure fma-shuffle 1.95 2.35    # the mean of chance is 2.13 with 4 entries ...
figure fma-shuffle-16 1.6 1.95  # ... and 1.77 with 16
figure rows-cov-rr 0.7 0.85     # the paper's 0.80
figure rows-cov-srr 0 0.15      # the paper's 0.11
figure ports-apart-off 0 0       # nothing that a register cache could keep
figure ports-turns-off -32 -29   # the paper's -31
figure readers-turns-63 -1 0     # a product in registers overwrites nothing that has still to be read
! ran ratio || holds "lengths: round robin's loss grows and stays below its bound, srr is never behind shuffle" \
	awk -F, 'NR > 1 { n++; if ($7 < last || $7 > $9 || $8 < 1) bad = 1; last = $7 } END { exit bad || n != 8 }' "$OUT/subcore-ratio.csv"
! ran rows || holds "rows: drawn lengths leave some variation" awk -F, '/random/ { n++; if ($10 < 0.03) bad = 1 } END { exit bad || n < 1 }' "$OUT/subcore-rows.csv"

# csv FILE CONDITION N: true of all N lines of a file below its head, whose columns a condition names in []
csv() {
	awk -F, -v n="$3" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } { lines++; if (!('"$(echo "$2" | sed 's/\[\([^]]*\)\]/$at["\1"]/g')"')) { print "# " $0; bad = 1 } }
		END { exit bad || lines != n }' "$OUT/$1"
}

# GPU Maestro: a pair of a load that computes and one that waits for memory, under eleven ways
! ran pairs || holds "ANTT is the mean of the slowdowns, STP the sum of their inverses" csv maestro-pairs.csv \
	'([antt] - ([slowdown-first] + [slowdown-second]) / 2) ^ 2 < 1e-6 && ([stp] - 1 / [slowdown-first] - 1 / [slowdown-second]) ^ 2 < 1e-6' 11
! ran pairs || holds "decisions are Maestro's alone" csv maestro-pairs.csv '([way] ~ /^(even|smart|smk|smkpw|ws)$/) == !([apart] + [even] + [other])' 11
! ran decisions || holds "their kinds add up to all" awk '/^decisions-(apart|even|other) / { sum += $2; n++ } END { exit n != 3 || sum < 99.8 || sum > 100.2 }' "$OUT/quick.txt"
! ran pairs || holds "free moves flush and drain nothing, but save" csv maestro-pairs.csv '[way] != "free" || ![drained] && ![flushed] && [saved]' 11
! ran pairs || holds "halves of the SMs: nobody is faster than alone, who computes takes twice as long" csv maestro-pairs.csv \
	'[way] != "even" || [slowdown-first] > 1.8 && [slowdown-first] < 2.2 && [slowdown-second] >= 1' 11
! ran classes || holds "classes as measured" csv maestro-loads.csv '([faster] > 12 ? "COM" : "MEM") == [class] && ([load] == "dense") == ([class] == "COM")' 2
! ran classes || holds "launches are told how fast they are" grep -q '^sparse,.*,"alone [0-9]* curve [0-9,]*"$' "$OUT/maestro-loads.csv"
holds "the 15 pairs are of 11 loads, five of each class" awk '!/^#/ && NF == 3 { class[$1]++; load[$2]; load[$3] } END { for (l in load) n++
	exit n != 11 || class["COM/COM"] != 5 || class["COM/MEM"] != 5 || class["MEM/MEM"] != 5 }' $here/share/pairs.txt

# variable warp sizes: lanes or slices that go round for different times, and all alike
! ran sizes || holds "what does not diverge fetches as whole warps in gangs, eight times as often without" csv vws-speed.csv '[load] != "nbody" ||
	[fetches-i-vws] < 1.01 * [fetches-ws32] && [fetches-i-vws] > 0.99 * [fetches-ws32] && [fetches-ws4] > 7.9 * [fetches-ws32] && [fetches-ws4] < 8.1 * [fetches-ws32]' 3
figure sizes-d 5 200 # who diverges by lanes is faster in slices
figure gangs-d 5 200
! ran ages || holds "40 moments of each load, all slices in gangs of 8 in the first" csv vws-ages.csv '[cycle] > 200 || [8] == 256 && [1] == 0' 80
holds "15 loads, five of each kind" awk '!/^#/ { n++; kind[$2]++ } END { exit n != 15 || kind["divergent"] != 5 || kind["convergent"] != 5 || kind["insensitive"] != 5 }' \
	$here/warps/classes.txt

# a modern core: programs with and without its parts
! ran stream || holds "lines ahead save cycles, a perfect cache more" csv cores-stream.csv '[off] > [8] && [8] > [perfect] && [1] > [4]' 3
! ran readers || holds "a scoreboard of 63 readers is one of any number, and slower than one of writes alone" csv cores-readers.csv \
	'[63] == [unlimited] && [writes] < [63]' 3

# Table 4.2 of the thesis, closed forms of missed deadlines computed from it, and kernels made of it
table() { # CONDITION over $1 kernel $2 drain $3 context $4 blocks $5 switch $6 idempotent $7 percent: true of N (27) lines
	awk -F, -v n="${2:-27}" '!/^#/ && $1 != "kernel" && ('"$1"') { n-- } END { exit n != 0 }' $here/preempt/kernels.csv
}
holds "switching times are those of floor(kB) to floor(kB) + 1, but for 0.05 us" \
	table '$5 > $3 * $4 * 1024 * 30 / 177408 - 0.05 && $5 < ($3 + 1) * $4 * 1024 * 30 / 177408 + 0.05'
holds "of 8 kernels they are below it" table '$5 < $3 * $4 * 1024 * 30 / 177408' 8
holds "idempotent is what has no other part: 13 kernels" table '($6 == "yes") == ($7 == 100)'
figure table-idempotent 13 13
figure table-own-drain 891.5 891.5
holds "switches of all take 14.5 us" awk -F, '!/^#/ && $1 != "kernel" { s += $5; n++ } END { exit int(s / n * 10 + 0.5) != 145 }' $here/preempt/kernels.csv
while read -r way five ten fifteen twenty; do
	figure chimera-closed-$way-5 $five $five
	figure chimera-closed-$way-10 $ten $ten
	figure chimera-closed-$way-15 $fifteen $fifteen
	figure chimera-closed-$way-20 $twenty $twenty
done <<'END'
switch 97.6 92.9 58.3 13.1
drain 71.7 64.2 61.9 55.2
chimera 0.3 0.3 0.0 0.0
END
figure chimera-closed-flush 6.6 6.6
figure chimera-closed-strict 50 50
! ran chimera || holds "kernels are as the table says: times within 2 %, as many blocks, the idempotent part to a step" csv chimera-kernels.csv \
	'([drain_measured] / [drain_us] - 1) ^ 2 < 0.0005 && [switch_measured] > 0.98 * [switch_us] && [switch_measured] < 1.02 * [switch_us] + 0.15 &&
	[blocks] == [blocks_measured] && [idempotent_measured] >= [idempotent_pct] && [idempotent_measured] <= [idempotent_pct] + 10' 4
! ran chimera || holds "what the closed form leaves no chance is so, and where nothing is missed no SM is late" csv chimera-ways.csv \
	'([closed] > 0 && [closed] < 100 || [simulated] == [closed]) && ([simulated] == 0) == ([late] == 0)' 16
! ran chimera || holds "a switch of 15.9 us misses 15 us with all 15 SMs, one of 14.5 does not" csv chimera-ways.csv \
	'[way] != "switch" || [kernel] !~ /BT.0|FWT.1/ || [simulated] == ([kernel] == "BT.0" ? 100 : 0) && [late] == ([kernel] == "BT.0" ? 15 * [requests] : 0)' 16
! ran chimera || holds "a task of 200 us every millisecond on half of the SMs takes a tenth; a flush loses more than a switch" \
	awk -F, '$1 == "KM.1" { lost[$2] = $7 } END { exit !(lost["drain"] > 9 && lost["drain"] < 12 && lost["switch"] > lost["drain"] && lost["switch"] < 12 &&
	lost["flush"] > lost["switch"] && lost["flush"] < 14) }' "$OUT/chimera-ways.csv"

"$reproduce" --kept --page="$LOG/page.html" >"$LOG/kept.txt" 2>&1
holds "status of the numbers kept" [ $? -eq 0 ]
# The page: every row once, with bars; a reason for each that differs; it needs no other file.
numbers=$(grep -vc '^#' $here/whole.txt)
holds "the page has each row that is kept" [ "$(grep -c '^<tr id=' "$LOG/page.html")" = "$numbers" ]
holds "... each with its bars" [ "$(grep -c '^<tr id=.*<rect class="ours".*</svg>' "$LOG/page.html")" = "$numbers" ]
holds "... and the paper's, where it has a number" [ "$(grep -c 'class="paper"' "$LOG/page.html")" = "$(grep -c '^<tr id=.*aria-label="[^"]*, paper' "$LOG/page.html")" ]
none "... in the colours of its verdicts, which add up" "$(awk -F'[<>]' '/<title>.*: [0-9]*<.title>/ { line = $0; while (match(line, /: [0-9]+<\/title>/)) {
	n += substr(line, RSTART + 2, RLENGTH - 10); line = substr(line, RSTART + RLENGTH) } } /^<tr id=.*class="v">/ { if ($0 !~ /v">(no number|experiment)</) rows++ }
	END { if (n != rows || !n) print n, rows }' "$LOG/page.html")"
none "... without links to elsewhere" "$(grep -oE '(src|href)="[^#][^"]*"|https?:' "$LOG/page.html" | head -n 3)"
none "... all elements closed" "$(awk '{ for (line = $0; match(line, /<\/?(svg|table|h2|code|title|style|body)[ >]/); line = substr(line, RSTART + RLENGTH)) {
	tag = substr(line, RSTART + 1, RLENGTH - 2); if (sub(/^\//, "", tag)) n[tag]--; else n[tag]++ } } END { for (tag in n) if (n[tag]) print tag, n[tag] }' "$LOG/page.html")"
none "a reason for each number that differs" "$(grep '\[?\]' "$LOG/kept.txt")"
holds "the notes are numbered from 1 and stand below their table" awk '/^figure/ { n = 0 } /^\[/ { n++; all++; if ($1 != "[" n "]") bad = 1 } END { exit bad || all < 6 }' "$LOG/kept.txt"
# Verdicts, by hand: KEY, ours, what is said; the paper's number stands behind it.
while read -r key ours word; do
	echo "$key $ours" >"$LOG/one.txt"
	"$reproduce" --kept="$LOG/one.txt" >"$LOG/kept.txt" 2>&1
	holds "$key $ours: ${word%% /*}" grep -qE " $ours *(%|x|us)? .* ${word%% /*}( |\$)" "$LOG/kept.txt"
done <<'END'
vt-c 0.5 within a tenth / 0 %
vt-c -1.9 within a third / 0 %: two points
vt-c -14.7 wrong direction / 0 %
vt-x2 0.2 within a tenth / -0.2 %: half a point
vt-x2 0.5 wrong direction / -0.2 %: more than half a point, and a gain for a loss
vt-x2 -2.1 within a third / -0.2 %
vt-x2 -2.3 right direction / -0.2 %
elf-newcar 0.6 within a third / 2.5 %: two points
elf-newcar 4.6 right direction / 2.5 %
elf-newcar -0.1 wrong direction / 2.5 %
fma-rr 3.51 within a tenth / 3.9: 0.39
fma-rr 2.60 within a third / 3.9: 1.3
fma-rr 1.50 right direction / 3.9
fma-rr 0.90 wrong direction / 3.9
fma-balanced 1.50 wrong direction / 1.0: nothing changes
limits-turned 47.7 within a tenth / 52.9 %: 5.29
limits-turned 36.0 within a third / 52.9 %: 17.6
limits-turned 30.0 apart / 52.9 %: a share
static-n 4.90 within a tenth / 5.38: 0.538
static-n 4.00 within a third / 5.38: 1.79
static-n 3.50 apart / 5.38
vt-misses 1.699 holds / <1.7
vt-misses -1.700 exceeds / <1.7
vt-more 3.0 no number / none
mix-chance-full-16 3.6 experiment / none, and no reason
END
for row in vt-c:-14.7 fma-rr:1.95; do echo "${row%:*} ${row#*:}"; done >"$LOG/one.txt"
"$reproduce" --kept="$LOG/one.txt" >"$LOG/kept.txt" 2>&1
holds "percents differ by points" grep -q -- " -14.7 pt " "$LOG/kept.txt"
holds "others by a factor" grep -q " x 0.50 " "$LOG/kept.txt"

"$reproduce" nothing >/dev/null 2>"$LOG/reproduce.txt"
holds "no such group: status 2" [ $? -eq 2 ]
holds "no such group: what there is" grep -q "no group 'nothing'; the groups are fma ratio" "$LOG/reproduce.txt"
holds "no such paper: status 2" [ "$("$reproduce" --paper=nothing 2>&1; echo $?)" = "reproduce: no paper 'nothing'; the papers are subcore vt dyncta elf chimera maestro vws cores
2" ]

# jobs: what has a row is not run again, and a row of a whole run is a machine
runs() { "$WARPSTEP" --csv --results "$OUT/reproduce.db" host | awk -F, 'NR > 1 { n++; runs += $2 } END { print n, runs }'; }
before=$(runs)
OUT=$OUT "$reproduce" --quick --paper=elf ${groups:+elf} >"$LOG/elf.txt" 2>&1
holds "a paper alone" [ $? -eq 0 ]
report "what has a row is not run again" $([ "$(runs)" = "$before" ]; echo $?) "$before, $(runs)"
none "its table alone" "$(grep -E '^(vt|fma|chimera)-' "$LOG/elf.txt")"
key=$("$WARPSTEP" --results "$OUT/reproduce.db" from elf | awk '/lbm_under_elf[.]/ { print $NF; exit }')
"$WARPSTEP" --trust --results "$OUT/reproduce.db" --row "$key" -b -q -e 'print cycle' -e quit >"$LOG/row.txt" 2>&1
holds "a row opens where its run ended" grep -qx 5000 "$LOG/row.txt"

mkdir -p "$LOG/altered"
"$WARPSTEP" --results "$OUT/reproduce.db" dump | sed 's/"kernel.0.cycles":[0-9]*/"kernel.0.cycles":0/' >"$LOG/altered/lines"
"$WARPSTEP" --merge "$LOG/altered/reproduce.db" "$LOG/altered/lines"
OUT=$LOG/altered "$reproduce" --quick fma >/dev/null 2>"$LOG/reproduce.txt"
holds "a row without a number: status 1" [ $? -eq 1 ]
holds "a row without a number is named" grep -q "fma-balanced has no number" "$LOG/reproduce.txt"
top=$PWD
mkdir -p "$LOG/empty"
(cd "$LOG/empty" && OUT=out "$top/$reproduce" --quick fma >/dev/null 2>"$top/$LOG/reproduce.txt")
holds "a run that fails: status 1" [ $? -eq 1 ]
holds "a run that fails is named" grep -q "subcore/scenarios_subcore_fma-[a-z]*_under_[a-z]*[.].*cannot open" "$LOG/reproduce.txt"
exit $failed
