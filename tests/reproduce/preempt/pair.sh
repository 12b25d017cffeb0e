# One pair: LUD, 512 x 512 in blocks of 16, beside another benchmark, each a stream of synthetic kernels (kernels.csv) that begins again until the other has
# ended once. The other's kernels follow each other, each with as many blocks as take 2 ms on all SMs, or one wave: the thesis does not say how many
# they are.
# usage: pair.sh BENCHMARK WAY, with WAY fcfs or a way of preempting; prints: BENCHMARK WAY ANTT STP
here=tests/reproduce/preempt
run=$OUT/runs/preempt/pair.$1.$2
mkdir -p "$OUT/runs/preempt"
case $2 in fcfs) policy="partition=fcfs" ;; *) policy="partition=smart preempt=$2" ;; esac
kernels=$(awk -F, -v b="$1" '!/^#/ && index($1, b ".") == 1 { print $1 }' $here/kernels.csv)
make() { # KERNEL NAME
	awk -f $here/kernel.awk -v kernel="$1" -v bound=30 $here/kernels.csv | sed -n "s/^synthetic victim/synthetic $2/; s/stagger on/stagger off/; /^synthetic/p"
}
{
	echo "gpu chimera"
	for k in $kernels; do make $k "other_${k#*.}"; done
	for i in 0 1 2; do make LUD.$i lud_$i; done
	first=restart
	for k in $kernels; do
		awk -f $here/kernel.awk -v kernel="$k" -v bound=30 $here/kernels.csv | awk -v name="other_${k#*.}" -v first="$first" '
			/^synthetic/ { time = $4 / 1400 } /^launch/ { n = int(2000 / time + 0.5); if (n < 1) n = 1; print "launch " name " grid " $4 / 8 * n " block " $6 " " first }'
		first=
	done
	awk 'BEGIN { for (i = 31; i > 0; i--) { print "launch lud_0 grid 1 block 32 stream 1" (i == 31 ? " restart" : "")
		print "launch lud_1 grid " i " block 32 stream 1"; print "launch lud_2 grid " i "," i " block 32 stream 1" } print "launch lud_0 grid 1 block 32 stream 1" }'
	printf '%s\n' "set l1i.perfect on" "set engine.threads 1" "set preempt.ctas 480" "set chimera.switch time" "set chimera.bound 42000" "policy $policy"
} >"$run.scn"
"$WARPSTEP" -n -q -b -e run -e 'alone streams' -e quit "$run.scn" >"$run.out" 2>"$run.errors" || exit 255
awk -v id="$1 $2" '/^ANTT/ { print id, $2, $4 }' "$run.out" >"$run.line"; cat "$run.line"
