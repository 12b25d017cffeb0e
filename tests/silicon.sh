# Run the microbenchmarks of benches.txt in the simulator, or write them out for a GPU (host.cu).
#
# usage: silicon.sh run PRESET [PATTERN...]     a line for each bench: name, clk, own, time (or `-' and why there is no number)
#        silicon.sh values FILE                 such lines to values: name, value, unit
#        silicon.sh many                        for each line PRESET NAME of the input: name, value, unit
#        silicon.sh table PRESET [PATTERN...]   both, beside published.tsv, measured/ and peer.tsv; $OUT/PRESET.tsv keeps it; its counts
#        silicon.sh count PRESET...             those counts by the files alone: the line of counts.awk
#        silicon.sh counts                      of presets volta, a100, h100 and qv100, as text
#        silicon.sh write [PATTERN...]          every bench as $OUT/NAME.ptx, and $OUT/launches: name, sms, grid, block
#
# $BENCH_MACHINE: SMs and clock of PRESET, where they are known.
# PRESET is one of scenarios/gpu; settings follow it after commas: volta,lat.int=4. A bench that asks about one SM runs on a GPU of one.
: "${WARPSTEP:=$PWD/warpstep}" "${OUT:=build/silicon}"
export LC_ALL=C
here=tests/silicon
mkdir -p "$OUT"

# rows PATTERN...: name, SMs, grid and block of the benches whose name holds one of the patterns, or of all
rows() {
	echo "$*" | awk -F '[ \t]*[|][ \t]*' 'NR == FNR { n = split($0, pattern, / +/); next }
		/^[ \t]*(#|$)/ { next }
		{ is = n == 0
		  for (i = 1; i <= n; i++) is = is || index($1, pattern[i])
		  if (is) print $1, $4, $5, $6 }' - $here/benches.txt
}

# ptx NAME [1]: its program; 1: for an assembler that moves instructions
ptx() {
	awk -v want="$1" -v whole="$2" -f $here/gen.awk $here/benches.txt >"$OUT/$1.ptx"
}

# setup PRESET: the lines of a scenario for it
setup() {
	echo "gpu ${1%%,*}"
	case $1 in *,*) ;; *) return ;; esac
	kept_ifs=$IFS IFS=,
	for word in ${1#*,}; do echo "set ${word%=*} ${word##*=}"; done
	IFS=$kept_ifs
}

# machine PRESET: its SMs and its clock
machine() {
	setup "$1" >"$OUT/setup.cmd"
	"$WARPSTEP" -n -q -b -x "$OUT/setup.cmd" -e "set gpu.sms" -e "set gpu.clock" 2>/dev/null |
		awk '$1 == "gpu.sms" { sms = $2 } $1 == "gpu.clock" { clock = $2 } END { print sms, clock }'
}

# bytes SMS: of %buf
bytes() {
	echo $(($1 > 32 ? $1 * 262144 : 8388608))
}

# scenario PRESET NAME SMS: the bench as a scenario
scenario() {
	setup "$1"
	echo "set gpu.sms $3"
	echo "set gpu.launch_latency 0"
	echo "module $2.ptx"
	echo "buffer out u64[$((2 * grid * block / 32 + 2))] zero"
	echo "buffer buf u32[$(($(bytes "$3") / 4))] zero"
	echo "launch bench grid $grid block $block args out buf 1"
}

# clocks: from a run's JSON, "clk own time"
clocks() {
	awk '/"cmd":"print".*"value":[0-9]/ { time = $0; sub(/.*"value":/, "", time); sub(/[^0-9].*/, "", time); next }
		!sub(/.*"elements":\[/, "") { next }
		{
			sub(/\].*/, "")
			gsub(/,/, " ")
			for (i = 1; i < NF; i += 2) {
				if ($(i + 1) == 0) continue
				if (first == "" || $i < first) first = $i
				if ($(i + 1) > last) last = $(i + 1)
				if ($(i + 1) - $i > own) own = $(i + 1) - $i
			}
		}
		END { if (time == "") exit 1; print last - first, own, time }' "$1"
}

# prints N: commands that print N clocks, a thousand at a time, and the kernel's cycles
prints() {
	at=0
	while [ $at -lt "$1" ]; do
		echo "print out[$at..$((at + 1000 < $1 ? at + 999 : $1 - 1))]"
		at=$((at + 1000))
	done
	echo "print kernel.0.cycles"
}

# measure PRESET NAME SMS GRID BLOCK: its line
measure() {
	[ -n "$kept_ptx" ] && [ -e "$OUT/$2.ptx" ] || ptx "$2"
	grid=$4 block=$5
	case $grid in sms*) grid=$3${grid#sms} ;; *sms) grid=${grid%sms}$3 ;; esac
	grid=$(($grid)) # with the $: it may be 64*132
	scenario "$1" "$2" "$3" >"$OUT/$2.scn"
	warps=$((grid * ((block + 31) / 32)))
	prints $((2 * warps)) >"$OUT/print.cmd"
	"$WARPSTEP" -n -q -b -j -e run -x "$OUT/print.cmd" "$OUT/$2.scn" >"$OUT/$2.json" 2>"$OUT/$2.err"
	if numbers=$(clocks "$OUT/$2.json"); then
		echo "$2 $numbers"
	else
		echo "$2 - $(sed -e 's/^[^:]*:[0-9]*:[0-9]*: //' -e 1q "$OUT/$2.err")"
	fi
}

# known PRESET: its SMs and its clock in $all and $clock
known() {
	read -r all clock <<-END
		${BENCH_MACHINE:-$(machine "$1")}
	END
	[ -n "$all" ] || { echo "silicon.sh: no preset '$1'" >&2; exit 2; }
	echo "# $1 sms $all mhz $clock"
}

run() {
	preset=$1
	shift
	known "$preset"
	rows "$@" | while read -r name sms grid block; do
		case $sms in all) sms=$all ;; *) sms=1 ;; esac
		measure "$preset" "$name" "$sms" "$grid" "$block" </dev/null
	done
}

# many: a bench's program is made once
many() {
	cat >"$OUT/many"
	rm -f "$OUT"/*.ptx
	kept_ptx=1
	rows | awk 'NR == FNR { row[$1] = $2 " " $3 " " $4; next } { print $1, $2, row[$2] }' - "$OUT/many" |
		while read -r preset name sms grid block; do
			known "$preset"
			case $sms in all) sms=$all ;; *) sms=1 ;; esac
			measure "$preset" "$name" "$sms" "$grid" "$block" </dev/null
		done >"$OUT/many.raw"
	values "$OUT/many.raw"
}

# values FILE: the expressions of benches.txt become a program of awk
values() {
	awk -F '[ \t]*[|][ \t]*' '
	BEGIN { print "/^#/ { mhz = $6; all = $4; next }\n$2 == \"-\" { print $1 \"\\t-\\t-\"; next }\n{ clk = $2; own = $3; time = $4 }" }
	/^[ \t]*(#|$)/ { next }
	{
		printf "$1 == \"%s\" { sms = \"%s\" == \"all\" ? all : 1; ctas = %s; threads = %s; n = %s; warps = int((threads + 31) / 32); ", $1, $4, $5, $6, $7
		printf "v[$1] = %s; printf \"%%s\\t%%.4g\\t%s\\n\", $1, v[$1] }\n", $2, $3
	}' $here/benches.txt >"$OUT/values.awk"
	awk -f "$OUT/values.awk" "$1"
}

# table PRESET [PATTERN...]: ours beside what is published of its device, what was measured on one, and Accel-Sim, as text; $OUT/PRESET.tsv
# has it too
table() {
	device=$(awk -F '\t' -v preset="${1%%,*}" '$1 == preset { print $2 }' $here/devices.tsv)
	run "$@" >"$OUT/$1.raw"
	values "$OUT/$1.raw" >"$OUT/$1.values"
	: >"$OUT/measured.values"
	[ ! -f "$here/measured/${device%%|*}.raw" ] || values "$here/measured/${device%%|*}.raw" >"$OUT/measured.values"
	sh tests/peer.sh raw "$(awk -F '\t' -v preset="${1%%,*}" '$1 == preset { print $3 }' $here/devices.tsv)" >"$OUT/peer.raw"
	values "$OUT/peer.raw" >"$OUT/peer.values"
	by=$(judged "$1")
	set -- "$1" "$OUT/$1.values" "$OUT/measured.values" "$OUT/peer.values" $here/reasons.tsv $here/fits.tsv $here/published.tsv
	preset=$1
	shift
	for want in "" far counts; do
		awk -v preset="$preset" -v device="$device" -v want=$want -v by="$by" -f $here/table.awk "$@" >"$OUT/$preset.${want:-tsv}"
	done
	awk -F '\t' '{ printf "%-28s %-16s %9s %9s %14s %9s %8s %9s %8s  %s%s%s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9,
		$11, $10 == "" ? "" : NR == 1 ? " -- fit" : " -- fit: " $10, $12 == "" ? "" : " -- " $12 }' "$OUT/$preset.tsv"
	said <"$OUT/$preset.counts"
}

# judged PRESET: by what its benches are judged
judged() { case ${1%%,*} in qv100) echo peer ;; *) echo published ;; esac; }

# said: lines of counts as text
said() {
	while IFS='	' read -r preset fits fits_near others others_near spread; do
		source="the nearest source"
		[ "$(judged "$preset")" = published ] || source=Accel-Sim
		printf '%-6s %2d of %2d fits, %2d of %2d others within 10 %% of %s' "$preset:" "$fits_near" "$fits" "$others_near" "$others" "$source"
		[ "$spread" = 0 ] && echo || echo " ($spread over a third off another)"
	done
}

# count PRESET...: the counts of a table by the files alone, without running it
count() {
	for preset; do
		by=published
		[ "$(judged "$preset")" = published ] || by=peer
		awk -v preset="$preset" -v device="$(awk -F '\t' -v p="$preset" '$1 == p { print $2 }' $here/devices.tsv)" \
			-v config="$(awk -F '\t' -v p="$preset" '$1 == p { print $3 }' $here/devices.tsv)" \
			-f $here/counts.awk $here/benches.txt $here/reasons.tsv $here/fits.tsv $here/$by.tsv
	done
}

# counts: of the presets that stand for hardware, and of Accel-Sim's, as text
counts() { count volta a100 h100 qv100 | said; }

# write [PATTERN...]: programs and launches, for host.cu
write() {
	rows "$@" >"$OUT/launches"
	while read -r name rest; do ptx "$name" 1; done <"$OUT/launches"
}

verb=$1
shift
case $verb in
run | values | many | table | count | counts | write) "$verb" "$@" ;;
*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
