# `make reproduce`: what its table and files hold, and what it says where it cannot go on.
n=0 bad=0
OUT=$LOG/reproduce
export OUT

# expect NAME COMMAND...: the command succeeds
expect() {
	n=$((n + 1))
	name=$1
	shift
	if "$@" >/dev/null 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		bad=1
	fi
}

sh tests/reproduce.sh fma banks >"$LOG/reproduce.txt" 2>&1
expect "status" [ $? -eq 0 ]
expect "a line for each number" [ "$(grep -c '^Fig\. \|^Sec\. ' "$LOG/reproduce.txt")" -eq 10 ]
expect "unbalanced FMAs, within 3 % of the paper" awk -F, '/unbalanced.*: round robin/ { n++; if ($6 < 3.78 || $6 > 4.02) exit 1 } END { exit n != 1 }' "$OUT/subcore.csv"
expect "difference is ours less the paper's" awk -F, 'NR > 1 && $5 !~ /</ { n++; d = $6 - $5 - $7; if (d > 0.01 || d < -0.01) bad = 1 } END { exit bad || n != 9 }' "$OUT/subcore.csv"
expect "gains in the direction of the paper" awk -F, '$8 == "opposite" { bad = 1 } $8 == "same" { n++ } END { exit bad || n != 5 }' "$OUT/subcore.csv"

sh tests/reproduce.sh nothing >/dev/null 2>"$LOG/reproduce.txt"
expect "no such group: status 2" [ $? -eq 2 ]
expect "no such group: what there is" grep -q "no group 'nothing'; the groups are fma" "$LOG/reproduce.txt"
WARPSTEP=false sh tests/reproduce.sh fma >/dev/null 2>"$LOG/reproduce.txt"
expect "a run that fails ends it" [ $? -eq 1 ]
expect "a run that fails is named" grep -q "reproduce: scenarios/subcore/fma-baseline.scn" "$LOG/reproduce.txt"
exit $bad
