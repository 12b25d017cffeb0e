# loops.awk - a kernel with a loop of n FFMAs that notes the cycles of each round, for probe_front.cu
BEGIN {
	print ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry loop(.param .u64 out, .param .u32 times)\n{\n.reg .b64 %a<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p;"
	print "ld.param.u64 %a0, [out]; ld.param.u32 %r0, [times]; cvt.rn.f32.u32 %f0, %r0; mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1; mov.u32 %r1, 0;"
	print "mov.u64 %a1, %clock64;\nLOOP:"
	for (i = 0; i < n; i++) printf "fma.rn.f32 %%f%d, %%f%d, %%f0, %%f0;\n", 1 + i % 4, 1 + i % 4
	print "mov.u64 %a2, %clock64; sub.u64 %a3, %a2, %a1; mov.u64 %a1, %a2; mul.wide.u32 %a4, %r1, 8; add.u64 %a5, %a0, %a4; st.global.u64 [%a5], %a3;"
	print "add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, %r0; @%p bra LOOP;"
	print "add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3; setp.eq.f32 %p, %f1, 0f40490FDB; @%p st.global.f32 [%a0], %f1; ret;\n}"
}
