# Kernels of the library and of tests/reproduce beside a GPU.
#
# usage: kernels.sh list                  the scenarios
#        kernels.sh run                   them on the GPU of this machine, into $OUT/run-kernels.tsv
#        kernels.sh table PRESET [FILE]   ours on a preset beside FILE, or tests/silicon/measured/DEVICE-kernels.tsv, and the mean error
#        kernels.sh changes               on the GPU of this machine: kernels as they are and with a change (tests/silicon/changes.awk), into
#                                         $OUT/run-changes.tsv
#        kernels.sh changed PRESET [FILE] what each change saves, ours beside FILE, or tests/silicon/measured/DEVICE-changes.tsv
#        kernels.sh traced PRESET [N]     kernels (one in N) as a GPU's own instructions (tests/silicon/traces, with the control bits of their cubins),
#                                         ours beside the GPU that they were recorded on
#        kernels.sh traced_changes PRESET what each change saves, of kernels recorded with and without it
#        kernels.sh record NVBIT          record them on the GPU of this machine into $OUT/traces (NVBIT: the folder core of a release)
#        kernels.sh reasons PRESET        which limit of `limits`, lifted, halved or doubled, closes the gap of each recorded kernel that the
#                                         table of `traced PRESET` has more than 10 % off; as it is kept in measured/DEVICE-reasons.tsv
#        kernels.sh beyond PRESET         what is kept of that
#        kernels.sh counts                what the last tables came to, as it is kept in measured/*.counts
#
# Half of the scenarios, by a checksum of their names, are set aside: nothing is tuned to them, and their mean is told apart.
: "${BUILD:=build/release}" "${OUT:=build/silicon}"
export LC_ALL=C
here=tests/silicon
gpu=$BUILD/tests/gpu
mkdir -p "$OUT"

# Those that launch PTX and no other kernels, without textures, of which the driver makes none, and need no cooperative launch
list() {
	for file in scenarios/*.scn scenarios/course/*.scn scenarios/elf/*.scn scenarios/multi/*.scn scenarios/subcore/*.scn scenarios/tlp/*.scn \
		scenarios/vws/*.scn tests/reproduce/*.scn tests/reproduce/*/*.scn; do
		grep -Eq '^(synthetic|trace|texture)|kernels/gridsync' "$file" || echo "$file"
	done
}

# The clock comes first, as the first scenario found it.
measure() {
	"$gpu" $(cat) >"$OUT/run.out"
	awk '/cycles per ns/ { printf "# this machine: %.0f MHz\n", 1000 * $3; exit }' "$OUT/run.out"
	grep "$(printf '\t')" "$OUT/run.out"
}

run() {
	list | measure >"$OUT/run-kernels.tsv"
}

# The kernels with and without a change, as scenarios in $OUT/changes.
write_changes() {
	rm -rf "$OUT/changes"
	mkdir -p "$OUT/changes"
	awk -v root="$PWD" -v room="$OUT/changes" -f $here/changes.awk $here/whole.txt scenarios/labs/*.scn tests/shape/advice/cases.txt
}

changes() {
	write_changes
	ls "$OUT"/changes/*.scn | measure | sed 's|^[^	]*/||' >"$OUT/run-changes.tsv"
}

# find_measured PRESET WHAT [FILE]: $measured, the figures of the preset's device, or FILE
find_measured() {
	device=$(awk -F '\t' -v preset="$1" '$1 == preset { print $2 }' $here/devices.tsv)
	measured=${3:-$here/measured/${device%%|*}-$2.tsv}
	[ -f "$measured" ] || { echo "kernels.sh: there is no $measured" >&2; exit 2; }
}

table() {
	find_measured "$1" kernels "$2"
	: >"$OUT/$1-kernels.err"
	awk -F '\t' '!/^#/ && $2 ~ /^[0-9]+$/ { print $1 }' "$measured" | uniq | while read -r scenario; do
		"$gpu" -s "$1" "$scenario" 2>>"$OUT/$1-kernels.err" </dev/null
	done >"$OUT/$1-kernels.ours"
	awk -F '\t' '!/^#/ { print $1 }' "$OUT/$1-kernels.ours" | uniq | while read -r scenario; do
		echo "$scenario	$(($(echo "$scenario" | cksum | cut -d ' ' -f 1) % 2))"
	done >"$OUT/$1-kernels.halves"
	awk -f $here/kernels.awk "$OUT/$1-kernels.halves" "$OUT/$1-kernels.ours" "$measured" | tee "$OUT/$1-kernels.tsv" |
		awk -F '\t' 'NF < 7 { print; next } { printf "%-42s %-20s %6s %6s %9s %9s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
}

# play PRESET ARCHIVE [N]: ours of the recorded kernels of an archive (one folder in N): scenario, launch, kernel, cycles. Recorded kernels
# are numbered; `launches' says which launch of which scenario each was.
play() {
	rm -rf "$OUT/traces"
	mkdir -p "$OUT/traces"
	xz -dc "$here/traces/$2.tar.xz" | tar -xf - -C "$OUT/traces"
	ls -d "$OUT"/traces/* | awk -v each="${3:-1}" 'NR % each == 0' | while read -r room; do
		(cd "$room" && echo "trace kernelslist.g cubin" *.cubin >trace.scn)
		"$gpu" -s "$1" "$room/trace.scn" </dev/null | awk -F '\t' '
			FNR == NR { launch[FNR - 1] = $1 "\t" $2; next }
			$2 in launch { kernel[launch[$2]] = $3; cycles[launch[$2]] += $4 }
			END { for (l in cycles) print l "\t" kernel[l] "\t" cycles[l] }' "$room/launches" -
	done
}

traced() {
	play "$1" H200 "$2" >"$OUT/$1-traced.ours"
	cut -f 1 "$OUT/$1-traced.ours" | sort -u | while read -r scenario; do
		echo "$scenario	$(($(echo "$scenario" | cksum | cut -d ' ' -f 1) % 2))"
	done >"$OUT/$1-traced.halves"
	awk -f $here/kernels.awk "$OUT/$1-traced.halves" "$OUT/$1-traced.ours" $here/measured/H200-kernels.tsv | tee "$OUT/$1-traced.tsv" |
		awk -F '\t' 'NF < 7 { print; next } { printf "%-42s %-20s %6s %6s %9s %9s %8s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
}

# Two scenarios at a time.
reasons() {
	traced "$1" >/dev/null
	rm -rf "$OUT/reasons"
	mkdir -p "$OUT/reasons"
	awk -F '\t' 'NR > 1 && NF == 8 && ($6 > 1.1 * $5 || $6 < 0.9 * $5) { print $1 }' "$OUT/$1-traced.tsv" | uniq |
		xargs -n 1 -P 2 sh "$0" reasons_of "$1"
	cat "$OUT"/reasons/* >"$OUT/$1-reasons.runs"
	awk -f $here/reasons.awk "$OUT/$1-traced.tsv" "$OUT/$1-reasons.runs" | tee "$OUT/$1-reasons.tsv"
}

reasons_of() {
	room=$(echo "$2" | tr / -)
	"$gpu" -l "$1" "$OUT/traces/$room/trace.scn" </dev/null | awk -F '\t' -v OFS='\t' '
		FNR == NR { launch[FNR - 1] = $1 OFS $2; next }
		$2 in launch { split(launch[$2], of, OFS); print of[1], of[2], $3, $4, $5, $6 }' "$OUT/traces/$room/launches" - >"$OUT/reasons/$room"
}

beyond() {
	awk -F '\t' 'NR > 1 {
		sub(/^(scenarios|tests\/reproduce)\//, "", $1)
		sub(/\.scn$/, "", $1)
		why = ""
		for (i = 6; i + 2 <= NF; i += 3) why = why (why ? "; " : "") $i " " $(i + 1) ": " $(i + 2)
		printf "%-27s %-16s %5s  %s\n", $1, $2, $5, why ? why : "none"
	}' "$here/measured/$(echo "$1" | tr a-z A-Z)-reasons.tsv"
}

# A tracer of our own, for NVBit (github.com/NVlabs/NVBit): each launch of each scenario once, and what the assembler made of it.
record() {
	tracer=$OUT/tracer.so
	nvcc -I"$1" -Xptxas -astoolspatch --keep-device-functions -arch=native -Xcompiler -fPIC -c $here/tracer/inject.cu -o "$OUT/inject.o"
	nvcc -std=c++17 -I"$1" -O2 -Xcompiler -fPIC -c $here/tracer/tracer.cu -o "$OUT/tracer.o"
	nvcc -shared "$OUT/inject.o" "$OUT/tracer.o" -L"$1" -lnvbit -lcuda -o "$tracer" || exit 1
	list | while read -r scenario; do
		room=$OUT/traces/$(echo "$scenario" | tr / -)
		mkdir -p "$room"
		TRACES=$room CUDA_INJECTION64_PATH=$tracer "$gpu" -1 "$scenario" </dev/null | awk -F '\t' 'NF == 3' >"$room/launches"
	done
}

changed() {
	find_measured "$1" changes "$2"
	write_changes
	: >"$OUT/$1-changes.err"
	awk -F '\t' '!/^#/ && $2 ~ /^[0-9]+$/ { print $1 }' "$measured" | uniq | while read -r scenario; do
		"$gpu" -s "$1" "$OUT/changes/$scenario" 2>>"$OUT/$1-changes.err" </dev/null
	done | sed 's|^[^\t]*/||' >"$OUT/$1-changes.ours"
	judge "$1-changes" "$measured"
}

# judge NAME MEASURED: what changes save by $OUT/NAME.ours, beside that, into $OUT/NAME.tsv and as text
judge() {
	awk -f $here/changed.awk "$OUT/$1.ours" "$2" | tee "$OUT/$1.tsv" |
		awk -F '\t' 'NF < 7 { print; next } { printf "%-18s %-10s %8s %8s %8s %8s %6s %6s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
}

traced_changes() {
	play "$1" H200-changes >"$OUT/$1-traced-changes.ours"
	judge "$1-traced-changes" $here/measured/H200-changes.tsv
}

# The lines are long to make: `make silicon-kernels` and the long tests compare them (tests/shape/gpu.sh).
counts() {
	echo "h100: $(cat $here/measured/H100-kernels.counts)"
	echo "h100: $(cat $here/measured/H100-changes.counts)"
	echo "h200: $(cat $here/measured/H200-traced.counts)"
	echo "h200: $(cat $here/measured/H200-changed.counts)"
}

verb=$1
shift
case $verb in
list | run | table | changes | changed | traced | traced_changes | record | reasons | reasons_of | beyond | counts) "$verb" "$@" ;;
*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
