# What is computed of Table 4.2 of Park, 2016 (tests/reproduce/preempt): switching times, closed forms of missed deadlines; and that synthetic
# kernels made from it are as the table says, and do as the closed forms say.
. tests/tap
OUT=$LOG/chimera
export OUT
here=tests/reproduce/preempt
mkdir -p "$OUT"
table() { # CONDITION over $1 kernel $2 drain $3 context $4 blocks $5 switch $6 idempotent $7 percent: true of all 27
	awk -F, '/^#/ || $1 == "kernel" { next } { n++; if (!('"$1"')) { print "# " $0; bad = 1 } } END { exit bad || n != 27 }' $here/kernels.csv
}

holds "switching times are those of floor(kB) to floor(kB) + 1, but for 0.05 us" \
	table '$5 > $3 * $4 * 1024 * 30 / 177408 - 0.05 && $5 < ($3 + 1) * $4 * 1024 * 30 / 177408 + 0.05'
holds "of 8 kernels they are below it" \
	awk -F, '/^#/ || $1 == "kernel" { next } $5 < $3 * $4 * 1024 * 30 / 177408 { n++ } END { exit n != 8 }' $here/kernels.csv
holds "their mean is 14.5 us, that of drains 891.5; 13 are idempotent" \
	awk -F, '/^#/ || $1 == "kernel" { next } { s += $5; d += $2; i += $6 == "yes"; n++ } END { exit !(int(s / n * 10 + 0.5) == 145 && int(d / n * 10 + 0.5) == 8915 && i == 13) }' $here/kernels.csv
holds "idempotent is what has no other part" table '($6 == "yes") == ($7 == 100)'

# closed WAY PERCENT AT 5 10 15 20 US
awk -f $here/closed.awk $here/kernels.csv >"$OUT/closed.csv"
closed() {
	holds "closed form of $1: $2 $3 $4 $5 %" awk -F, -v way="$1" -v want="$2 $3 $4 $5" '
		BEGIN { split(want, w, " "); at[5] = 1; at[10] = 2; at[15] = 3; at[20] = 4 }
		$1 == "mean" && $3 == way { n++; d = $4 - w[at[$2]]; if (d > 0.05 || d < -0.05) bad = 1 } END { exit bad || n != 4 }' "$OUT/closed.csv"
}
closed switch 97.6 92.9 58.3 13.1
closed drain 71.7 64.2 61.9 55.2
closed flush 6.6 6.6 6.6 6.6
closed strict 50 50 50 50
closed chimera 0.33 0.30 0.00 0.00

# The kernels that are made: block time and switching time within 2 %, as many blocks, the idempotent part to a step.
for kernel in BP.1 BT.0 LUD.1 HW.0 SAD.2; do
	sh $here/measure.sh $kernel >"$OUT/line"
	holds "$kernel is as the table says" awk -F, 'function near(a, b) { return a > b * 0.98 - 0.01 && a < b * 1.02 + 0.15 }
		{ n++; if (!near($3, $2) || !near($5, $4) || $6 != $7 || $9 < $8 || $9 > $8 + 10) bad = 1 } END { exit bad || n != 1 }' "$OUT/line"
done

# run KIND KERNEL WAY BOUND REQUESTS: requests missed, and SMs that were late
run() {
	sh $here/run.sh "$@" | awk '{ print $6 "/" $5, $7 }'
}
holds "a switch of 15.9 us misses 15 us" [ "$(run fresh BT.0 switch 15 4)" = "4/4 60" ]
holds "a switch of 14.5 us does not" [ "$(run fresh FWT.1 switch 15 4)" = "0/4 0" ]
holds "a drain of 14.4 us does not" [ "$(run fresh FWT.1 drain 15 4)" = "0/4 0" ]
holds "nor chimera, whichever it takes" [ "$(run fresh LUD.1 chimera 15 6)" = "0/6 0" ]
holds "nor the flush of an idempotent block" [ "$(run fresh BS.0 strict 15 4)" = "0/4 0" ]
holds "drains of 244 us miss" [ "$(run fresh ST.0 drain 15 3 | cut -d' ' -f1)" = 3/3 ]
sh $here/run.sh periodic KM.1 none 15 4 >"$OUT/none"
for way in drain switch flush; do
	sh $here/run.sh periodic KM.1 $way 15 4 >"$OUT/$way"
done
holds "a task of 200 us every millisecond on half of the SMs takes a tenth; a flush loses more than a switch" \
	sh -c 'awk "NR == 1 { all = \$8 } NR > 1 { lost[NR] = 1 - \$8 / all } END { exit !(lost[2] > 0.09 && lost[2] < 0.12 && lost[3] > lost[2] && lost[3] > 0.09 && lost[3] < 0.14) }" "$1/none" "$1/switch" "$1/flush"' sh "$OUT"
exit $failed
