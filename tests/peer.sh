# One-instruction traces (tests/trace/kinds.txt) in Accel-Sim and in ours.
#
# usage: peer.sh theirs BINARY CONFIG COMMIT FILE...   Accel-Sim's cycles, for peer.tsv: BINARY simulates CONFIG, which FILEs configure
#        peer.sh ours PRESET [PATTERN...]              ours beside them: kind, SMs, warps, ours, peer, percent; $OUT/PRESET.traces keeps it
#        peer.sh raw CONFIG                            Accel-Sim's cycles of those that are benches: lines as silicon.sh run writes them
#        peer.sh runs                                  what is run of each kind: bench or `-', kind, threads, CTAs, times, SMs
#
# $KINDS, words: runs only kinds whose name holds one of them.
#
# Both have no launch latency. Accel-Sim's configurations before Turing lack the unit of uniform instructions: it has latency 4 and
# interval 1 here, as in the later ones. A row of peer.tsv: config, commit, bench or `-', kind, threads, CTAs, times, cycles, SMs.
: "${WARPSTEP:=$PWD/warpstep}" "${OUT:=build/silicon}"
export LC_ALL=C
here=tests/silicon
mkdir -p "$OUT"

# runs: of each kind 1, 4 and 16 warps of a sub-core, 128 times; a CTA of 16 warps on each of 16 SMs, 32 times,
# if it is of global memory and no chain; if there are copies and products in it, 4 warps on each of 1, 8 and 64 SMs;
# 512 CTAs of 8 warps that end soon; as its benches are, and 0 times.
runs() {
	awk -F '[ \t]*[|][ \t]*' '
	/^[ \t]*(#|$)/ { next }
	FNR == NR { n[$1] = $7; block[$1] = $6; next }
	{ print "-", $1, 128, 1, 128, 1; print "-", $1, 512, 1, 128, 1; print "-", $1, 1024, 2, 128, 1 }
	$1 == "int.dep" || $1 == "fp32.dep" { print "-", $1, 256, 512, 1, 1; print "-", $1, 256, 512, 4, 1 }
	$5 ~ /LDGSTS.*HMMA/ { for (b = 1; b <= 64; b *= 8) print "-", $1, 128, b, 32, b }
	$5 ~ /@(hit|miss|all|put|line|lane)/ && $1 !~ /dep$/ && $5 !~ /HMMA/ { print "-", $1, 512, 16, 32, 16 }
	{
		split($3, bench, " ")
		for (b = 1; b in bench; b++) {
			name = bench[b]
			sub(/([*]2|-1)$/, "", name)
			print name, $1, block[name], 1, n[name] * (bench[b] ~ /[*]2$/ ? 2 : 1) - (bench[b] ~ /-1$/), 1
			print "-", $1, block[name], 1, 0, 1
		}
	}' $here/benches.txt tests/trace/kinds.txt | awk -v kinds="$KINDS" '
		BEGIN { n = split(kinds, kind, " ") }
		{ wanted = !n; for (i = 1; i <= n; i++) wanted = wanted || index($2, kind[i]) }
		wanted && !seen[$0]++'
}

# theirs BINARY CONFIG COMMIT FILE...
theirs() {
	binary=$(realpath "$1") config=$2 commit=$3
	shift 3
	for file; do sed '$a\' "$file"; done >"$OUT/peer.config"
	grep -q '^-specialized_unit_4' "$OUT/peer.config" ||
		printf '%s\n' '-specialized_unit_4 1,4,4,4,4,UDP' '-trace_opcode_latency_initiation_spec_op_4 4,1' >>"$OUT/peer.config"
	printf '%s\n' '-gpgpu_kernel_launch_latency 0' >>"$OUT/peer.config"
	runs | while read -r bench kind threads ctas times sms; do
		sh tests/trace/generate "$OUT/trace" "$kind" "$threads" "$times" "$ctas"
		{ cat "$OUT/peer.config"; echo "-gpgpu_n_clusters $sms"; } >"$OUT/run.config"
		(cd "$OUT" && "$binary" -trace trace/kernelslist.g -config run.config) 2>&1 </dev/null |
			awk -v row="$config	$commit	$bench	$kind	$threads	$ctas	$times" -v sms="$sms" '
			$1 == "gpu_sim_cycle" { cycles = $3 }
			END { print row "\t" (cycles ? cycles : "-") "\t" sms }'
	done
}

# chosen PATTERN...: rows whose kind holds one of the patterns, or all
chosen() {
	awk -F '\t' -v patterns="$*" 'BEGIN { n = split(patterns, p, " ") }
	{ for (i = 1; i <= n || !n; i++) if (!n || index($4, p[i])) { print; next } }'
}

# ours PRESET [PATTERN...]
ours() {
	preset=$1
	config=$(awk -F '\t' -v preset="${1%%,*}" '$1 == preset { print $3 }' $here/devices.tsv)
	shift
	echo "$preset" | tr ',' '\n' | sed -e '1s/^/gpu /' -e '2,$s/^\(.*\)=/set \1 /' >"$OUT/peer.cmd"
	printf 'kind\tSMs\twarps\t%s\t%s\tpercent\n' "$preset" "$config" >"$OUT/$preset.traces"
	awk -F '\t' -v config="$config" '$1 == config && $3 == "-" && $7 > 0 && $8 != "-"' $here/peer.tsv | chosen "$@" |
		while IFS='	' read -r config commit bench kind threads ctas times cycles sms; do
			{ cat "$OUT/peer.cmd"
			printf '%s\n' "set gpu.sms $sms" 'set gpu.launch_latency 0' restart run 'print kernel.0.cycles' quit; } >"$OUT/run.cmd"
			sh tests/trace/generate "$OUT/trace" "$kind" "$threads" "$times" "$ctas"
			"$WARPSTEP" -n -q -x "$OUT/run.cmd" "$OUT/trace/kernelslist.g" 2>/dev/null </dev/null | grep -x '[0-9]*' |
				awk -v kind="$kind" -v sms="$sms" -v warps=$((threads * ctas / 32)) -v peer="$cycles" '
				{ printf "%s\t%d\t%d\t%d\t%d\t%+.0f %%\n", kind, sms, warps, $1, peer, 100 * ($1 / peer - 1) }'
		done >>"$OUT/$preset.traces"
	awk -F '\t' '{ printf "%-20s %4s %5s %9s %12s %8s\n", $1, $2, $3, $4, $5, $6 }' "$OUT/$preset.traces"
}

# raw CONFIG: without what 0 times take
raw() {
	awk -F '\t' -v config="$1" '
	$1 != config || $8 == "-" { next }
	$7 == 0 { none[$4, $5] = $8 }
	$3 != "-" { name[++n] = $3; of[n] = $4 SUBSEP $5; cycles[n] = $8 }
	END { for (i = 1; i <= n; i++) { c = cycles[i] - none[of[i]]; print name[i], c, c, c } }' $here/peer.tsv
}

verb=$1
shift
case $verb in
theirs | ours | raw | runs) "$verb" "$@" ;;
*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
