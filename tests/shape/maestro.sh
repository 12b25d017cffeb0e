# `make reproduce`'s groups of GPU Maestro, over one small pair: a kernel that computes and one that waits for memory.
. tests/tap
OUT=$LOG/maestro SHARE=$LOG/maestro-loads EPOCH=2000
export OUT SHARE EPOCH
mkdir -p "$SHARE"
cat >"$SHARE/dense.scn" <<'END'
gpu maxwell
synthetic dense iterations 20 body 20 mix fp32 60 int 40 distance 4 regs 32
launch dense grid 512 block 128
END
cat >"$SHARE/sparse.scn" <<'END'
gpu maxwell
synthetic sparse iterations 6 body 20 mix fp32 40 int 30 load 30 distance 2 regs 40 footprint 4194304
launch sparse grid 192 block 128
END
echo "COM/MEM dense sparse" >"$SHARE/pairs.txt"

sh tests/reproduce.sh classes maestro ranks decisions epochs >"$LOG/maestro.txt" 2>&1
holds "status" [ $? -eq 0 ]
holds "a line for each number" [ "$(grep -c '^Fig\. \|^Sec\. \|^Tab\. ' "$LOG/maestro.txt")" -eq 43 ]
holds "a line for each way of sharing" [ "$(grep -c '^COM/MEM,dense,sparse,' "$OUT/maestro-pairs.csv")" -eq 11 ]
holds "ANTT is the mean of the slowdowns, STP the sum of their inverses" awk -F, 'function apart(a, b) { return a > b + 0.001 || a < b - 0.001 }
	NR > 1 { n++; if (apart($7, ($5 + $6) / 2) || apart($8, 1 / $5 + 1 / $6)) bad = 1 } END { exit bad || n != 11 }' "$OUT/maestro-pairs.csv"
holds "decisions are Maestro's alone, and their kinds add up to all" awk -F, '
	NR == FNR { if (FNR > 1 && ($4 ~ /^(even|smart|smk|smkpw|ws)$/) != !($9 + $10 + $11)) bad = 1; next }
	/,decisions-(apart|even|other),/ { sum += $6; n++ } END { exit bad || n != 3 || sum < 99.8 || sum > 100.2 }' "$OUT/maestro-pairs.csv" "$OUT/maestro.csv"
holds "free moves flush and drain nothing" awk -F, '$4 == "free" { n++; if ($14 || $15 || !$16) bad = 1 } END { exit bad || n != 1 }' "$OUT/maestro-pairs.csv"
holds "halves of the SMs: nobody is faster than alone, who computes takes twice as long" awk -F, '
	$4 == "even" { n++; if ($5 < 1.8 || $5 > 2.2 || $6 < 1) bad = 1 } END { exit bad || n != 1 }' "$OUT/maestro-pairs.csv"
holds "classes as measured" awk -F, 'NR > 1 && ($4 > 12 ? "COM" : "MEM") != $5 { bad = 1 } END { exit bad || NR != 3 }' "$OUT/maestro-loads.csv"
holds "launches are told how fast they are" grep -qx 'alone [0-9]* curve [0-9,]*' "$OUT/runs/share/sparse.options"
holds "the 15 pairs are of 11 loads, five of each class" awk '!/^#/ { class[$1]++; load[$2]; load[$3] } END { for (l in load) n++
	exit n != 11 || class["COM/COM"] != 5 || class["COM/MEM"] != 5 || class["MEM/MEM"] != 5 }' tests/reproduce/share/pairs.txt
exit $failed
