#! --plain scenarios/labs/01-coalesce.scn
run
stats mem.lines
answer
answer 9000
answer z
answer my.cu
answer my.ptx
lesson next
answer a
hint
answer B
answer scenarios/labs/kernels/pad.ptx
answer scenarios/labs/kernels/coalesce.cu
hint
hint
print cycle
lesson report
answer scenarios/labs/kernels/coalesce_c.ptx
compare scenarios/labs/kernels/coalesce_c.ptx stats mem.lines
answer c
lesson report
