# `make reproduce`: what its table and files hold, and what it says where it cannot go on.
. tests/tap
OUT=$LOG/reproduce
export OUT

sh tests/reproduce.sh fma ratio kernels mix rows limits >"$LOG/reproduce.txt" 2>&1
holds "status" [ $? -eq 0 ]
holds "a line for each number" [ "$(grep -c '^Fig\. \|^Sec\. ' "$LOG/reproduce.txt")" -eq 69 ]
holds "unbalanced FMAs, within 3 % of the paper" awk -F, '/unbalanced.*: round robin/ { n++; bad = $6 < 3.78 || $6 > 4.02 } END { exit bad || n != 1 }' "$OUT/subcore.csv"
holds "shuffle's mean is that of chance, 2.13 with 4 entries" awk -F, '/,fma-shuffle,/ { n++; bad = $6 < 1.95 || $6 > 2.35 } END { exit bad || n != 1 }' "$OUT/subcore.csv"
holds "... and 1.77 with 16" awk -F, '/,fma-shuffle-16,/ { n++; bad = $6 < 1.6 || $6 > 1.95 } END { exit bad || n != 1 }' "$OUT/subcore.csv"
holds "difference is ours less the paper's" awk -F, '/^(fma|mix),/ && $5 !~ /</ && $5 != "" { n++; d = $6 - $5 - $7; if (d > 0.01 || d < -0.01) bad = 1 } END { exit bad || n != 18 }' "$OUT/subcore.csv"
holds "gains in the direction of the paper" awk -F, '/^mix,/ && $8 == "opposite" && $9 != "mix-chance-full" { bad = 1 } /^mix,/ && $8 == "same" { n++ } END { exit bad || n != 13 }' "$OUT/subcore.csv"
holds "a reason for each number that differs" sh -c '! grep "\[?\]" "$1"' sh "$LOG/reproduce.txt"
holds "the notes are numbered from 1 and stand below the table" awk '/^\[/ { n++; if ($1 != "[" n "]") bad = 1 } END { exit bad || n < 6 }' "$LOG/reproduce.txt"
holds "lengths: round robin's loss grows and stays below its bound, srr is never behind shuffle" \
	awk -F, 'NR > 1 { n++; if ($7 < last || $7 > $9 || $8 < 1) bad = 1; last = $7 } END { exit bad || n != 8 }' "$OUT/subcore-ratio.csv"
holds "rows: variation 0.7 to 0.85 with round robin, at most 0.15 with srr, at ratio 4.4" \
	awk -F, '$2 == 4.4 { n++; if ($9 < 0.7 || $9 > 0.85 || $10 > 0.15) bad = 1 } END { exit bad || n != 10 }' "$OUT/subcore-rows.csv"
holds "rows: drawn lengths leave some variation, and the gain grows with the work for each row" \
	awk -F, '/random/ { n++; if ($10 < 0.03 || $7 < last) bad = 1; last = $7 } END { exit bad || n != 9 }' "$OUT/subcore-rows.csv"
# Each key that has a reason is that of a line; those of lines that are not run here are written out in the script, but for a number or a
# variable at the end.
for key in $(sed -n '/^#/d; s/:.*//p' tests/reproduce/reasons.txt); do
	grep -q ",$key," "$OUT/subcore.csv" "$OUT/vt.csv" || grep -qE "row \"*(${key%-[0-9]*}|${key%-*}-[$])" tests/reproduce/subcore tests/reproduce/vt tests/reproduce/dyncta tests/reproduce/elf tests/reproduce/chimera tests/reproduce/maestro tests/reproduce/vws || holds "a reason for $key, which is no line" false
done

sh tests/reproduce.sh nothing >/dev/null 2>"$LOG/reproduce.txt"
holds "no such group: status 2" [ $? -eq 2 ]
holds "no such group: what there is" grep -q "no group 'nothing'; the groups are fma, ratio" "$LOG/reproduce.txt"
(. tests/reproduce/common && row none "Fig. 0" % 1 -nan "no number") >/dev/null 2>"$LOG/reproduce.txt"
holds "a line without a number ends it" [ $? -eq 1 ]
holds "a line without a number is named" grep -q "none: '-nan' is no number" "$LOG/reproduce.txt"
WARPSTEP=false sh tests/reproduce.sh fma >/dev/null 2>"$LOG/reproduce.txt"
holds "a run that fails ends it" [ $? -eq 1 ]
holds "a run that fails is named" grep -q "reproduce: scenarios/subcore/fma-baseline.scn" "$LOG/reproduce.txt"
exit $failed
