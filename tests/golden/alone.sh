# A kernel alone: its cycles and IPC are those of a session in which it is launched by itself, in memory that is as the kernels
# before it leave it; the session's own machine does not move.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
check() {
	[ "$2" = "$3" ] && [ -n "$2" ]
	report "$1" $? "'$2' is not '$3'"
}
both='gpu tiny
set gpu.sms 2
synthetic spin body 20 iterations 30 mix fp32 60 int 40 distance 2
synthetic walk body 12 iterations 20 mix load 30 int 70 distance 3'
# cycles ARGUMENTS...: of kernel 0 at the end of a session.
cycles() { "$WARPSTEP" -q -b -j "$@" -e run -e 'stats kernel.0.cycles' 2>/dev/null | sed -n 's/.*"kernel.0.cycles": *\([0-9]*\).*/\1/p' | tail -n 1; }
# alone SCENARIO KERNEL
alone() { "$WARPSTEP" -q -b -j -e "goto 50" -e alone -e quit "$1" 2>/dev/null | sed -n "s/.*\"kernel\":$2,[^}]*\"cycles\":\([0-9]*\).*/\1/p"; }
for kernel in 0:spin 1:walk; do
	printf '%s\nlaunch spin grid 24 block 128 stream 1\nlaunch walk grid 24 block 128 stream 2 at 100\n' "$both" >"$work/both.scn"
	printf '%s\nlaunch %s grid 24 block 128\n' "$both" "${kernel#*:}" >"$work/one.scn"
	check "${kernel#*:} beside another" "$(alone "$work/both.scn" "${kernel%:*}")" "$(cycles "$work/one.scn")"
done
# The second kernel turns as often as the first has written.
cat >"$work/turn.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry put(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, 300;
	st.global.u32 [%rd2], %r1;
	ret;
}
.visible .entry turn(.param .u64 p)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	ld.global.u32 %r1, [%rd2];
L:
	sub.s32 %r1, %r1, 1;
	setp.gt.s32 %p1, %r1, 0;
	@%p1 bra L;
	ret;
}
END
printf 'gpu tiny\nmodule turn.ptx\nbuffer n s32[1] zero\nlaunch put grid 1 block 32 args n\nlaunch turn grid 1 block 32 args n\n' >"$work/two.scn"
printf 'gpu tiny\nmodule turn.ptx\nbuffer n s32[1] fill 300\nlaunch turn grid 1 block 32 args n\n' >"$work/turn.scn"
check 'memory is as the kernel before leaves it' "$(alone "$work/two.scn" 1)" "$(cycles "$work/turn.scn")"
printf '%s\nlaunch walk grid 24 block 128\n' "$both" >"$work/walk.scn"
check 'a kernel that shares nothing is not slowed down, at any time' "$(for cycle in 900 7000 20000; do
	"$WARPSTEP" -q -b -e "goto $cycle" -e alone -e quit "$work/walk.scn" | awk '$2 == "walk" { print ($6 > 0.98 && $6 < 1.02) }'
done | tr -d '\n')" 111
check 'the machine stays' "$("$WARPSTEP" -q -b -e 'goto 700' -e alone -e hash -e quit scenarios/backprop.scn | tail -n 1)" \
	"$("$WARPSTEP" -q -b -e 'goto 700' -e hash -e quit scenarios/backprop.scn | tail -n 1)"
exit $failed
