# The examples in the help of every command work as they are printed, one after the other, where there is what they speak of.
# more: some 300 examples, each typed
. tests/tap
case $LOG in /*) room=$LOG/examples ;; *) room=$PWD/$LOG/examples ;; esac
rm -rf "$room" && mkdir -p "$room/kernels" "$room/data" && cp scenarios/kernels/vecadd.* scenarios/kernels/matmul.* "$room/kernels"
cat >"$room/kernels/more.ptx" <<'X'
.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .f32 weights[3];
.visible .global .align 4 .f32 table[2];
.visible .entry rt() { ret; }
.visible .entry bfs(.param .u64 row, .param .u64 edge, .param .u64 level, .param .u64 over, .param .u32 n, .param .u32 iteration) { ret; }
X
cp tests/ptx/heap.ptx "$room/kernels/lists.ptx"
cat >"$room/scene.scn" <<'X'
gpu volta
set gpu.sms 2
set preempt.ctas 4
module kernels/vecadd.ptx
module kernels/matmul.ptx
module kernels/more.ptx
buffer a f32[4096] random 1 -1.0 1.0
buffer b f32[4096] random 2 -1.0 1.0
buffer c f32[4096]
buffer row s32[1001]
buffer edge s32[1000]
buffer level s32[1000]
buffer over s32[1]
launch matmul16 grid 4,4 block 16,16 args a b c 64
launch vecadd grid 16 block 256 args a b c 4096
X
cp "$room/scene.scn" "$room/other.scn"
cat >"$room/lesson" <<'X'
part "One"
ask number "How many CTAs are there?" cta.finished
after run
part "Two"
ask choice "Did all end?"
after run
choice "yes" if cta.finished == 32
choice "no" if cta.finished != 32
lesson
X
echo 'break cycle 5' >"$room/stops.scn"
echo 'set gpu.sms 1' >"$room/mine.gpu"
head -c 4004 /dev/zero >"$room/data/row.in"
cp tests/trace/copies.traceg tests/trace/tile.cubin "$room" && echo copies.traceg >"$room/kernelslist.g"
od -An -v -tu1 tests/trace/tile.cubin | awk -f tests/trace/words.awk >"$room/words" &&
	awk -v kernel=tile -f tests/trace/record.awk tests/trace/opcodes.txt "$room/words" >"$room/tile.traceg"

# What is there before the examples of a command.
before() {
	case $1 in
	buffer | gpu | module | trace) return ;;
	texture) printf 'buffer pixels u32[512*512]\nbuffer faces f32[6*64*64*4]\nbuffer result f32[512*512]\n' ;;
	check) printf 'run\ndump c data/matmul.want\n' ;;
	expect) echo run ;;
	except | baseline) printf 'sweep policy order=gto elf\nsweep gpu volta a100\n' ;;
	forward) printf 'goto 100\nback\n' ;;
	undisplay) echo 'display ipc' ;;
	until | symbol | launch) ;;
	document) printf 'define look\nstep\nend\n' ;;
	goto) printf 'break cycle 20\ngoto 2000\ncheckpoint before 50\ncompare order=lrr\n' ;;
	follow | effects) printf 'next l1dmiss\n' ;;
	next | reverse_next) printf 'goto 100\nfollow warp 3\n' ;;
	list | number) echo 'goto 1000' ;;
	lesson | answer | give_up) cat "$room/lesson" ;;
	condition) printf 'break issue\nbreak issue\n' ;;
	commands | delete | disable | enable | ignore)
		echo 'goto 100'
		for at in 1 2 3 4 5 6 7; do echo "break cycle 900$at"; done
		;;
	*) echo 'goto 100' ;;
	esac
}

# Lines that only a terminal can do.
terminal='cannot be stopped without a terminal\|the full screen is not available\|the full screen is off\|the focused pane has no cursor'

for command in $(sed -n 's/^COMMAND(\(.*\))$/\1/p' include/tables/commands.def); do
	case $command in
	set_var) name='set var' ;;
	find_text) name=find ;;
	give_up) name='give up' ;;
	*) name=$(echo "$command" | tr _ -) ;;
	esac
	"$WARPSTEP" -n -q -b -e "help $name" -e quit 2>&1 | 
		awk '/^Examples:/ { on = 1; next } on && !/^  / { exit } on { print substr($0, 3) }' >"$room/lines"
	scene=$room/scene.scn
	[ -n "$(before "$command")" ] || case $command in buffer | gpu | module | trace) scene=/dev/null ;; esac
	{ before "$command"; cat "$room/lines"; } | (cd "$room" && timeout 60 "$WARPSTEP" -n -q -j --plain --keep-going --trust "$scene") >>"$room/json" 2>"$room/said"
	grep '^stdin:' "$room/said" | grep -v "$terminal" >"$room/wrong"
	[ -s "$room/lines" ] && [ ! -s "$room/wrong" ]
	report "examples of $name" $? "$(head -n 3 "$room/wrong" | tr '\n' ' ')"
done

# What -j prints, here and in the golden files, obeys the schema; lines that do not are found.
obeys() { jq -r --argjson schema "$(cat man/warpstep.schema.json)" -f tests/shape/schema.jq | sort -u | cut -c1-200 | head -n 5; }
none "every line of JSON obeys man/warpstep.schema.json" "$(obeys <"$room/json" 2>&1)"
none "... in the golden files, too" "$(grep -h '^{' tests/golden/*.txt | obeys 2>&1)"
holds "... and of every command there is one" [ "$(jq -r 'select(.ok) | .cmd' "$room/json" | sort -u | wc -l)" -gt 100 ]
while read -r line; do
	[ -n "$(echo "$line" | obeys)" ]
	report "not so: $line" $?
done <<'X'
{"cmd":"hash","ok":true,"result":{"hash":7}}
{"cmd":"hash","ok":true,"result":{"hush":"a"}}
{"cmd":"hash","ok":true}
{"cmd":"quit","ok":true,"result":{"a":1}}
{"cmd":"hash","ok":false,"error":{"message":"m","file":null,"line":1}}
{"stop":{"cycle":1.5,"reason":"step"}}
{"stop":{"cycle":1,"reason":"step"},"ok":true}
X
none "a rule for each command that has a result" "$(jq -r '([.allOf[].if.properties.cmd.const] - [.["$defs"] | keys[] | select(startswith("command ")) | .[8:]] | .[]),
	([.["$defs"] | keys[] | select(startswith("command ")) | .[8:]] - [.allOf[].if.properties.cmd.const] | .[])' man/warpstep.schema.json)"
exit $failed
