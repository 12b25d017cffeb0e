# Reproduce the figures of "Mitigating GPU Core Partitioning Performance Effects" (Barnes, Shen, Rogers, HPCA 2023): a table of the
# paper's number, ours and the difference on standard output; the same in $OUT/subcore.csv, the kernels one by one in
# $OUT/subcore-kernels.csv, and, where gnuplot is present, bars in $OUT/subcore.svg.
#
# usage: reproduce.sh [GROUP...]     of fma, kernels, banks, rows; all of them if none is named
#
# What differs from the paper: five kernels of the library on one SM (geometric means) stand for its applications on 80, `one-in-four`
# stands for the TPC-H queries (that one kernel alone, where the paper times whole queries), and Figure 3 was measured on hardware.
: "${WARPSTEP:=$PWD/warpstep}" "${OUT:=build/reproduce}"
export LC_ALL=C
kernels="sgemm mriq lavamd conv2d cutcp"
csv=$OUT/subcore.csv
times=$OUT/kernels.cycles

fail() {
	echo "reproduce: $*" >&2
	exit "${status:-1}"
}

# cycles SCENARIO COMMAND...: prints what PRINT names, or the cycles of the first kernel, after a run under the commands
cycles() {
	scenario=$1
	shift
	for command in "$@" restart run "print ${PRINT:-kernel.0.cycles}"; do
		echo "$command"
	done >"$OUT/commands"
	"$WARPSTEP" -n -q --trust -b -x "$OUT/commands" "$scenario" >"$OUT/output" 2>"$OUT/errors" ||
		fail "$scenario${*:+ ($*)}: status $? $(tail -n 1 "$OUT/errors")"
	value=$(grep -x '[0-9][0-9]*' "$OUT/output" | tail -n 1)
	[ -n "$value" ] || fail "$scenario${*:+ ($*)}: the run printed no number"
	echo "$value"
}

# calc EXPRESSION: its value, to four places
calc() {
	awk "BEGIN { printf \"%.4f\", $1 }"
}

# row GROUP FIGURE UNIT PAPER OURS CLAIM: one line of the table. A PAPER of <X is a bound on the size of ours.
# "direction" tells whether a gain is a gain here too.
row() {
	echo "$1|$2|$3|$4|$5|$6" | awk -F'|' -v csv="$csv" '{
		bound = $4 ~ /^</; paper = $4; sub(/^</, "", paper)
		digits = bound ? "%.3f" : $3 == "%" ? "%.1f" : "%.2f"
		ours = sprintf(digits, $5)
		difference = bound ? (($5 < 0 ? -$5 : $5) < paper ? "holds" : "exceeds") : sprintf("%+" substr(digits, 2), $5 - paper)
		direction = $3 != "%" || bound ? "" : $5 * paper > 0 ? "same" : "opposite"
		printf "%-8s %-66s %6s %8s %10s  %s\n", $2, $6, $4 $3, ours $3, difference, direction
		printf "%s,%s,\"%s\",%s,%s,%s,%s,%s\n", $1, $2, $6, $3, $4, ours, difference, direction >>csv
	}'
}

# The microbenchmark: eight computing warps, two for each sub-core or all eight in one.
group_fma() {
	s=scenarios/subcore
	base=$(cycles $s/fma-baseline.scn) && balanced=$(cycles $s/fma-balanced.scn) && rr=$(cycles $s/fma-unbalanced.scn) &&
		kepler=$(cycles $s/fma-unbalanced.scn 'gpu kepler' 'set gpu.sms 1') &&
		kepler_base=$(cycles $s/fma-baseline.scn 'gpu kepler' 'set gpu.sms 1') &&
		srr=$(cycles $s/fma-unbalanced.scn 'policy assign=srr') || exit 1
	row fma "Fig. 3" x 1.0 "$(calc "$balanced / $base")" "time of balanced / baseline"
	row fma "Fig. 3" x 3.9 "$(calc "$rr / $base")" "time of unbalanced / baseline: round robin"
	row fma "Fig. 3" x 1.0 "$(calc "$kepler / $kepler_base")" "time of unbalanced / baseline: no sub-cores (kepler)"
	row fma "Sec. IV" x 1.0 "$(calc "$srr / $base")" "time of unbalanced / baseline: skewed round robin"
}

# measure NAME COMMAND...: the cycles of each kernel under the commands, a line of $times
measure() {
	name=$1 line=$1
	shift
	for kernel in $kernels; do
		value=$(cycles "tests/reproduce/$kernel.scn" "$@") || exit 1
		line="$line $value"
	done
	echo "$line" >>"$times"
}

# gain NAME OVER: by how many percent the kernels are faster in measurement NAME than in OVER, their geometric mean
gain() {
	awk -v name="$1" -v over="$2" '
		$1 == name { for (i = 2; i <= NF; i++) new[i] = $i }
		$1 == over { n = NF; for (i = 2; i <= NF; i++) old[i] = $i }
		END {
			for (i = 2; i <= n; i++) sum += log(old[i] / new[i])
			printf "%.3f", (exp(sum / (n - 1)) - 1) * 100
		}' "$times"
}

# The kernels one by one, a line each: speedup over the baseline under each scheme; the last line has the geometric means.
kernel_table() {
	awk -v names="$kernels mean" '
		BEGIN { n = split(names, name, " ") }
		{
			head = head "," $1; sum = 0
			for (i = 1; i < n; i++) {
				if (NR == 1) base[i] = $(i + 1)
				line[i] = line[i] sprintf(",%.3f", base[i] / $(i + 1))
				sum += log(base[i] / $(i + 1))
			}
			line[n] = line[n] sprintf(",%.3f", exp(sum / (n - 1)))
		}
		END { print "kernel" head; for (i = 1; i <= n; i++) print name[i] line[i] }' "$times"
}

# Issue order, collector units, banks, and the fully connected SM, on kernels that use many registers.
group_kernels() {
	: >"$times"
	measure baseline
	measure rba 'policy order=rba'
	measure rba-delay-20 'policy order=rba' 'set rba.delay 20'
	measure steal 'policy extra=steal'
	for n in 4 8 16; do
		measure "collectors-$n" "set sm.collectors $n"
	done
	measure banks-4 'set sm.banks 4'
	measure banks-4-rba 'set sm.banks 4' 'policy order=rba'
	measure shuffle-rba 'policy assign=shuffle order=rba'
	measure full 'gpu monolithic' 'set gpu.sms 1'
	measure full-rba 'gpu monolithic' 'set gpu.sms 1' 'policy order=rba'
	row kernels "Fig. 9" % 10.6 "$(gain shuffle-rba baseline)" "gain of shuffle with rba"
	row kernels "Fig. 9" % 13.2 "$(gain full baseline)" "gain of the fully connected SM"
	row kernels "Fig. 10" % 11.1 "$(gain rba baseline)" "gain of rba"
	row kernels "Fig. 10" % "<1" "$(gain steal baseline)" "gain of bank stealing"
	row kernels "Fig. 11" % 6.1 "$(gain full baseline)" "gain of the fully connected SM where rba does better"
	row kernels "Fig. 11" % 19.6 "$(gain full-rba baseline)" "gain of the fully connected SM with rba there"
	row kernels "Fig. 12" % 4.1 "$(gain collectors-4 baseline)" "gain of 4 collector units per sub-core"
	row kernels "Fig. 12" % 7.1 "$(gain collectors-8 baseline)" "gain of 8 collector units per sub-core"
	row kernels "Fig. 12" % 9.6 "$(gain collectors-16 baseline)" "gain of 16 collector units per sub-core"
	row kernels "Sec. VI" % "<0.1" "$(gain rba-delay-20 rba)" "change when rba's scores are 20 cycles old"
	row kernels "Sec. VI" % 15.4 "$(gain banks-4-rba banks-4)" "gain of rba over 4 banks per sub-core (19.3% with 2)"
	kernel_table >"$OUT/subcore-kernels.csv"
}

# chance COMMAND...: the cycles of the kernel of bank-conflict whose operands lie as chance has it
chance() {
	PRINT=kernel.3.cycles cycles scenarios/subcore/bank-conflict.scn "$@" || exit 1
}

# The same on a kernel that only the register file limits: what the schemes can gain at most.
group_banks() {
	base=$(chance) && rba=$(chance 'policy order=rba') && late=$(chance 'policy order=rba' 'set rba.delay 20') &&
		banks=$(chance 'set sm.banks 4') && banks_rba=$(chance 'set sm.banks 4' 'policy order=rba') || exit 1
	row banks "Fig. 10" % 11.1 "$(calc "($base / $rba - 1) * 100")" "gain of rba on operands by chance"
	for case in "4 4.1" "8 7.1" "16 9.6"; do
		set -- $case
		units=$(chance "set sm.collectors $1") || exit 1
		row banks "Fig. 12" % "$2" "$(calc "($base / $units - 1) * 100")" "gain of $1 collector units per sub-core on operands by chance"
	done
	row banks "Sec. VI" % "<0.1" "$(calc "($rba / $late - 1) * 100")" "change when rba's scores are 20 cycles old"
	row banks "Sec. VI" % 15.4 "$(calc "($banks / $banks_rba - 1) * 100")" "gain of rba over 4 banks per sub-core (19.3% with 2)"
}

# variation COMMAND...: of what the sub-cores issue in one-in-four, standard deviation over mean
variation() {
	for i in 0 1 2 3; do
		PRINT="sm[0].sub[$i].issued"
		cycles scenarios/subcore/one-in-four.scn "$@" || exit 1
	done | awk '{ n++; sum += $1; squares += $1 * $1 } END { mean = sum / n; printf "%.4f", sqrt(squares / n - mean * mean) / mean }'
}

# One long warp in every four: 4.4 times as long as the others for the uncompressed tables, 100 times for the compressed ones.
group_rows() {
	for case in "4.4 17.5 13.9 16 un" "100 33.1 27.4 15"; do
		set -- $case
		for assign in rr srr shuffle; do
			value=$(cycles scenarios/subcore/one-in-four.scn "symbol ratio = $1" "policy assign=$assign") || exit 1
			eval "$assign=$value"
		done
		row rows "Fig. $4" % "$2" "$(calc "($rr / $srr - 1) * 100")" "gain of skewed round robin, ratio $1 (${5-}compressed TPC-H)"
		row rows "Fig. $4" % "$3" "$(calc "($rr / $shuffle - 1) * 100")" "gain of shuffle, ratio $1 (${5-}compressed TPC-H)"
	done
	before=$(variation 'policy assign=rr') && after=$(variation 'policy assign=srr') || exit 1
	row rows "Fig. 17" "" 0.80 "$before" "variation of issue over sub-cores, ratio 4.4: round robin"
	row rows "Fig. 17" "" 0.11 "$after" "variation of issue over sub-cores, ratio 4.4: skewed round robin"
}

for group; do
	case $group in fma | kernels | banks | rows) ;; *) status=2 fail "no group '$group'; the groups are fma, kernels, banks and rows" ;; esac
done
mkdir -p "$OUT" || exit 1
rm -f "$OUT/subcore.svg" "$OUT/subcore-kernels.csv"
echo "group,figure,claim,unit,paper,ours,difference,direction" >"$csv"
printf '%-8s %-66s %6s %8s %10s  %s\n' figure claim paper ours difference direction
for group in ${*:-fma kernels banks rows}; do
	"group_$group"
done
echo "written: $csv"
[ ! -f "$OUT/subcore-kernels.csv" ] || echo "written: $OUT/subcore-kernels.csv"
if [ $# -eq 0 ] && command -v gnuplot >/dev/null; then
	gnuplot -e "dir='$OUT'" tests/reproduce/subcore.gp && echo "written: $OUT/subcore.svg"
fi
rm -f "$OUT/commands" "$OUT/output" "$OUT/errors" "$times"
