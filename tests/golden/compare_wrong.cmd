#! -n -q scenarios/vecadd.scn
# faster, and wrong: what fails stands first, and the command fails
compare kernel.0.block=128 kernel.0.grid=64 stats cycle
compare stats cycle
show difference 70x4
compare kernel.0.grid=4 order=gto,lrr
# right, and not at its end
compare kernel.0.block=128 kernel.0.grid=79 stats cycle
compare kernel.0.grid=4 stats cycle -- step 100
