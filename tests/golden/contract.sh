#!/bin/sh
# The contract with scripts: exit statuses, streams, who may read and write what, sessions that come back.
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp scenarios/kernels/vecadd.ptx scenarios/kernels/lavamd.ptx "$work"
cd "$work" || exit 1
. "$root/tests/tap"

# expect NAME STATUS COMMAND...: run the command, compare its status; what it says is in out and err.
expect() {
	name=$1 want=$2
	shift 2
	timeout 600 "$@" >out 2>err </dev/null
	got=$?
	[ "$got" = "$want" ]
	report "$name" $? "status $got, not $want: $(head -n 1 err)"
}
cat >good.scn <<'X'
gpu tiny
module vecadd.ptx
buffer a f32[256] iota
buffer b f32[256] iota 1
buffer c f32[256]
launch vecadd grid 2 block 128 args a b c 256
finally
  check c formula a[i] + b[i]
end
X
sed 's/c f32\[256\]/c f32[100]/' good.scn >fault.scn
sed 's/a\[i\] + b/a[i] - b/' good.scn >wrong.scn
(cat good.scn; echo 'dump c written.bin') >writes.scn
printf 'gpu tiny\nsynthetic s iterations 100000000 mix int 1\nlaunch s grid 4 block 256\n' >endless.scn
cat >spin.ptx <<'X'
.version 7.0
.target sm_75
.address_size 64
.visible .entry spin()
{
AGAIN:
	bra AGAIN;
}
X
printf 'gpu tiny\nmodule spin.ptx\nlaunch spin grid 1 block 32 args\n' >spin.scn
mkdir deep
sed 's|module |module ../|' good.scn >deep/up.scn

expect "a good scenario" 0 "$WARPSTEP" -b good.scn
holds "its statistics are printed" grep -q '^cycle  ' out
expect "a failing command" 1 "$WARPSTEP" -b -e undo good.scn
expect "a missing file" 2 "$WARPSTEP" -b missing.scn
expect "an unknown option" 2 "$WARPSTEP" --nothing
expect "a fault" 3 "$WARPSTEP" -b fault.scn
holds "says where" grep -q '^access out of bounds: .* vecadd.cu:7.*end of buffer c' err
expect "a wrong result" 3 "$WARPSTEP" -b wrong.scn
holds "says the first element" grep -q '^wrong.scn:8:9: c\[0\] is 1, expected -1 (256 of 256 elements differ)$' err
holds "its statistics are printed" grep -q '^slots.total  ' out
expect "a wrong result with JSON" 3 "$WARPSTEP" -b -j wrong.scn
holds "has all statistics" test "$(tail -n 1 out | jq -r '.cmd, .result["l1d.refused.set"], .result["slots.total"] > 0' | tr '\n' ' ')" = "stats 0 true "
expect "a limit of cycles" 5 "$WARPSTEP" -b --max-cycles=50 good.scn
holds "is exact" grep -q '^cycle  *50 cycles$' out
expect "a limit of seconds" 5 "$WARPSTEP" -b --max-seconds=0.3 endless.scn
expect "a limit of seconds while a buffer is filled" 5 timeout 20 "$WARPSTEP" -b --max-seconds=0.3 -e 'set memory.limit 100000' \
	-e 'buffer z u8[4294967295] iota'
holds "is said as anywhere" grep -q 'the limit of 0.3 seconds was reached (--max-seconds)$' err
expect "a program that goes round for ever" 4 "$WARPSTEP" -b spin.scn
holds "and that is said" grep -q "^livelock: the program loops forever$" err
holds "where it was proven first" grep -q '^cycle 16384: the program loops forever$' out
expect "and as JSON" 4 "$WARPSTEP" -b -j spin.scn
holds "in the stop" grep -q '"reason":"livelock","cycle":16384,"detail":"the program loops forever","livelock":{"cycle":16384,' out
expect "a limit that it reaches" 4 "$WARPSTEP" -b --max-seconds=0.3 -e 'set run.livelock off' -e run spin.scn
holds "and that is said, too" grep -q "livelock: the program loops forever; the limit of 0.3 seconds was reached" err
expect "the same of cycles" 4 "$WARPSTEP" -b --max-cycles=900 spin.scn
expect "and as JSON" 4 "$WARPSTEP" -b -j --max-cycles=900 spin.scn
holds "in the stop" grep -q '"reason":"limit","cycle":900,"livelock":{"cycle":900,' out
expect "a limit of cycles for what works" 5 "$WARPSTEP" -b --max-cycles=900 endless.scn
expect "and without timing" 5 timeout 300 "$WARPSTEP" -b --max-seconds=0.3 -e 'run --functional' spin.scn
expect "values that differ in their last digits" 3 "$WARPSTEP" -b -e 'buffer d f64[1] fill 3e38' -e 'buffer u u64[1] fill 18446744073709551615' \
	-e run -e 'print u' -e 'check d formula 3.0000000000000005e38' good.scn
holds "are shown with them" grep -q 'd\[0\] is 3[.e0-9+]*, expected 3.0000000000000005e+38' err
holds "and 64 bits are unsigned in a buffer without sign" grep -q '^u\[0\]: 18446744073709551615$' out
expect "a struct that is too short" 2 "$WARPSTEP" -b -e 'module lavamd.ptx' -e 'buffer p f64[64]' -e 'launch lavamd grid 1 block 64 args {s32:4} p p' good.scn
holds "is refused with its size" grep -q 'the fields make 4 bytes, but the struct has 16' err
expect "quit with a status" 7 "$WARPSTEP" -b -e 'quit 7' good.scn
expect "the first failure stops a batch" 1 "$WARPSTEP" -b -e undo -e 'echo reached' good.scn
holds "and nothing is run after it" sh -c '! grep -q reached out'
expect "unless it keeps going, with the status of the first" 1 "$WARPSTEP" -b --keep-going -e undo -e foo -e 'echo reached' good.scn
holds "on to the end" grep -q '^reached$' out
holds "and its statistics" grep -q '^cta.finished  *2 CTAs$' out
expect "commands that move leave no run" 0 "$WARPSTEP" -b -e 'step 3' good.scn
holds "the machine stays there" grep -q '^cycle  *3 cycles$' out
expect "-x and -e in order" 0 "$WARPSTEP" -b -e 'echo one' -x /dev/null -e 'echo two' good.scn
holds "one comes first" sh -c 'sed -n 1p out | grep -q one && sed -n 2p out | grep -q two'

expect "a scenario that writes is refused" 1 "$WARPSTEP" -b writes.scn
holds "and wrote nothing" test ! -e written.bin
expect "--trust lets it" 0 "$WARPSTEP" -b --trust writes.scn
holds "and it wrote" test -s written.bin
expect "-e may write" 0 "$WARPSTEP" -b -e run -e 'dump c c.bin' good.scn
expect "a scenario that reads above itself is refused" 2 "$WARPSTEP" -b deep/up.scn
expect "--trust lets it too" 0 "$WARPSTEP" -b --trust deep/up.scn

expect "JSON" 0 "$WARPSTEP" -b -j -e 'stats cycle' good.scn
holds "one object a line, nothing else" sh -c '! grep -qv "^{.*}$" out'
holds "with the stop" grep -q '^{"stop":{"reason":"finished","cycle":' out
holds "and the command's result" grep -q '^{"cmd":"stats","ok":true,"result":{"cycle":' out
expect "JSON errors" 2 "$WARPSTEP" -b -j -e 'set sm.wraps 1' good.scn
holds "have a place" grep -q '"ok":false,"error":{"file":"-e 1","line":null,"column":5,"message":"no setting' out

printf 'step 200\nset lat.fp32 9\nstep 30\nbreak cycle 5000\nhash\nsave session saved.scn\n' >commands
expect "a session is saved" 0 sh -c '"$WARPSTEP" -q good.scn <commands | grep -E "^[0-9a-f]{16}$" >hash; test -s hash'
expect "and comes back to the same state" 0 sh -c '"$WARPSTEP" -q -x saved.scn -e hash | grep -E "^[0-9a-f]{16}$" | cmp - hash'
holds "with its breakpoint" grep -q 'break cycle 5000' saved.scn

cat >kept.cmd <<'X'
dprintf ctastart if cta == 1, "a \"tab\"\tof %2d\\n\n", cta
checkpoint here 40
checkpoint inside 50 -s issue
alias go = goto
save session kept.scn
X
expect "what prints, checkpoints and aliases are saved" 0 sh -c '"$WARPSTEP" -q good.scn <kept.cmd'
holds "as they were typed" sh -c 'sed "s/^dprintf /&event /;5d" kept.cmd | grep -Fxc -f - kept.scn | grep -qx 4'
expect "and come back" 0 sh -c '"$WARPSTEP" -q -n --trust -x kept.scn -e restart -e "break 50" -e continue -e "go here" -e "go inside" </dev/null'
holds "they print" grep -qF 'a "tab"' out
holds "and are gone to" grep -q '^cycle 50, before issue' out
expect "JSON of what prints" 0 "$WARPSTEP" -q -j -e 'dprintf cycle 9, "%d", $cycle' -e 'break 20' -e continue good.scn
holds "is a line of its own" grep -q '^{"dprintf":{"number":1,"cycle":9,"text":"9"}}$' out
expect "a question is passed over in batch mode" 0 "$WARPSTEP" -b -e 'ask "how many" cycle' good.scn
holds "with a note" grep -q '^not asked in batch mode: how many$' out
expect "but not a wrong one" 1 "$WARPSTEP" -b -e 'ask "how many" sm[99].warp[0].pc' good.scn

cat >interrupt.sh <<'X'
# A shell gives background jobs no interrupt: a job-control shell does.
set -m
"$WARPSTEP" -b endless.scn &
sleep 1
kill -INT $!
wait $!
X
expect "an interrupt" 130 sh interrupt.sh

expect "the version" 0 "$WARPSTEP" -V
expect "a template of a module" 0 "$WARPSTEP" --template vecadd.ptx
holds "that launches its kernel" grep -q '^launch vecadd grid 1 block 128 args k0_p0 k0_p1 k0_p2 0$' out
cp out template.scn
expect "and runs" 0 "$WARPSTEP" -b template.scn
for topic in $("$WARPSTEP" --print-man nothing 2>&1 | sed 's/.*the parts are //; s/ (.*//'); do
	expect "the manual's part on $topic" 0 "$WARPSTEP" --print-man $topic
	holds "has text" grep -q '^\.[TS][PS]' out
done
"$WARPSTEP" --print-man commands >out
holds "lists in the manual are lists" grep -q '^\\fBif EXPR\\fR$' out
holds "and nothing else begins with blanks" awk '/^\.nf/ { as_is = 1 } /^\.fi/ { as_is = 0 } /^ / && !as_is { exit 1 }' out
expect "bash completion" 0 "$WARPSTEP" --print-completion bash
cp out completion.bash
cat >complete.bash <<'X'
# What is offered for each line, the words of which stand as bash takes them apart, is compared with the end of it.
. ./completion.bash
compopt() { :; }
offers() {
	local want=$1
	shift
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_warpstep
	[ "${COMPREPLY[*]}" = "$want" ] || echo "$*: ${COMPREPLY[*]}, not $want"
}
offers "--color=" warpstep --co
offers "--keep-going" warpstep -b --k
offers "auto always" warpstep --color = a
offers "auto always never" warpstep --color =
offers "until undo undisplay" warpstep -e un
offers "good.scn" warpstep goo
offers "vecadd.ptx" warpstep --template = vec
offers "" warpstep --max-cycles = 
X
if command -v bash >/dev/null; then
	expect "bash takes it" 0 bash complete.bash
	holds "and offers what fits" test ! -s out
	expect "zsh completion" 0 "$WARPSTEP" --print-completion zsh
	cp out completion.zsh # bash reads it, too: a line for each word that zsh's _arguments gets
	bash -c '_arguments() { printf "%s\n" "$@"; }; . ./completion.zsh' | sed -n 's/^\(([^)]*)\|[*]\)*\(--[a-z-]*\)=*\[.*/\2/p' | sort >offered
	"$WARPSTEP" --help | sed -n 's/^  \(-.[ A-Z]*, \)*\(--[a-z-]*\).*/\2/p' | sort >options
	holds "has every option" cmp offered options
fi
if command -v zsh >/dev/null; then
	expect "zsh takes it" 0 zsh -n completion.zsh
fi
if [ -c /dev/full ]; then
	expect "a log that cannot be written is said" 1 "$WARPSTEP" -b -e 'log /dev/full' good.scn
	holds "and why" grep -q 'the log is incomplete' err
	expect "so it is at its end" 1 "$WARPSTEP" -b -e 'log /dev/full' -e 'step 3' -e 'log off' good.scn
fi
expect "output that is closed is lost" 1 sh -c '"$0" -q -e "step 3" -e "log closed.txt" -e "stats ipc" good.scn >&-' "$WARPSTEP"
holds "and goes to no other file" test "$(grep -c ipc closed.txt)" = 1
{ printf '\357\273\277'; cat good.scn; } >marked.scn
expect "a byte order mark is passed over" 0 "$WARPSTEP" -b marked.scn
expect "without a home there is no init file" 0 env -u HOME "$WARPSTEP" -q -b good.scn
expect "presets are found" 0 "$WARPSTEP" -b -e 'gpu volta' -e 'gpu fermi' -e "echo $root"
exit $failed
