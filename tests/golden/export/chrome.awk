# Trace events, one a line: slices, counters and the lives of CTAs add up to the statistics.
function wrong(text) { print FILENAME ":" FNR ": " text; bad = 1; exit 1 }
function get(key, text) {
	text = $0
	if (!match(text, "\"" key "\":")) return ""
	text = substr(text, RSTART + RLENGTH)
	sub(/^"/, "", text); sub(/[",}].*/, "", text)
	return text
}
function hold(key, value) { total[key] += rate[key] * (get("ts") - at[key]); rate[key] = value; at[key] = get("ts") }
BEGIN { n = split("issued pipeline short fetch long barrier held idle", outcome, " ") }
FNR == 1 { file++ }
file == 1 { split($0, f, " "); want[f[1]] = f[2]; next }
FNR == 1 { if ($0 != "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[") wrong("no header"); next }
$0 == "]}" { closed = 1; next }
closed || !/^{.*},?$/ { wrong("not an event") }
gsub(/{/, "{") != gsub(/}/, "}") { wrong("not balanced") }
{ if (previous != "" && previous !~ /,$/) wrong("no comma before"); previous = $0; phase = get("ph") }
phase == "X" {
	if (get("dur") + 0 < 1 || get("ts") + 0 < end[get("pid"), get("tid")]) wrong("slices overlap")
	end[get("pid"), get("tid")] = get("ts") + get("dur")
	status[get("name")] += get("dur")
}
phase == "b" { if (get("id") in life) wrong("begins twice"); life[get("id")] = 1; ctas++ }
phase == "e" { if (!(get("id") in life)) wrong("ends before it begins"); delete life[get("id")] }
phase == "C" && get("name") == "slots" { for (i = 1; i <= n; i++) hold(outcome[i], get(outcome[i])) }
phase == "C" && get("name") == "ipc" { hold("ipc", substr($0, match($0, /"ipc":[0-9]/) + 6) + 0) }
END {
	if (bad) exit 1
	if (!closed || previous ~ /,$/) wrong("not closed")
	for (i in life) wrong("CTA " i " never ends")
	for (i in status) if (status[i] != want["warps." i]) wrong("warps." i ": " status[i] ", not " want["warps." i])
	for (i in want) if (i ~ /^warps/ && want[i] != status[substr(i, 7)] + 0) wrong(i " is missing")
	for (i = 1; i <= n; i++) {
		sum = total[outcome[i]] + rate[outcome[i]] * (to + 1 - at[outcome[i]])
		if (sum != want["slots." outcome[i]]) wrong("slots." outcome[i] ": " sum)
	}
	sum = total["ipc"] + rate["ipc"] * (to + 1 - at["ipc"])
	if (sum - want["inst.warp"] > 1e-5 * sum || want["inst.warp"] - sum > 1e-5 * sum) wrong("ipc: " sum)
	if (whole && ctas != want["cta.started"]) wrong("CTAs: " ctas)
}
