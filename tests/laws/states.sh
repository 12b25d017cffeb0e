# What every scenario comes to, cycle for cycle: state hashes on the way and at the end, and every statistic, against states.txt.
#
# A line of states.txt: scenario and options, "|", then name=value: the state hashes at cycles 300 and 3000 and at the end, and
# the statistics that are not 0. Its first line names all statistics that were there when it was written; others are new
# and not compared, so that neither a new statistic nor a new field, event or setting needs a new file. Scenarios of more than
# 30,000 warp instructions run to cycle 3000 only; with WARPSTEP_MORE those of more than 300,000, with WARPSTEP_LONG or when the file is
# written none. One that is run to its end as it is must hold its own checks.
# `make goldens KEEP=yes` writes it anew: only a change of the model itself may ask for that, and its commit says why.
. tests/tap
want=tests/laws/states.txt

# Scenarios as they are, then some under other policies and settings.
rows() {
	ls scenarios/*.scn scenarios/*/*.scn tests/ptx/*.scn tests/laws/*.scn
	for order in lrr two-level oldest rba; do
		for name in matmul bfs reduce spmv; do
			echo "scenarios/$name.scn -e policy+order=$order"
		done
	done
	for name in matmul bfs reduce spmv; do
		echo "scenarios/$name.scn -e policy+elf"
	done
	echo "scenarios/matmul.scn -e policy+assign=srr"
	echo "scenarios/sgemm.scn -e policy+assign=shuffle"
	echo "scenarios/match.scn -e policy+extra=steal"
	echo "tests/laws/exits.scn -e policy+extra=steal"
	echo "scenarios/histogram256.scn -e gpu+qv100 -e set+gpu.sms+16"
	echo "scenarios/histogram256.scn -e gpu+a100 -e set+gpu.sms+4"
	echo "scenarios/pipeline.scn -e gpu+h100 -e set+gpu.sms+2"
	echo "scenarios/bfs.scn -e gpu+fermi"
	echo "scenarios/transpose.scn -e gpu+gt200"
	echo "scenarios/spmv.scn -e gpu+kepler"
	echo "scenarios/lbm.scn -e gpu+maxwell"
	echo "scenarios/conv2d.scn -e gpu+volta -e set+l1d.unified+131072"
	echo "scenarios/nw.scn -e set+gpu.launch_latency+500"
	echo "scenarios/lud.scn -e set+const.perfect+off"
	echo "scenarios/saxpy.scn -e gpu+i-vws-group -e set+sm.collectors+2 -e set+lsu.loads+20"
	echo "scenarios/nbody.scn -e set+collector.writes+on -e set+collector.late+on"
}

# One row's line. In an option "+" stands for the space between two words (the options of rows() have no other).
state() {
	scenario=$1
	shift
	[ $# -gt 0 ] || set -- -e "echo"
	n=$#
	while [ "$n" -gt 0 ]; do
		word=$1
		case $word in *+*) word=$(echo "$word" | sed 's/+/ /g') ;; esac
		shift
		set -- "$@" "$word"
		n=$((n - 1))
	done
	[ -n "$beginning" ] || set -- "$@" -e 'goto 300' -e hash -e 'goto 3000' -e hash -e run -e hash -e "stats all"
	[ -z "$beginning" ] || set -- "$@" -e 'goto 300' -e hash -e 'goto 3000' -e hash -e quit
	{ "$WARPSTEP" -n -q -b --trust "$@" "$scenario" 2>/dev/null </dev/null; echo " status=$?"; } |
		awk '/^ status=/ { status = $0; next }
			/^[0-9a-f]+$/ && length($0) == 16 && hashes < 3 { printf " hash%d=%s", ++hashes, $0; next }
			hashes == 3 && $1 ~ /^[a-z0-9]+(\.[a-z0-9_]+)*$/ && $1 !~ /^(host\.|config\.hash)/ && $2 != "0" && $2 != "-" && !($1 in had) {
				had[$1]; printf " %s=%s", $1, $2 }
			END { print status == " status=0" ? "" : status }'
}

# One row's line into a file.
if [ "$1" = --one ]; then
	beginning=$4
	line=$(state $2)
	[ -z "$WARPSTEP_GOLDENS" ] || line="$2 |$line"
	echo "$line" >"$3"
	exit
fi

# differences: of all rows, why their lines differ from those of the file: number of the row, and names that stand there or in its first
# line. Of those of $out/jobs that are run to their beginning the first hashes.
differences() {
	awk -F '\t' -v out="$out" '
		FNR == 1 { file++ }
		file == 1 && FNR == 1 { n = split($0, word, " "); for (i = 1; i <= n; i++) known[word[i]]; next }
		file == 1 { at = index($0, " |"); line[substr($0, 1, at - 1)] = substr($0, at + 2); next }
		function read_into(text, into,   n, pair, word, i) {
			n = split(text, word, " ")
			for (i = 1; i <= n; i++) { split(word[i], pair, "="); into[pair[1]] = pair[2] }
		}
		{
			row = $1; beginning = $2; text = ""
			getline text <(out "/" FNR)
			close(out "/" FNR)
			if (!(row in line)) { print FNR "\tstates.txt has no such row"; next }
			split("", want); split("", got)
			read_into(line[row], want)
			read_into(text, got)
			if (beginning) for (k in want) if (k != "hash1" && k != "hash2") delete want[k]
			for (k in want) if (got[k] != want[k]) print FNR "\t" k " " (got[k] == "" ? 0 : got[k]) ", not " want[k]
			for (k in got) if (!(k in want) && k in known) print FNR "\t" k " " got[k] ", not 0"
			ends = row ~ /faults\/(overflow|barrier)/ ? 3 : row ~ /(faults\/lock|labs\/12-deadlock)/ ? 4 : ""
			if (!beginning && got["status"] != ends) print FNR "\tit ends with status " got["status"] + 0 ", not " ends + 0
		}' "$want" "$out/jobs" | sort
}

[ -d "$LOG" ] || { echo "\$LOG is not set: tests/run.sh runs this"; exit 1; }
out=$LOG/states
rm -rf "$out" && mkdir -p "$out"
rows >"$out/rows"
awk -v all="$WARPSTEP_LONG$WARPSTEP_GOLDENS" -v most="${WARPSTEP_MORE:+300000}" '
	NR == FNR { if (all == "" && match($0, / inst\.warp=[0-9]+/) && substr($0, RSTART + 11, RLENGTH - 11) + 0 > (most ? most : 30000) + 0) long[substr($0, 1, index($0, " |") - 1)]; next }
	{ print $0 "\t" ($0 in long ? "beginning" : "") }' "$want" "$out/rows" >"$out/jobs"
awk -F '\t' -v out="$out" '{ printf "%s%c%s/%d%c%s%c", $1, 0, out, NR, 0, $2, 0 }' "$out/jobs" | xargs -0 -n 3 -P "$(nproc)" sh "$0" --one

if [ -n "$WARPSTEP_GOLDENS" ]; then
	"$WARPSTEP" -n -q -b -e "stats all" scenarios/vecadd.scn </dev/null | awk '$1 ~ /^[a-z0-9]+(\.[a-z0-9_]+)*$/ && NF > 1 && $1 !~ /^(host\.|config\.hash)/ {
		printf "%s%s", n++ ? " " : "", $1 } END { print "" }' >"$want"
	n=0
	while read -r row; do n=$((n + 1)); cat "$out/$n"; done <"$out/rows" >>"$want"
fi
[ -n "$WARPSTEP_GOLDENS" ] || differences >"$out/differences"
n=0
while read -r row; do
	n=$((n + 1)) why=
	[ -n "$WARPSTEP_GOLDENS" ] && { grep -q hash3= "$out/$n"; report "$row: written" $?; continue; }
	[ ! -s "$out/differences" ] || why=$(sed -n "s/^$n	//p" "$out/differences" | head -n 4 | tr '\n' ';')
	[ -s "$out/$n" ] && [ -z "$why" ]
	report "$row" $? "$why"
done <"$out/rows"
exit $failed
