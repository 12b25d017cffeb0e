# What is asked of a long run needs no more stack than of a short one: where a value comes from that a loop of 199,990 rounds made, on
# a stack of 512 kB.
. tests/tap
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/loop.ptx" <<'PTX'
.version 8.0
.target sm_70
.address_size 64
.visible .entry loop(.param .u64 out, .param .u32 n)
{
	.reg .u64 %rd<2>;
	.reg .u32 %r<4>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, 0;
	mov.u32 %r3, 1;
again:
	mad.lo.u32 %r3, %r3, 3, %r2;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra again;
	st.global.u32 [%rd1], %r3;
	ret;
}
PTX
printf '%s\n' 'gpu volta' 'set gpu.sms 1' 'module loop.ptx' 'buffer o u32[1]' 'launch loop grid 1 block 1 args o 199990' >"$work/loop.scn"
(ulimit -s 512 && printf 'run\norigin o[0]\norigin 5\n' | "$WARPSTEP" -n -q --plain "$work/loop.scn") >"$work/out" 2>&1
status=$?
[ $status = 0 ] && grep -q 'and 65550 more iterations' "$work/out"
report "the origin of a value of 199,990 rounds" $? "status $status: $(tail -n 1 "$work/out")"
exit $failed
