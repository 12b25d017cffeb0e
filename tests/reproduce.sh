# Reproduce the figures of "Mitigating GPU Core Partitioning Performance Effects" (Barnes, Shen, Rogers, HPCA 2023): a table of the
# paper's number, ours and the difference on standard output, with a note for each that differs (tests/reproduce/reasons.txt). Into $OUT:
#
#   subcore.csv           the table
#   subcore-kernels.csv   the kernels one by one
#   subcore-ratio.csv     Figure 8: length ratios from 1.5 to 100 by assignment
#   subcore-rows.csv      one long warp in four: gains and variation by length ratio and by work for each row
#   subcore.svg           charts shaped like the paper's figures, where gnuplot is present
#
# usage: reproduce.sh [GROUP...]     of fma, ratio, kernels, mix, rows; all of them if none is named
#
# What differs from the paper: five kernels of the library on one SM (geometric means) stand for its applications on 80, `one-in-four`
# and `one-in-four-random` stand for the TPC-H queries (one kernel, where the paper times whole queries), and Figure 3 was measured
# on hardware.
: "${WARPSTEP:=$PWD/warpstep}" "${OUT:=build/reproduce}"
export LC_ALL=C
kernels="sgemm mriq lavamd conv2d cutcp"
csv=$OUT/subcore.csv
times=$OUT/kernels.cycles
mixes=$OUT/mix.cycles
notes=$OUT/notes
seeds=20

fail() {
	echo "reproduce: $*" >&2
	exit "${status:-1}"
}

# values SCENARIO COMMAND...: what PRINT names (expressions, by blanks), or the cycles of the first kernel, after a run under the commands
values() {
	scenario=$1
	shift
	{
		for command in "$@" restart run; do
			echo "$command"
		done
		for name in ${PRINT:-kernel.0.cycles}; do
			echo "print $name"
		done
	} >"$OUT/commands"
	"$WARPSTEP" -n -q --trust -b -x "$OUT/commands" "$scenario" >"$OUT/output" 2>"$OUT/errors" ||
		fail "$scenario${*:+ ($*)}: status $? $(tail -n 1 "$OUT/errors")"
	set -- ${PRINT:-kernel.0.cycles}
	grep -x '[0-9][0-9]*' "$OUT/output" | tail -n $# >"$OUT/values"
	[ "$(wc -l <"$OUT/values")" -eq $# ] || fail "$scenario: the run did not print the numbers wanted: $*"
	cat "$OUT/values"
}

# cycles SCENARIO COMMAND...: the cycles of the first kernel
cycles() {
	values "$@"
}

# seeds_mean SCENARIO COMMAND...: the mean of the cycles over $seeds seeds of shuffle, the least, the most
seeds_mean() {
	seed=1
	while [ $seed -le $seeds ]; do
		cycles "$@" 'policy assign=shuffle' "set shuffle.seed $seed" || exit 1
		seed=$((seed + 1))
	done | awk '{ sum += $1; if (NR == 1 || $1 < low) low = $1; if ($1 > high) high = $1 } END { printf "%.2f %d %d", sum / NR, low, high }'
}

# calc EXPRESSION: its value, to four places
calc() {
	awk "BEGIN { printf \"%.4f\", $1 }"
}

# judge UNIT PAPER OURS: ours as it is shown, the difference, the direction, and "differs" if it does in size or direction: by more than
# 5 % of a time, 2 points of a gain, 0.05 of a variation. "-" stands for nothing. A PAPER of <X is a bound on the size of ours.
judge() {
	echo "$1|$2|$3" | awk -F'|' '{
		unit = $1; paper = $2; bound = sub(/^</, "", paper); digits = bound ? "%.3f" : unit == "%" ? "%.1f" : "%.2f"
		size = $3 < 0 ? -$3 : $3; apart = $3 - paper; if (apart < 0) apart = -apart
		if (paper == "-") { printf digits " - - -", $3; exit }
		if (bound) { printf digits " %s - %s", $3, size < paper ? "holds" : "exceeds", size < paper ? "-" : "differs"; exit }
		opposite = $3 * paper <= 0
		differs = unit == "%" ? apart > 2 || opposite : apart > (unit == "x" ? paper * 0.05 : 0.05)
		printf digits " %+" substr(digits, 2) " %s %s", $3, $3 - paper, unit != "%" ? "-" : opposite ? "opposite" : "same", differs ? "differs" : "-"
	}'
}

# reason KEY: the sentence for a line of the table, nothing if there is none
reason() {
	awk -v key="$1" '/^#/ { next } { at = index($0, ": "); n = split(substr($0, 1, at - 1), names, " ")
		for (i = 1; i <= n; i++) if (names[i] == key) print substr($0, at + 2) }' tests/reproduce/reasons.txt
}

# note TEXT: its number among the notes below the table
note() {
	[ -n "$1" ] || { echo '[?]'; return; }
	grep -qxF -e "$1" "$notes" || echo "$1" >>"$notes"
	echo "[$(grep -nxF -e "$1" "$notes" | cut -d: -f1)]"
}

# row KEY FIGURE UNIT PAPER OURS CLAIM: one line of the table; its group is what stands before the first - of KEY. Where ours differs, or
# the paper (-) gives no number, a note says why or what to expect; [?] if nobody has written it.
row() {
	key=$1 figure=$2 unit=$3 paper=$4 claim=$6
	set -- $(judge "$3" "$4" "$5")
	ours=$1 difference=${2#-} direction=${3#-} why= mark=
	[ "$2" = - ] || difference=$2
	if [ "$4" = differs ] || [ "$paper" = - ]; then
		why=$(reason "$key")
		mark=$(note "$why")
	fi
	[ "$paper" = - ] && paper= || paper=$paper
	printf '%-8s %-66s %6s %8s %10s  %-9s%s\n' "$figure" "$claim" "$paper${paper:+$unit}" "$ours$unit" "$difference" "$direction" "$mark" |
		sed 's/ *$//'
	echo "${key%%-*},$figure,\"$claim\",$unit,$paper,$ours,$difference,$direction,$key,\"$why\"" >>"$csv"
}

# The microbenchmark: eight computing warps, two for each sub-core or all eight in one.
group_fma() {
	s=scenarios/subcore
	base=$(cycles $s/fma-baseline.scn) && balanced=$(cycles $s/fma-balanced.scn) && rr=$(cycles $s/fma-unbalanced.scn) &&
		kepler=$(cycles $s/fma-unbalanced.scn 'gpu kepler' 'set gpu.sms 1') &&
		kepler_base=$(cycles $s/fma-baseline.scn 'gpu kepler' 'set gpu.sms 1') &&
		srr=$(cycles $s/fma-unbalanced.scn 'policy assign=srr') && shuffle=$(seeds_mean $s/fma-unbalanced.scn) || exit 1
	row fma-balanced "Fig. 3" x 1.0 "$(calc "$balanced / $base")" "time of balanced / baseline"
	row fma-rr "Fig. 3" x 3.9 "$(calc "$rr / $base")" "time of unbalanced / baseline: round robin"
	row fma-kepler "Fig. 3" x 1.0 "$(calc "$kepler / $kepler_base")" "time of unbalanced / baseline: no sub-cores (kepler)"
	row fma-srr "Sec. IV" x 1.0 "$(calc "$srr / $base")" "time of unbalanced / baseline: skewed round robin"
	row fma-shuffle "Sec. IV" x - "$(calc "${shuffle%% *} / $base")" "time of unbalanced / baseline: shuffle (mean of $seeds seeds)"
}

# Lengths drift apart: times over that of skewed round robin, a line of subcore-ratio.csv for each ratio.
group_ratio() {
	s=scenarios/subcore/fma-imbalance.scn
	echo "ratio,rr,srr,shuffle,shuffle_least,shuffle_most,rr_over_srr,shuffle_over_srr,bound" >"$OUT/subcore-ratio.csv"
	for ratio in 1.5 2 3 5 10 20 50 100; do
		rr=$(cycles $s "symbol ratio = $ratio") && srr=$(cycles $s "symbol ratio = $ratio" 'policy assign=srr') &&
			shuffle=$(seeds_mean $s "symbol ratio = $ratio") || exit 1
		echo "$ratio $rr $srr $shuffle" | awk '{ printf "%s,%d,%d,%d,%d,%d,%.3f,%.3f,%.3f\n", $1, $2, $3, $4, $5, $6, $2 / $3, $4 / $3, 4 * $1 / ($1 + 3) }' \
			>>"$OUT/subcore-ratio.csv"
		case $ratio in 1.5 | 10 | 100) ;; *) continue ;; esac
		row "ratio-rr-$ratio" "Fig. 8" x - "$(calc "$rr / $srr")" "time of round robin / skewed, ratio $ratio"
		row "ratio-shuffle-$ratio" "Fig. 8" x - "$(calc "${shuffle%% *} / $srr")" "time of shuffle (mean of $seeds seeds) / skewed, ratio $ratio"
	done
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

# schemes MEASURE: what is measured of kernels and microbenchmarks alike, by MEASURE NAME COMMAND...
schemes() {
	$1 baseline
	$1 rba 'policy order=rba'
	$1 rba-delay-20 'policy order=rba' 'set rba.delay 20'
	$1 steal 'policy extra=steal'
	for units in 4 8 16; do
		$1 "collectors-$units" "set sm.collectors $units"
	done
	$1 banks-32 'set sm.banks 32'
	$1 banks-4 'set sm.banks 4'
	$1 banks-4-rba 'set sm.banks 4' 'policy order=rba'
	$1 full 'gpu monolithic' 'set gpu.sms 1'
	$1 full-rba 'gpu monolithic' 'set gpu.sms 1' 'policy order=rba'
}

# Issue order, collector units, banks, and the fully connected SM, on kernels that use many registers.
group_kernels() {
	: >"$times"
	schemes measure
	measure shuffle-rba 'policy assign=shuffle order=rba'
	row kernels-shuffle-rba "Fig. 9" % 10.6 "$(gain shuffle-rba baseline)" "gain of shuffle with rba"
	row kernels-full "Fig. 9" % 13.2 "$(gain full baseline)" "gain of the fully connected SM"
	row kernels-most "Fig. 10" % - "$(gain banks-32 baseline)" "gain of 32 banks: no conflicts to speak of"
	row kernels-rba "Fig. 10" % 11.1 "$(gain rba baseline)" "gain of rba"
	row kernels-steal "Fig. 10" % "<1" "$(gain steal baseline)" "gain of bank stealing"
	row kernels-full-best "Fig. 11" % 6.1 "$(gain full baseline)" "gain of the fully connected SM where rba does better"
	row kernels-full-rba "Fig. 11" % 19.6 "$(gain full-rba baseline)" "gain of the fully connected SM with rba there"
	row kernels-collectors-4 "Fig. 12" % 4.1 "$(gain collectors-4 baseline)" "gain of 4 collector units per sub-core"
	row kernels-collectors-8 "Fig. 12" % 7.1 "$(gain collectors-8 baseline)" "gain of 8 collector units per sub-core"
	row kernels-collectors-16 "Fig. 12" % 9.6 "$(gain collectors-16 baseline)" "gain of 16 collector units per sub-core"
	row kernels-delay "Sec. VI" % "<0.1" "$(gain rba-delay-20 rba)" "change when rba's scores are 20 cycles old"
	row kernels-banks "Sec. VI" % 15.4 "$(gain banks-4-rba banks-4)" "gain of rba over 4 banks per sub-core (19.3% with 2)"
	kernel_table >"$OUT/subcore-kernels.csv"
}

# mix NAME COMMAND...: the cycles of the two kernels of operand-mix, a line of $mixes
mix() {
	name=$1
	shift
	line=$(PRINT="kernel.0.cycles kernel.1.cycles" values scenarios/subcore/operand-mix.scn "$@") || exit 1
	echo "$name $(echo $line)" >>"$mixes"
}

# mixed NAME OVER: by how many percent measurement NAME is faster than OVER: operands by chance, in phases
mixed() {
	awk -v name="$1" -v over="$2" '$1 == name { a = $2; b = $3 } $1 == over { c = $2; d = $3 }
		END { printf "%.3f %.3f\n", (c / a - 1) * 100, (d / b - 1) * 100 }' "$mixes"
}

# mix_rows KEY FIGURE PAPER NAME OVER CLAIM: the lines of both kernels
mix_rows() {
	what=$6
	mixed "$4" "$5" >"$OUT/values"
	read -r by_chance in_phases <"$OUT/values"
	row "mix-chance-$1" "$2" % "$3" "$by_chance" "$what: operands by chance"
	row "mix-phases-$1" "$2" % "$3" "$in_phases" "$what: operands in phases"
}

# The same on two kernels that only the register file limits: operands in either bank by chance, and now in this, now in that.
group_mix() {
	: >"$mixes"
	schemes mix
	mix_rows most "Fig. 10" - banks-32 baseline "gain of 32 banks"
	mix_rows rba "Fig. 10" 11.1 rba baseline "gain of rba"
	mix_rows steal "Fig. 10" "<1" steal baseline "gain of bank stealing"
	mix_rows full "Fig. 11" 6.1 full baseline "gain of the fully connected SM"
	mix_rows full-rba "Fig. 11" 19.6 full-rba baseline "gain of the fully connected SM with rba"
	mix_rows collectors-4 "Fig. 12" 4.1 collectors-4 baseline "gain of 4 collector units"
	mix_rows collectors-8 "Fig. 12" 7.1 collectors-8 baseline "gain of 8 collector units"
	mix_rows collectors-16 "Fig. 12" 9.6 collectors-16 baseline "gain of 16 collector units"
	mix_rows delay "Sec. VI" "<0.1" rba-delay-20 rba "change with scores 20 cycles old"
	mix_rows banks "Sec. VI" 15.4 banks-4-rba banks-4 "gain of rba over 4 banks"
}

# spread SCENARIO SMS COMMAND...: cycles, and of what the sub-cores of an SM issue, standard deviation over mean, in the mean of the SMs
spread() {
	scenario=$1 sms=$2 names=kernel.0.cycles
	shift 2
	for sm in $(seq 0 $((sms - 1))); do
		for sub in 0 1 2 3; do
			names="$names sm[$sm].sub[$sub].issued"
		done
	done
	PRINT=$names
	values "$scenario" "$@" >"$OUT/spread" || exit 1
	PRINT=
	awk 'NR == 1 { cycles = $1; next }
		{ n++; sum += $1; squares += $1 * $1 }
		n == 4 { sms++; mean = sum / 4; total += sqrt(squares / 4 - mean * mean) / mean; n = sum = squares = 0 }
		END { printf "%d %.4f", cycles, total / sms }' "$OUT/spread"
}

# lengths NAME SMS RATIO WORK COMMAND...: gains and variation of a scenario under the three assignments, a line of subcore-rows.csv; sets
# srr, shuffle (gains), cov_rr, cov_srr
lengths() {
	name=$1 sms=$2 ratio=$3 work=$4
	shift 4
	for assign in rr srr shuffle; do
		result=$(spread "scenarios/subcore/$name.scn" "$sms" "symbol ratio = $ratio" "$@" "policy assign=$assign") || exit 1
		eval "$assign=${result% *} cov_$assign=${result#* }"
	done
	echo "$name,$ratio,$work,$rr,$srr,$shuffle,$(calc "$rr / $srr"),$(calc "$rr / $shuffle"),$cov_rr,$cov_srr,$cov_shuffle" >>"$OUT/subcore-rows.csv"
	srr=$(calc "($rr / $srr - 1) * 100") shuffle=$(calc "($rr / $shuffle - 1) * 100")
}

# One long warp in every four: 4.4 times as long as the others for the uncompressed tables, 100 times for the compressed ones.
group_rows() {
	echo "scenario,ratio,work,rr,srr,shuffle,srr_speedup,shuffle_speedup,cov_rr,cov_srr,cov_shuffle" >"$OUT/subcore-rows.csv"
	for ratio in 1.5 2 3 4.4 10 30 100; do
		lengths one-in-four 1 $ratio 12
		case $ratio in
		4.4) at=16 srr_paper=17.5 shuffle_paper=13.9 which=un cov="$cov_rr $cov_srr" ;;
		100) at=15 srr_paper=33.1 shuffle_paper=27.4 which= ;;
		*) continue ;;
		esac
		row "rows-srr-$ratio" "Fig. $at" % $srr_paper "$srr" "gain of skewed round robin, ratio $ratio (${which}compressed TPC-H)"
		row "rows-shuffle-$ratio" "Fig. $at" % $shuffle_paper "$shuffle" "gain of shuffle, ratio $ratio (${which}compressed TPC-H)"
	done
	row rows-cov-rr "Fig. 17" "" 0.80 "${cov% *}" "variation of issue, ratio 4.4: round robin"
	row rows-cov-srr "Fig. 17" "" 0.11 "${cov#* }" "variation of issue, ratio 4.4: skewed round robin"
	for work in 1 2 3 4 6 8 12 16 32; do
		lengths one-in-four-random 3 4.4 $work "symbol work = $work"
		case $work in
		3 | 12) row "rows-drawn-srr-$work" "Fig. 16" % 17.5 "$srr" "lengths drawn, $work rounds a row: gain of skewed round robin"
			row "rows-drawn-shuffle-$work" "Fig. 16" % 13.9 "$shuffle" "lengths drawn, $work rounds a row: gain of shuffle" ;;
		esac
		[ $work != 12 ] || cov="$cov_rr $cov_srr"
	done
	row rows-drawn-cov-rr "Fig. 17" "" 0.80 "${cov% *}" "variation of issue, lengths drawn: round robin"
	row rows-drawn-cov-srr "Fig. 17" "" 0.11 "${cov#* }" "variation of issue, lengths drawn: skewed round robin"
}

for group; do
	case $group in fma | ratio | kernels | mix | rows) ;; *) status=2 fail "no group '$group'; the groups are fma, ratio, kernels, mix and rows" ;; esac
done
mkdir -p "$OUT" || exit 1
rm -f "$OUT"/subcore*.svg "$OUT"/subcore*.csv
: >"$notes"
echo "group,figure,claim,unit,paper,ours,difference,direction,key,reason" >"$csv"
printf '%-8s %-66s %6s %8s %10s  %s\n' figure claim paper ours difference direction
for group in ${*:-fma ratio kernels mix rows}; do
	"group_$group"
done
awk '{ print "[" NR "] " $0 }' "$notes" | fold -s -w 130 | sed 's| *$||; s/^\([^[]\)/    \1/'
if [ $# -eq 0 ] && command -v gnuplot >/dev/null; then
	gnuplot -e "dir='$OUT'" tests/reproduce/subcore.gp || fail "gnuplot: status $?"
fi
for file in "$OUT"/subcore*; do
	echo "written: $file"
done
rm -f "$OUT/commands" "$OUT/output" "$OUT/errors" "$OUT/values" "$OUT/spread" "$times" "$mixes" "$notes"
