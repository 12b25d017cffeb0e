# A GPU slice answers for the whole GPU: the first limit that `limits` names is the same, if each SM has as many CTAs.
#
# In a quick run four on preset maxwell, whose 16 SMs are soon simulated, and one on volta, where DRAM limits most of them; with
# WARPSTEP_LONG all of them on either, on volta beside its slice of 5 SMs.
# Known to differ, and in neither list: on fermi, similarity and transpose_naive, which interconnect bandwidth limits on the whole GPU
# a little more than what comes next. Six L2 slices of which 15 SMs ask by chance are seldom all busy, two of 5 SMs are more often:
# with fewer L2 slices there are fewer collisions, and the next limit comes first.
# more: whole GPUs beside slices of them
. tests/tap

# scene KERNEL SMS: its module, buffers and launch, in proportion to the SMs
scene() {
	k=scenarios/kernels n=$2
	case $1 in
	saxpy) e=$((n * 1024)) && echo "module $k/saxpy.ptx
		buffer x f32[$e] random 21 -8 8 integer
		buffer y f32[$e] random 22 -8 8 integer
		launch saxpy grid $((8 * n)) block 128 args x y 2.5 $e" ;;
	stream) e=$((n * 4096)) && echo "module $k/memory.ptx
		buffer in f32[$((4 * e))] fill 1
		buffer out f32[$((n * 512))]
		launch stream grid $((2 * n)) block 256 args in out $e" ;;
	vecadd) e=$((n * 1536)) && echo "module $k/vecadd.ptx
		buffer a f32[$e] fill 1
		buffer b f32[$e] fill 1
		buffer c f32[$e]
		launch vecadd grid $((6 * n)) block 256 args a b c $e" ;;
	reduce) e=$((n * 2048)) && echo "module $k/reduce.ptx
		buffer a s32[$e] iota
		buffer p s32[$((4 * n))]
		launch reduce grid $((4 * n)) block 256 args a p $e" ;;
	noise) e=$((n * 256)) && echo "module $k/noise.ptx
		buffer p f64[$e] random 116 -10 10
		buffer s s32[$e] random 117 1 2000000000 integer
		launch noise grid $((2 * n)) block 128 args p s $e" ;;
	haar) e=$((n * 1024)) && echo "module $k/haar.ptx
		buffer in f32[$e] random 121 -100 100 integer
		buffer d f32[$e]
		buffer m f32[$((2 * n))]
		launch haar grid $((2 * n)) block 256 args in d m $e" ;;
	similarity) e=$((n * 512)) && echo "module $k/similarity.ptx
		buffer document f32[$((16 * e))] random 128 -8 8 integer
		buffer query f32[16] random 129 -8 8 integer
		buffer score f32[$e]
		launch similarity grid $((4 * n)) block 128 args document query score $e" ;;
	transpose) echo "module $k/transpose.ptx
		buffer a f32[$((n * n * 1024))] random 31 0 1000
		buffer o f32[$((n * n * 1024))]
		launch transpose_naive grid $n,2 block 32,8 args a o $((32 * n))" ;;
	histogram) e=$((n * 3072)) && echo "module $k/histogram256.ptx
		buffer data u8[$e] random 65 0 60 integer
		buffer bins u32[256] zero
		launch histogram256 grid $((2 * n)) block 192 args data bins $((e / 4))" ;;
	shuffle) e=$((n * 1000)) && echo "module $k/shuffle.ptx
		buffer in s32[$e] random 62 -100 100 integer
		buffer p s32[$((2 * n))]
		launch shuffle_sum grid $((2 * n)) block 160 args in p $e" ;;
	esac
}

# first KERNEL SMS SETUP: the first row of `limits` on a GPU, the limit that costs most
first() {
	{
		echo "$3"
		scene "$1" "$2"
		echo limits
	} >"$LOG/slice.cmd"
	"$WARPSTEP" -n -q --plain <"$LOG/slice.cmd" 2>&1 | awk 'head { print $1; exit } $1 == "limit" { head = 1 }'
}

# same PRESET WHOLE SMS KERNEL...
same() {
	gpu=$1 all=$2 some=$3
	shift 3
	for kernel; do
		whole=$(first "$kernel" "$all" "gpu $gpu") slice=$(first "$kernel" "$some" "gpu $gpu sms $some")
		[ -n "$whole" ] && [ "$whole" = "$slice" ]
		report "$kernel on $gpu and its slice of $some SMs: $whole" $? "$slice"
	done
}

same maxwell 16 4 saxpy reduce noise shuffle
[ -z "$WARPSTEP_LONG" ] || same maxwell 16 4 stream vecadd haar similarity transpose histogram
same volta 80 5 saxpy
[ -z "$WARPSTEP_LONG" ] || same volta 80 5 stream vecadd reduce noise haar similarity transpose histogram shuffle

# what `set gpu.sms` leaves has the memory system of all: vecadd waits for latency first
few=$(first vecadd 4 "gpu maxwell
set gpu.sms 4")
[ -n "$few" ] && [ "$few" != "$(first vecadd 16 'gpu maxwell')" ]
report "vecadd on 4 SMs with the memory system of 16 has another first limit: $few" $?

# the library's machines that claim silicon are slices, or say why not
cut=$(awk 'FNR == 1 { silicon = why = 0 } /^gpu (volta|a100|h100)$/ { silicon = 1 } /^# .*, not a GPU slice: / { why = 1 }
	/^set gpu\.sms / && silicon && !why { print FILENAME }' scenarios/*.scn scenarios/*/*.scn)
[ -z "$cut" ]
report "scenarios of volta, a100 and h100 take slices, or say why not" $? "$cut"
exit $failed
