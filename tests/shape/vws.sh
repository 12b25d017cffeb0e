# `make reproduce`'s groups of variable warp sizes, over three small loads: lanes or slices that go round for different times, and all alike. The real
# loads compute what they should.
. tests/tap
OUT=$LOG/vws WARPS=$LOG/vws-loads
export OUT WARPS
mkdir -p "$WARPS"
cat >"$WARPS/match.scn" <<'END'
gpu ws32
synthetic match iterations 12 body 12 mix int 70 fp32 30 diverge lanes distance 2
launch match grid 8 block 128
END
cat >"$WARPS/nbody.scn" <<'END'
gpu ws32
synthetic nbody iterations 8 body 16 mix int 60 fp32 40 distance 6
launch nbody grid 8 block 128
END
cat >"$WARPS/collatz.scn" <<'END'
gpu ws32
synthetic collatz iterations 10 body 10 mix int 100 diverge slice distance 2
launch collatz grid 8 block 128
END
sed 's/nbody/wide/' "$WARPS/nbody.scn" >"$WARPS/stencil5-wide.scn"
printf '%s\n' "match divergent divergent" "nbody insensitive insensitive" "collatz divergent insensitive" >"$WARPS/classes.txt"

sh tests/reproduce.sh sizes gangs supply choice reform apart ages >"$LOG/vws.txt" 2>&1
holds "status" [ $? -eq 0 ]
holds "a line for each number" [ "$(grep -c '^Fig\. \|^Sec\. ' "$LOG/vws.txt")" -eq "$(grep -c '^vws\|^[a-z]*,' "$OUT/vws.csv" | awk '{ print $1 - 1 }')" ]
holds "loads are of the classes written down" awk -F, '/,sizes-classes,/ { n++; bad = $6 != 0 } END { exit bad || n != 1 }' "$OUT/vws.csv"
holds "of each load its class" [ "$(cut -d, -f1 "$OUT/vws-speed.csv" | paste -s -d' ')" = "load match nbody collatz" ]
holds "what does not diverge fetches as whole warps in gangs, eight times as often without" awk -F, '
	NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k } $1 == "nbody" { n++; w = $at["fetches-ws32"]; v = $at["fetches-i-vws"]; four = $at["fetches-ws4"]
		if (v > w * 1.01 || v < w * 0.99 || four < 7.9 * w || four > 8.1 * w) bad = 1 } END { exit bad || n != 1 }' "$OUT/vws-speed.csv"
holds "who diverges by lanes is faster in slices" awk -F, '/,sizes-d,/ { n++; bad = $6 < 5 } /,gangs-d,/ { n++; if ($6 < 5) bad = 1 } END { exit bad || n != 2 }' "$OUT/vws.csv"
holds "40 moments, all slices in gangs of 8 in the first" awk -F, 'NR == 2 && !($3 > 200 && $10 == 0) { bad = 1 } END { exit bad || NR < 35 }' "$OUT/vws-ages.csv"

for scenario in tests/reproduce/warps/*.scn; do
	holds "$scenario checks something" grep -q '^  check \|^  expect ' "$scenario"
	holds "$scenario runs to its end" "$WARPSTEP" -n -q -b --trust "$scenario"
done
holds "15 loads, five of each kind" awk '!/^#/ { n++; kind[$2]++ } END { exit n != 15 || kind["divergent"] != 5 || kind["convergent"] != 5 || kind["insensitive"] != 5 }' \
	tests/reproduce/warps/classes.txt
exit $failed
