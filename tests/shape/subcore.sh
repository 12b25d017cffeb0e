# The shapes of "Mitigating GPU Core Partitioning Performance Effects" (Barnes, Shen, Rogers, HPCA 2023): what the assignment of warps to
# sub-cores costs, what the register-file banks let through. Ratios of cycles, each with the bounds in which it must lie.
# more: kernels run to their ends on several machines
. tests/tap

# cycles SCENARIO COMMAND...: cycles of its kernels, one a line, after the commands
cycles() {
	scenario=scenarios/subcore/$1.scn
	shift
	set -- "$@" restart run 'print kernel.0.cycles'
	case $scenario in
	*/bank-conflict.scn) set -- "$@" 'print kernel.1.cycles' 'print kernel.2.cycles' 'print kernel.3.cycles' ;;
	*/operand-mix.scn) set -- "$@" 'print kernel.1.cycles' ;;
	esac
	for command; do
		echo "$command"
	done >"$LOG/shape.cmd"
	"$WARPSTEP" -n -q "$scenario" <"$LOG/shape.cmd" 2>/dev/null | grep '^[0-9][0-9]*$'
}

# within NAME VALUE OVER LOW HIGH: LOW <= VALUE / OVER <= HIGH
within() {
	ratio=$(echo "$2 $3" | awk '$2 > 0 { printf "%.4f", $1 / $2 }')
	echo "${ratio:-none} $4 $5" | awk '{ exit !($1 != "none" && $1 >= $2 && $1 <= $3) }'
	report "$1: ${ratio:-no cycles}, wanted $4..$5" $?
}

base=$(cycles fma-baseline)
within "balanced / baseline" "$(cycles fma-balanced)" "$base" 0.98 1.02
within "unbalanced / baseline, rr" "$(cycles fma-unbalanced)" "$base" 3.8 4.1
within "unbalanced / baseline, srr" "$(cycles fma-unbalanced 'policy assign=srr')" "$base" 0.98 1.02
within "unbalanced / baseline, table of srr" "$(cycles fma-unbalanced 'policy assign=table')" "$base" 0.98 1.02
within "unbalanced / baseline, two sub-cores" "$(cycles fma-unbalanced 'set sm.subcores 2')" \
	"$(cycles fma-baseline 'set sm.subcores 2')" 1.9 2.05
# (in one sub-core every fourth warp has its registers in two banks in eight, if a warp's number turns them)
for gpu in kepler monolithic; do
	set -- "gpu $gpu" 'set gpu.sms 1' 'set sm.bank_swizzle off'
	within "unbalanced / baseline, $gpu: one sub-core" "$(cycles fma-unbalanced "$@")" "$(cycles fma-baseline "$@")" 0.97 1.03
done

# where all warps read the same two registers gto keeps four of them on few of eight banks: by turns, or with 32 collector units, the
# fully connected SM is as fast as the partitioned one
for row in '1.45 1.6' '0.97 1.02 policy+order=lrr' '0.97 1.02 set+sm.collectors+32' '1.2 1.45 set+sched.pool+static'; do
	set -- $row
	within "fully connected / partitioned, one pair of registers${3:+, $(echo "$3" | tr + ' ')}" \
		"$(cycles fma-baseline 'gpu monolithic' 'set gpu.sms 1' ${3:+"$(echo "$3" | tr + ' ')"})" "$base" "$1" "$2"
done

[ -n "$WARPSTEP_LONG" ] && seeds=24 || seeds=6
# shuffle over 24 seeds, in a quick run 6: 2.13 in the mean with tables of 4 entries, which wrap around, and 1.77 with those of 16
for entries in 4 16; do
	total=0 seed=1
	while [ $seed -le $seeds ]; do
		set -- 'policy assign=shuffle' "set shuffle.seed $seed" "set shuffle.entries $entries"
		total=$((total + $(cycles fma-unbalanced "$@")))
		seed=$((seed + 1))
	done
	case $entries in
	4) set -- 1.95 2.35 ;;
	*) set -- 1.6 1.95 ;;
	esac
	within "unbalanced / baseline, shuffle of $entries, mean of $seeds seeds" $total $((base * seeds)) "$1" "$2"
done

# lengths drift apart: the loss of rr against srr grows towards 4
within "ratio 1.5: rr / srr" "$(cycles fma-imbalance 'symbol ratio = 1.5')" \
	"$(cycles fma-imbalance 'symbol ratio = 1.5' 'policy assign=srr')" 1.25 1.4
within "ratio 100: rr / srr" "$(cycles fma-imbalance 'symbol ratio = 100')" \
	"$(cycles fma-imbalance 'symbol ratio = 100' 'policy assign=srr')" 3.7 4.0

# 8 warps x 1024 multiply-adds a sub-core at 2/3, 1/2 and 1/3 of an instruction per cycle, and what comes before and after them
set -- $(cycles bank-conflict)
within "2 + 1 and 1 + 2 operands in turn" "$1" 12288 1 1.06
within "2 + 1 operands" "$2" 16384 1 1.06
within "all operands in one bank" "$3" 24576 1 1.06
within "operands by chance: 0.55 instructions per cycle" 8192 "$4" 0.53 0.57

# operands by chance: the order of warps, collector units and banks each let more through; stealing finds no free collector unit
gto=$4
gain() {
	name=$1 low=$2 high=$3
	shift 3
	set -- "$name" $(cycles bank-conflict "$@") $low $high
	within "$1" "$gto" "$5" "$6" "$7"
}
gain "gain of rba" 1.04 1.12 'policy order=rba'
gain "gain of rba, a cycle late" 1.03 1.12 'policy order=rba' 'set rba.delay 1'
gain "gain of 4 collector units" 1.04 1.12 'set sm.collectors 4'
gain "gain of 8 collector units" 1.07 1.12 'set sm.collectors 8'
gain "gain of 16 collector units" 1.08 1.13 'set sm.collectors 16'
gain "loss with 1 collector unit" 0.7 0.85 'set sm.collectors 1'
gain "gain of 4 banks" 1.25 1.4 'set sm.banks 4'
gain "gain of bank stealing" 0.99 1.01 'policy extra=steal'
gain "gain of rba, fully connected" 1.04 1.12 'gpu monolithic' 'set gpu.sms 1' 'set unit.fp32.interval 1' 'policy order=rba'

# integer and single precision mixed at volta's own rates: demands for banks that complement each other are what rba finds; scores
# that are old, and an order without a reason, find less; eight banks for all need it more than two for each sub-core
set -- $(cycles operand-mix)
chance=$1 phases=$2
mix() {
	name=$1 low0=$2 high0=$3 low1=$4 high1=$5
	shift 5
	set -- "$name" $(cycles operand-mix "$@")
	within "$1: operands by chance" "$chance" "$2" "$low0" "$high0"
	within "$1: in phases" "$phases" "$3" "$low1" "$high1"
}
mix "rba" 1.03 1.15 1.2 1.5 'policy order=rba'
mix "rba, five cycles late" 0.97 1.05 1.1 1.3 'policy order=rba' 'set rba.delay 5'
mix "rba, 20 cycles late" 0.9 1 1 1.15 'policy order=rba' 'set rba.delay 20'
mix "lrr" 0.85 0.95 0.9 1 'policy order=lrr'
mix "fully connected" 0.85 1 1.05 1.3 'gpu monolithic' 'set gpu.sms 1'
mix "fully connected, rba" 1.05 1.2 1.3 1.7 'gpu monolithic' 'set gpu.sms 1' 'policy order=rba'
exit $failed
