# Without a terminal: the frame at every size has as many lines as that, none wider, no control byte, and drawing changes nothing.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0
check() {
	n=$((n + 1))
	if [ -z "$2" ]; then echo "ok $n - $1"; else echo "not ok $n - $1: $2"; bad=1; fi
}
# dump SIZE OPTIONS...: the frame at cycle 700, into $work/frame.
dump() {
	size=$1
	shift
	"$WARPSTEP" -b -q --size "$size" "$@" -e 'step 700' -e "screen dump $work/frame" -e quit scenarios/default.scn >"$work/out" 2>&1 ||
		cat "$work/out"
}
for size in 200x60 140x40 100x30 80x24 80x16 60x20 40x10 39x10 40x9 12x4 80x1 1x1; do
	width=${size%x*} height=${size#*x}
	said=$(dump "$size" --ascii)
	check "$size in ASCII" "$said$(LC_ALL=C grep -n '[^ -~]' "$work/frame" | head -n 1)"
	check "$size: lines" "$([ "$(wc -l <"$work/frame")" -le "$height" ] || wc -l <"$work/frame")"
	check "$size: widths" "$(grep -n -E "^.{$width}." "$work/frame" | head -n 1)"
	[ "$width" -ge 40 ] && [ "$height" -ge 10 ] &&
		check "$size: the cycle, the warps, the prompt" "$(for word in 'cycle 700' 'warps SM 0' '(warpstep)'; do
			grep -q -F "$word" "$work/frame" || echo "no $word"; done)"
done
said=$(dump 80x24)
check 'the sums hold' "$said$(grep -n '✗' "$work/frame")"
# In every layout.
for layout in $("$WARPSTEP" -b -q -e layout -e quit | sed -n 's/^[* ] \([a-z]*\) .*/\1/p'); do
	for size in 200x50 80x24 40x10; do
		said=$(dump "$size" -e "layout $layout")
		check "layout $layout at $size" "$said$(LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$work/frame" | head -n 1)$(grep '✗' "$work/frame")"
	done
done
plain=$("$WARPSTEP" -b -q -e 'step 700' -e hash -e quit scenarios/default.scn | grep -E '^[0-9a-f]{16}')
drawn=$("$WARPSTEP" -b -q --size 200x60 -e 'step 300' -e 'screen dump' -e 'step 400' -e 'screen dump' -e hash -e quit scenarios/default.scn |
	grep -E '^[0-9a-f]{16}$')
check 'drawing changes nothing' "$([ -n "$plain" ] && [ "$plain" = "$drawn" ] || echo "$plain, $drawn")"
exit $bad
