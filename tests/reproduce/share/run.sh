# One run of a load of this folder on `maxwell`, or of two beside each other, each a stream that begins again until the other is through.
#
# usage: run.sh alone LOAD SMS       prints: LOAD SMS, cycles, warp instructions, percent of slots that issued, CTAs that fit an SM
#        run.sh curve LOAD CTAS      with so many CTAs of an SM: LOAD CTAS, and of each launch the instructions it issues in 1000 cycles
#        run.sh pair A B WAY         prints: A B WAY, cycles of A and of B until it is through, decisions for SMs apart, equal parts, other parts, of
#                                    these those that are one CTA from equal, cycles in which CTAs moved, CTAs drained, flushed, saved, cycles in all
# Of pair, $OUT/runs/share/LOAD.options has what `launch` is told of each launch of LOAD (alone, curve), with | between. Epochs of Maestro are of
# ${EPOCH:-10000} cycles; ${SHARE:-tests/reproduce/share} has the loads.
here=${SHARE:-tests/reproduce/share}
into=$OUT/runs/share
run=$into/$(echo "$*" | tr ' ' '.')
mkdir -p "$into"

# part LOAD STREAM: its module, buffers and launches; buffers have the load's name before theirs
part() {
	awk -v stream="$2" -v load="$1" -v kernels="$PWD/scenarios/kernels" -v options="$(cat "$into/$1.options" 2>/dev/null)" '
		/^module/ { sub(/.*\//, kernels "/"); print "module " $0 }
		/^synthetic/ { print }
		/^buffer/ && !/ file / { buffers[$2]; $2 = load "_" $2; print }
		/^launch/ {
			args = 0
			for (i = 1; i <= NF; i++) {
				base = $i; sub(/\[.*/, "", base)
				if (args && base in buffers) $i = load "_" $i
				args = args || $i == "args"
			}
			split(options, option, "|")
			print $0 " stream " stream (n++ ? "" : " restart") " " option[n]
		}
		/^finally/ { exit }' $here/"$1".scn
}

# way NAME: a way of sharing, in lines for warpstep
way() {
	maestro="policy partition=maestro allocate=twoway"
	kernels="preempt=chimera rank=urgent"
	case $1 in
	even | smart | smk) echo "policy partition=$1 preempt=chimera" ;;
	smkpw) printf '%s\n' "policy smkpw" "policy preempt=chimera" ;;
	ws) printf '%s\n' "policy ws" "policy preempt=chimera" "set ws.profile table" ;;
	maestro) echo "$maestro $kernels,kernel-lrr" ;;
	none) echo "$maestro $kernels" ;;
	ipr | fair) echo "$maestro $kernels,kernel-$1" ;;
	rr) echo "$maestro $kernels order=lrr" ;;
	free) printf '%s\n' "$maestro preempt=switch rank=urgent,kernel-lrr" "set chimera.switch free" ;;
	esac
}

# go SCENARIO COMMAND...: $run.out
go() {
	scenario=$1
	shift
	for command in "$@"; do
		echo "$command"
	done >"$run.commands"
	"$WARPSTEP" -n -q --trust -b -x "$run.commands" -e quit "$scenario" >"$run.out" 2>"$run.errors" || {
		echo "reproduce: $run: status $? $(tail -n 1 "$run.errors")" >&2
		exit 255
	}
}

# fit LOAD: CTAs of it that fit an SM
fit() {
	cut -d' ' -f6 "$into/alone.$1.16.line"
}

case $1 in
alone)
	kernels=$(awk '/^launch/ { print $2 }' $here/"$2".scn | head -n 1)
	go $here/"$2".scn "set gpu.sms $3" "set engine.threads 1" restart run "info kernel $kernels" stats
	awk -v id="$2 $3" '/^occupancy: [0-9]/ { fit = $2 } { v[$1] = $2 }
		END { print id, v["cycle"], v["inst.warp"], 100 * v["slots.issued"] / v["slots.total"], fit }' "$run.out" >"$run.line"
	;;
curve)
	go $here/"$2".scn "set sm.ctas $3" "set engine.threads 1" restart run "stats kernel.*"
	awk -v id="$2 $3" '$1 ~ /[0-9].cycles$/ { c[n++] = $2 } $1 ~ /[0-9].inst.warp$/ { w[k++] = $2 }
		END { printf "%s", id; for (i = 0; i < n; i++) printf " %d", 1000 * w[i] / c[i]; print "" }' "$run.out" >"$run.line"
	;;
pair)
	{
		echo "gpu maxwell"
		part "$2" 0
		part "$3" 1
		printf '%s\n' "set engine.threads 1" "set preempt.ctas 1024" "set chimera.switch time" "set chimera.bound 16890" \
			"set multi.insts 4294967295" "set maestro.epoch ${EPOCH:-10000}"
		way "$4"
	} >"$run.scn"
	go "$run.scn" 'dprintf event epoch, "decided %d %d", kernel, ctas' 'dprintf event epochstart, "moved %d", cycles' run \
		"print launch[$(($(grep -c ' stream 0 ' "$run.scn") - 1))].through" "print launch[$(($(grep -c '^launch' "$run.scn") - 1))].through" \
		"print gpu.maestro.epochs_apart" "print gpu.maestro.epochs_even" "print gpu.maestro.epochs_other" stats
	awk -v id="$2 $3 $4" -v first="$(grep -c ' stream 0 ' "$run.scn")" -v fits="$(fit "$2") $(fit "$3")" '
		BEGIN { split(fits, fit, " ") }
		$1 == "decided" { even = int(fit[$2 < first ? 1 : 2] / 2); near += $3 == even + 1 || ($3 && $3 == even - 1) }
		$1 == "moved" { moved += $2 }
		/^[0-9]+$/ { t[n++] = $1 } { v[$1] = $2 }
		END { print id, t[0], t[1], t[2], t[3], t[4], near + 0, moved + 0, v["preempt.drains"], v["cta.flushed"], v["cta.saved"], v["cycle"] }' \
		"$run.out" >"$run.line"
	;;
esac
cat "$run.line"
