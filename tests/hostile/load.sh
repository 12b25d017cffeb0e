# Files that are made to take for ever, or all memory: each is loaded or refused within ten seconds of the processor's (most in less
# than one), and --max-seconds and Ctrl-C end the load of any. Files are small; what they would become is not.
# more: each file is given seconds
. tests/tap
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
seconds=10
[ "$(basename "$(dirname "$(readlink -f "$WARPSTEP")")")" != san ] || seconds=100

# run ARGUMENT...: the program in batch within so many seconds; its status in $status, output in out, errors in err.
run() {
	(cd "$work" && ulimit -t $seconds && timeout 600 "$WARPSTEP" -n -q -b "$@") >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

# ended NAME STATUSES [TEXT]: the last run had one of these statuses, and said the text on standard error.
ended() {
	case " $2 " in
	*" $status "*) grep -q -- "${3:-}" "$work/err" || [ -z "$3" ] ;;
	*) false ;;
	esac
	report "$1" $? "status $status: $(head -n 1 "$work/err")"
}

# ptx NAME AWK: NAME.ptx, a module with what the awk program prints, and an entry k.
ptx() {
	{
		printf '.version 7.0\n.target sm_70\n.address_size 64\n'
		awk "BEGIN { $2 }"
		printf '.visible .entry k() { ret; }\n'
	} >"$work/$1.ptx"
}

# loads NAME FILE: the module is loaded and its kernel runs.
loads() {
	run -e "module $2.ptx" -e 'launch k grid 1 block 32' -e run
	ended "$1" 0
}

# --- PTX ---
ptx calls 'print ".func f0() { .reg .b32 %r<9>; ret; }"; for (i = 1; i <= 14; i++) printf ".func f%d() { call f%d; call f%d; ret; }\n", i, i - 1, i - 1
	for (i = 0; i < 300; i++) printf ".visible .entry e%d() { call f14; ret; }\n", i'
loads "functions that call each other twice, in 300 entries" calls
run -e 'module calls.ptx' -e 'launch e299 grid 1 block 32'
ended "the entries that expand to too much are refused" 2 'expand to more than'
ptx globals 'for (i = 0; i < 150000; i++) printf ".global .u32 v%d;\n", i'
loads "150,000 variables" globals
ptx relocated 'print ".global .u64 z;"; for (i = 0; i < 50000; i++) printf ".global .u64 v%d = z;\n", i
	print ".global .u64 a[50000] = { z"; for (i = 1; i < 50000; i++) print ", z"; print "};"'
loads "100,000 addresses of variables in variables" relocated
ptx ranges 'print ".visible .entry e() {"; for (i = 0; i < 60000; i++) printf ".reg .b32 r%dx<1>; .local .u8 l%d;\n", i, i; print "ret; }"'
loads "60,000 ranges of registers and local variables" ranges
ptx scratch 'print ".visible .entry e() {"; for (i = 0; i < 200000; i++) print "{ .param .b32 q; st.param.b32 [q], 1; }"; print "ret; }"'
loads "200,000 blocks with a parameter" scratch
ptx entries 'for (i = 0; i < 60000; i++) printf ".global .u32 v%d;\n.entry e%d() { ret; }\n", i, i'
loads "60,000 entries and variables" entries
ptx unknown 'for (i = 0; i < 30000; i++) printf ".entry e%d() { .reg .b32 r; foo.bar r; }\n", i'
loads "30,000 unknown instructions" unknown
ptx functions 'for (i = 0; i < 80000; i++) printf ".func f%d() { ret; }\n", i
	print ".visible .entry e() {"; for (i = 0; i < 65000; i++) printf "call f%d;\n", i; print "ret; }"'
loads "80,000 functions, most called" functions
ptx branches 'print ".visible .entry e() { .reg .pred p; setp.eq.s32 p, 0, 0;"
	for (i = 0; i < 100000; i++) printf "@p bra L%d;\n", i; for (i = 0; i < 100000; i++) printf "L%d: @p bra L%d;\n", 99999 - i, i; print "ret; }"'
loads "200,000 branches, to and fro" branches
ptx against 'print ".visible .entry e() { .reg .b32 r; mov.u32 r, 1; bra L59999; L0: st.global.u32 [4096], r; bar.sync 0; ret;"
	for (i = 1; i < 60000; i++) printf "L%d: bra L%d;\n", i, i - 1; print "}"'
loads "60,000 blocks in the order against which control goes" against
ptx names 'print ".file 1 \"x\"\n.visible .entry e() {"
	for (i = 0; i < 60000; i++) printf ".loc 1 %d 1, function_name L%d, inlined_at 1 %d 1\nbar.sync 0;\n", i, i, i * 7
	print "ret; }\n.section .debug_str {"; for (i = 0; i < 150000; i++) printf "L%d: .b8 65,0\n", i; print "}"'
loads "60,000 functions within functions" names

# --- scenarios ---
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "buffer b%d u8[4]\n", i }' >"$work/buffers.scn"
run -x buffers.scn
ended "100,000 buffers" 0
ptx none ''
awk 'BEGIN { print "module none.ptx"; for (i = 0; i < 20000; i++) printf "launch k grid 1 block 32 at %d\n", i }' >"$work/launches.scn"
run -x launches.scn -e step
ended "20,000 launches with times of their own" 0
awk 'BEGIN { print "module none.ptx"; for (i = 0; i < 60001; i++) print "launch k grid 1 block 32" }' >"$work/many.scn"
run -x many.scn -e step
ended "more launches than can be counted" 2 'at most 60000'
awk 'BEGIN { print "define z0\necho x\nend"; for (i = 1; i <= 60; i++) printf "define z%d\nz%d\nz%d\nend\n", i, i - 1, i - 1; print "z60" }' >"$work/twice.scn"
run -x twice.scn
ended "commands that run each other twice" 2 'expands to more than 1000000 lines'
run --keep-going -x twice.scn
ended "and each failure does not go on to the next" 2
awk 'BEGIN { print "define z0\necho x\nend"; for (i = 1; i <= 60; i++) printf "define z%d\nz%d $arg0$arg0\nend\n", i, i - 1; print "z60 xy" }' >"$work/words.scn"
run -x words.scn
ended "words that double" 2 'bytes of text'
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "define d%d\nend\n", i }' >"$work/defined.scn"
run -x defined.scn
ended "5,000 commands of the user" 2 'limit: 4096'
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
	printf 'source d%s.scn\nsource d%s.scn\n' $((i + 1)) $((i + 1)) >"$work/d$i.scn"
done
printf 'note x\n' >"$work/d26.scn"
run -x d0.scn
ended "files that read each other twice" 2 'sourced files expand to more'

# --- traces ---
cat >"$work/kernel-1.traceg" <<'X'
-kernel name = k
-grid dim = (1,1,1)
-block dim = (1024,1,1)
-shmem = 0
-nregs = 8
-binary version = 70
-cuda stream id = 0
-accelsim tracer version = 3
#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 2
0000 ffffffff 1 R1 IADD3 2 R2 R3 0
0010 ffffffff 0 EXIT 0 0
#END_TB
X
awk 'BEGIN { for (i = 0; i < 30000; i++) print "kernel-1.traceg" }' >"$work/same.g"
run -e 'set trace.overlap on' -e 'trace same.g'
ended "a list that names one kernel 30,000 times" 0
{
	sed -e '/^insts/s/2/3000000/' -e '/^0000/,$d' "$work/kernel-1.traceg"
	awk 'BEGIN { for (i = 0; i < 3000000; i++) print "0000 ffffffff 1 R1 IADD3 2 R2 R3 0"; print "#END_TB" }'
} | xz -1 >"$work/big.traceg.xz"
run --keep-going --max-seconds 0.1 -e 'trace big.traceg.xz' -e 'info modules'
ended "a trace that a few bytes make" 5 'max-seconds'
none "leaves nothing behind when its time is over" "$(grep big.traceg "$work/out")"

# --- what never comes ---
mkfifo "$work/silent"
for line in 'source silent' 'module silent' 'buffer a u8[4] file silent'; do
	run --max-seconds 0.5 -e "$line"
	ended "a pipe into which nobody writes: $line" 5 'max-seconds'
done
run --max-seconds 0.5 -x silent
ended "a pipe into which nobody writes: -x" 5 'max-seconds'
run -e 'trace silent'
ended "a pipe is no trace" 2 'not a regular file'
(sleep 0.3; echo 'print 6 * 7' >"$work/silent") &
run -x silent
wait
holds "a pipe into which somebody writes later" grep -q 42 "$work/out"
printf 'print 6 * 7\n' | "$WARPSTEP" -n -q -b -x /dev/stdin >"$work/out" 2>&1
holds "standard input by its name" grep -q 42 "$work/out"

# --- what never ends ---
printf 'gpu tiny\nsynthetic k iterations 4 body 8\nlaunch k grid 1 block 32\nbreak cycle 20\ncommands\nrestart\nend\nrun\n' >"$work/again.scn"
run --max-seconds 0.5 -x again.scn
ended "a stop whose list restarts, in a run that passes it" 5 'max-seconds'

# signalled NAME LINE: Ctrl-C while the line runs ends the program with 130.
signalled() {
	(cd "$work" && timeout --preserve-status -k 30 -s INT 0.7 "$WARPSTEP" -n -q -b -e "$2") >"$work/out" 2>"$work/err" </dev/null
	status=$?
	ended "$1" 130 "$3"
}
signalled "Ctrl-C ends the load of a module" 'module silent' 'interrupted'
signalled "Ctrl-C ends the wait for a file of commands" 'source silent'

# --- sizes ---
run -e 'set memory.limit 16' -e 'set gpu.sms 256' -e 'set l2.slices 64' -e 'set l2.bytes 16777216' -e 'module none.ptx' -e 'launch k grid 1 block 32' -e step
ended "a machine that takes more than memory.limit" 2 'memory.limit is 16 MiB'
printf '.version 7.0\n.target sm_70\n.address_size 64\n.global .b8 v[200000000] = {1};\n.entry k() { ret; }\n' >"$work/v.ptx"
run -e 'set memory.limit 128' -e 'module v.ptx'
ended "a variable with contents that takes more" 2 'memory.limit is 128 MiB'
printf '.version 7.0\n.target sm_70\n.address_size 64\n.global .b8 v[50000000];\n.entry k() { ret; }\n' >"$work/v.ptx"
run -e 'set memory.limit 128' -e 'module v.ptx' -e 'symbol v = 1' -e 'symbol v = 2'
ended "values that are kept for undo take more" 2 'memory.limit is 128 MiB'
if (ulimit -v 4000000 && "$WARPSTEP" -V) >/dev/null 2>&1; then
	(ulimit -v 4000000; run -e 'set memory.limit 1000000' -e 'buffer a u8[8589934592] fill 1'; ended "no memory is no fault of the program" 1 'out of memory: 8589934592 bytes')
fi
exit $failed
