#!/bin/sh
# Files that are written are complete or as they were, through no link to nowhere, with their permissions; output that is lost is an
# error; characters of a file that hide or rearrange text are shown.
# more: many runs, some under strace
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp scenarios/kernels/vecadd.ptx "$work"
cd "$work" || exit 1
printf 'gpu tiny\nmodule vecadd.ptx\nbuffer a f32[64]\nbuffer c f32[4096]\nlaunch vecadd grid 1 block 64 args a a c 64\n' >x.scn
printf 'gpu tiny\nsynthetic s iterations 100000000 mix int 1\nlaunch s grid 4 block 256\n' >endless.scn
mkdir files
umask 022

# run COMMAND...: a batch of them; its status goes to `status`.
run() {
	for command; do set -- "$@" -e "$command"; shift; done
	"$WARPSTEP" -b --keep-going "$@" x.scn >out 2>err </dev/null
	echo $? >status
}
# The same where no file can grow beyond N blocks; what is said goes to `small`, through a pipe. run_small N COMMAND...
run_small() {
	blocks=$1
	shift
	for command; do set -- "$@" -e "$command"; shift; done
	sh -c 'ulimit -f "$1"; shift; "$@" 2>&1; echo "status $?"' sh "$blocks" "$WARPSTEP" -b --keep-going "$@" x.scn </dev/null | cat >said
	cp said small
}
# Nothing lies beside the files of the tests.
no_temporary() { test -z "$(ls -A files | grep -vxE 'old|new|link')"; }
mode_is() { test "$(stat -c %a "$1")" = "$2"; }
is_old() { test "$(cat "$1")" = old; }
is_new() { test -s "$1" && ! is_old "$1"; }
# The writer's line for a file.
line() { echo "$writer" | sed "s|FILE|files/$1|"; }
# Files as they are before each test: old; link, which leads to $1.
begin() {
	rm -f files/*
	echo old >files/old
	chmod 640 files/old
	ln -s "$1" files/link
}

# check_writer NAME BLOCKS: a command that writes a file, $writer, and the one that ends it, $end; with so many blocks there is no room.
check_writer() {
	begin old
	run run "$(line old)" 'info kernels' "$end"
	report "$1: written" "$(cat status)" "$(head -n 1 err)"
	holds "$1: what was there is replaced" is_new files/old
	holds "$1: its permissions stay" mode_is files/old 640
	umask 027
	run run "$(line new)" "$end"
	umask 022
	holds "$1: a new file's are as umask says" mode_is files/new 640
	begin old
	run run "$(line link)" 'info kernels' "$end"
	holds "$1: the file that a link leads to is replaced" is_new files/old
	holds "$1: the link stays" test -L files/link
	holds "$1: nothing else is left" no_temporary

	begin nowhere
	run run "$(line link)"
	holds "$1: a link that leads to no file is refused" test "$(cat status)" = 1
	printf -- '-e 2: cannot write files/link: it is a symbolic link to a file that does not exist\n' >line.want
	holds "$1: that is said" diff line.want err
	holds "$1: and not written through" test ! -e files/nowhere

	for blocks in 0 $2; do
		begin old
		run_small "$blocks" run "$(line link)" 'info kernels' help "$end"
		holds "$1: no room for more than $blocks: an error" grep -qx 'status 1' small
		holds "$1: no room for more than $blocks: it is said" grep -q 'cannot write files/link: File too large' small
		holds "$1: no room for more than $blocks: the old file is there" is_old files/old
		holds "$1: no room for more than $blocks: nothing else is" no_temporary
	done
	run run "$(echo "$writer" | sed 's|FILE|/dev/null|')" "$end"
	report "$1: a device is written" "$(cat status)" "$(head -n 1 err)"
	holds "$1: a device stays one" test -c /dev/null
}
end='echo end'
writer='dump c FILE' && check_writer dump 1
writer='save session FILE' && check_writer 'save session'
writer='export events FILE' && check_writer export 1
writer='screen dump FILE' && check_writer 'screen dump' 1
end='record off'
writer='record FILE' && check_writer record 1

# --- log: added at the end ---
begin old
run 'log files/link' 'echo more' 'log off'
holds "log: what is printed comes behind what was there" sh -c 'head -n 1 files/old | grep -qx old && grep -qx more files/old'
holds "log: the link stays" test -L files/link
begin nowhere
run 'log files/link'
holds "log: a link that leads to no file is refused" grep -q '^-e 1: cannot write files/link: it is a symbolic link' err
holds "log: and not written through" test ! -e files/nowhere

# --- what a shell has opened already is not replaced ---
"$WARPSTEP" -b -e 'echo before' -e 'dump a /dev/stdout' -e 'echo behind' x.scn >out 2>err </dev/null
holds "standard output as a file: all of it is there, in its order" sh -c 'head -n 1 out | grep -qx before && grep -qa "behind$" out'
if [ "$(id -u)" != 0 ]; then
	begin old
	chmod 440 files/old
	run run 'dump c files/old'
	holds "a file that may not be written is refused" is_old files/old
fi

# --- signals: leave FILE without a temporary beside it. ended SIGNAL COMMAND...: once the temporary file is there. ---
ended() {
	signal=$1
	shift
	for command; do set -- "$@" -e "$command"; shift; done
	"$WARPSTEP" -b "$@" endless.scn >out 2>err </dev/null &
	for i in $(seq 600); do
		no_temporary || break
		sleep 0.1
	done
	no_temporary || sleep 0.2
	kill -s "$signal" $!
	wait $! 2>/dev/null
}
for signal in TERM HUP; do
	begin old
	ended $signal 'export csv files/old to 1000000000'
	holds "$signal while a file is written: the old one stays" is_old files/old
	holds "$signal while a file is written: nothing else is left" no_temporary
	begin old
	ended $signal 'record files/old' 'step 10' run
	holds "$signal while it is recorded: the file is what was recorded" grep -q '^{"version":2' files/old
	holds "$signal while it is recorded: nothing else is left" no_temporary
done
begin old
run 'record files/old' 'step 3'
holds "a recording that is not ended is there" sh -c 'grep -q "^{\"version\":2" files/old && test "$(cat status)" = 0'

# --- lost output: lost NAME OPTIONS..., standard output as $to ---
lost() {
	name=$1
	shift
	sh -c "\"\$@\" $to" sh "$WARPSTEP" "$@" 2>err </dev/null
	holds "$name $to: status 1" test $? = 1
	holds "$name $to: one line says so" test "$(grep -c '^warpstep: standard output: [A-Z]' err)" = 1
}
for to in '>/dev/full' '>&-'; do
	[ -c /dev/full ] || [ "$to" = '>&-' ] || continue
	lost text -b x.scn
	lost JSON -b -j x.scn
	lost help --help
	lost 'the manual' --print-man settings
	lost 'plain lines' -q -n --plain -e 'info settings' x.scn
	sh -c "\"\$@\" $to" sh "$WARPSTEP" -b -j -e 'expect 1 == 2' x.scn 2>err </dev/null
	holds "an earlier failure's status stays $to" test $? = 3
done
"$WARPSTEP" -q -b -e 'set lat.int 5' 2>err >&- </dev/null
holds "nothing is lost where nothing is printed" test $? = 0

# --- characters that hide or rearrange what stands around them: a direction mark, an override, a joiner, a byte order mark ---
for c in '\342\200\216' '\342\200\256' '\342\200\215' '\357\273\277' '\342\200\250'; do
	mark=$(printf "$c")
	shown=$(printf "$c" | od -An -tx1 | sed 's/ /\\\\x/g')
	sed "s|\"vecadd.cu\"|\"v${mark}.cu\"|" vecadd.ptx >v.ptx
	printf 'gpu tiny\nmodule v.ptx\nnote "no%ste"\nbuffer a f32[64]\nlaunch vecadd grid 1 block 64 as na%sme args a a a 64\n' \
		"$mark" "$mark" >y.scn
	"$WARPSTEP" -b --keep-going -e 'info kernels' -e 'show kernels' -e 'show notes' -e 'info modules' -e "show x${mark}y" y.scn >out 2>err </dev/null
	holds "$shown: in a kernel's name" grep -q "na${shown}me" out
	holds "$shown: in a pane" grep -q "no${shown}te" out
	holds "$shown: in a message" grep -q "x${shown}y" err
	holds "$shown: nowhere as it is" sh -c '! cat out err | grep -qF "$1"' sh "$mark"
done
printf 'note "caf\303\251 e\314\201 \347\275\221 \360\237\230\200"\n' >z.scn
"$WARPSTEP" -b -e 'show notes' z.scn >out 2>err </dev/null
holds "accents, wide characters and pictures stay" grep -q "$(printf 'caf\303\251 e\314\201 \347\275\221 \360\237\230\200')" out
exit $failed
