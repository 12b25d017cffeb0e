#! -q scenarios/matmul.scn
# a row for each; what is chosen already is the base
compare order=gto,lrr,rba,elf
# each with each, beside the machine as it is, with columns of a pattern
compare gpu.sms=1,2 order=lrr,rba stats slots.l*
step 300
compare lat.int=2,20 -- step 500
compare gpu.sms=1,2 -- until inst.warp >= 5000
# machines that cannot be, and grids, whose commas are their own
compare sm.subcores=2,3
compare kernel.0.grid=2,2 -- step 100
hash
