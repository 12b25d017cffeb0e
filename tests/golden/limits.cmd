#! -q
#~ /^elf\+\+ /,/^best: elf/{/^(elf\+\+|oldest|rba|steal|as it is|lrr|two-level|best)/!d}
gpu tiny
module tests/ptx/limits/bound.ptx
launch conflict grid 1 block 128
launch turns grid 1 block 128
limits
limits kernel 1
hash
goto 9000
limits window 9000 12000
limits sub-cores
limits policies
hash
limits kernel 2
with ideal.shared on -- step 2000
explain ideal.barriers
