# What `limits` advises helps: for each case of tests/shape/advice/cases.txt the cycles of a kernel as it is, what `limits` promises for the
# limit, that its advice is given, and the cycles with the advised change, which must save a part of that. Prints a line for each.
# usage: advice.sh [CASE...]     only these; WARPSTEP_LONG: those marked long, too
# more: kernels run to their ends twice
. tests/tap
room=$LOG/advice
mkdir -p "$room"
rm -f "$room"/*

# The scenarios: CASE.0 is the kernel as it is, CASE.1 and so on changed, CASE.all all of them with the checks; CASE.what what the case says.
awk -v root="$PWD" -v room="$room" -v long="$WARPSTEP_LONG$*" '
	function close_case(k) {
		if (name == "" || (slow && long == "")) return
		for (k = 0; k < n; k++) print head (gpu ? "" : "gpu volta\nset gpu.sms 1\n") module body line[k] >(room "/" name "." k ".scn")
		print head (gpu ? "" : "gpu volta\nset gpu.sms 1\n") module body all "finally\n" checks "end" >(room "/" name ".all.scn")
		print limit >(room "/" name ".what")
		for (k = 1; k < n; k++) print least[k], text[k] >(room "/" name ".what")
	}
	/^#|^$/ { next }
	/^case/ { close_case(); name = $2; limit = $3; slow = $4 == "long"; n = gpu = 0; body = all = checks = ""
		head = "# " name "\n"; module = "module " root "/tests/shape/advice/advice.ptx\n"; next }
	/^module/ { module = "module " root "/" $2 "\n"; next }
	/^check/ { checks = checks "  " $0 "\n"; next }
	/^before/ { sub(/^before/, "launch"); first = line[n++] = $0; all = all $0 "\n"; next }
	/^after/ { least[n] = $2; sub(/^after [^ ]* /, ""); text[n] = $1; line[n++] = "launch " $0; all = all "launch " $0 "\n"; next }
	/^again/ { least[n] = $2; sub(/^again [^ ]* /, ""); text[n] = $0; gsub(/; /, "\n"); line[n++] = first "\n" $0; next }
	/^gpu/ { gpu = 1; head = head $0 "\n"; next }
	{ if (gpu && /^set/) head = head $0 "\n"; else body = body $0 "\n" }
	END { close_case() }' tests/shape/advice/cases.txt

# tell CASE: a line for each change
tell() {
	"$WARPSTEP" --trust -n -q -b "$room/$1.all.scn" >"$room/$1.checks" 2>&1
	report "$1: the change computes the same" $? "$(tail -n 1 "$room/$1.checks")"
	limit=$(head -n 1 "$room/$1.what")
	"$WARPSTEP" --trust -n -q -j -e limits -e quit "$room/$1.0.scn" 2>/dev/null | sed -n 's/^.*"cmd":"limits".*"result":\({.*\)}$/\1/p' >"$room/$1.limits"
	before=$(jq .cycles "$room/$1.limits")
	case $limit in
	*+*) promised=$(jq --arg a "${limit%+*}" --arg b "${limit#*+}" '.pairs[] | select(.limit == $a and .and == $b) | .saved' "$room/$1.limits") ;;
	*) promised=$(jq --arg a "$limit" '.limits[] | select(.limit == $a) | .saved' "$room/$1.limits") ;;
	esac
	given=$(jq -r '.try[].limit' "$room/$1.limits" | tr '\n' ' ')
	for one in $(echo "$limit" | tr + ' '); do case " $given" in *" $one "*) ;; *) given= ;; esac; done
	grep -q "^case $1 .* second$" tests/shape/advice/cases.txt || [ -n "$given" ]
	report "$1: the advice is given" $? "$(jq -r '.sentence, .try[].limit' "$room/$1.limits" | tr '\n' ' ')"
	k=0
	sed 1d "$room/$1.what" | while read -r least text; do
		k=$((k + 1))
		after=$("$WARPSTEP" --trust -n -q -b -e run -e 'print kernel.0.cycles' "$room/$1.$k.scn" 2>/dev/null | grep -x '[0-9]*')
		echo "$least ${before:-0} ${promised:-0} ${after:-0} $text"
	done >"$room/$1.told"
	while read -r least before promised after text; do
		part=$(awk -v b="$before" -v p="$promised" -v a="$after" 'BEGIN { printf("%.0f", (p > 0 && a > 0) ? 100 * (b - a) / p : -999) }')
		if [ "$least" = none ]; then [ "$part" -lt 10 ] && [ "$part" -gt -999 ]; else [ "$part" -ge "$least" ]; fi
		report "$1: $limit, $before cycles, promised $promised; $text: $after, saves $((before - after)), $part % of it" $? "must be $least"
	done <"$room/$1.told"
}
[ $# -gt 0 ] || set -- $(cd "$room" && ls | sed -n 's/\.what$//p')
for name; do tell "$name"; done
exit $failed
