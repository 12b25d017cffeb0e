#!/bin/sh
# `compare lines`: the lines of both versions add up to what each counts by itself, changed lines stand beside each other, and moved
# ones keep their partner.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
scene=tests/compare/tile.scn

"$WARPSTEP" -n -q -b -j -e 'compare tests/compare/tile2.ptx' -e 'compare lines all' $scene 2>/dev/null >"$work/both" </dev/null
# counts SCENARIO: issues of the lines, sectors of the lines, of a version by itself
sed 's/tile\.ptx/tile2.ptx/' $scene >"$work/two.scn"
cp tests/compare/tile2.ptx tests/compare/tile2.cu "$work"
counts() {
	"$WARPSTEP" -n -q -b -j -e 'set stats.lines on' -e run -e 'stats lines' "$1" 2>/dev/null </dev/null |
		jq -r 'select(.cmd == "stats" and .result.lines) | .result.lines | map(select(.line)) | "\(map(.issues) | add) \(map(.sectors) | add)"'
}
both() { jq -r "select(.cmd == \"compare\" and .result.lines) | .result.lines | $1" "$work/both"; }
holds 'there are lines of both' test "$(both 'length')" -gt 9
holds 'the lines of A are all that it issues' test "$(both '"\(map(.issues_A // 0) | add) \(map(.sectors_A // 0) | add)"')" = "$(counts $scene)"
holds 'those of B are' test "$(both '"\(map(.issues_B // 0) | add) \(map(.sectors_B // 0) | add)"')" = "$(counts "$work/two.scn")"
"$WARPSTEP" -n -q -b -j -e run -e 'stats lines' -e 'stats instructions' $scene 2>/dev/null >"$work/one" </dev/null
all=$(jq -r 'select(.cmd == "stats" and .result["inst.warp"]) | .result["inst.warp"]' "$work/one")
sums() { jq -r "select(.cmd == \"stats\" and .result.$1) | .result.$1 | \"\(map(.issues) | add) \(map(.stalls) | add) \(map(.sectors) | add)\"" "$work/one"; }
holds 'stats lines has all that is issued' test "$(sums lines | cut -d ' ' -f 1)" = "${all:-none}"
holds 'and as much as stats instructions' test "$(sums lines)" = "$(sums instructions)"
holds 'a line that was changed stands beside what it was' \
	test "$(both '.[] | select(.line_A == 17) | "\(.line_B) \(.text)"')" = '18 sum += as[ty][k] * bs[k][tx]; -> sum += as[k][ty] * bs[k][tx];'
holds 'one that has moved beside itself' test "$(both '.[] | select(.line_A == 18) | "\(.line_B) \(.text)"')" = '19 __syncthreads();'
holds 'each line stands once' test "$(both '[.[].line_A | numbers] | length - (unique | length)')$(both '[.[].line_B | numbers] | length - (unique | length)')" = 00
holds 'the largest difference of stalls is first' test "$(both 'map(.difference | fabs) | . == (sort | reverse)')" = true
holds 'it is the difference' test "$(both 'map(.difference == (.stalls_B // 0) - (.stalls_A // 0)) | all')" = true
# A line that only B has: the second piece of line 9 stands at line 10.
mkdir "$work/more"
cp tests/compare/tile.cu tests/compare/tile.scn "$work/more"
awk '/\.loc\t1 9 / && ++n == 2 { sub(/1 9 /, "1 10 ") } { print }' tests/compare/tile.ptx >"$work/more/tile.ptx"
"$WARPSTEP" -n -q -b -j -e "compare $work/more/tile.ptx" -e 'compare lines all' $scene 2>/dev/null >"$work/both" </dev/null
holds 'a line that only one has stands alone' test "$(both 'map(select(.line_A == null or .line_B == null)) | map("\(.line_A) \(.line_B) \(.text)") | join(";")')" = 'null 10 float sum = 0.0f;'
holds 'the others beside themselves' test "$(both 'map(select(.line_A and .line_B) | .line_A == .line_B) | all')" = true
exit $failed
