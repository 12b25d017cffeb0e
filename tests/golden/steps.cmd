#! -q /dev/null
# a kernel described by time: its warps wait, why says until when, and nothing is simulated meanwhile
gpu tiny
synthetic wait time 2000000 steps 8 context 8192 idempotent 47 stagger on
launch wait grid 6 block 32
info kernel wait
goto 600000
show warps
why
continue
expect kernel.0.ended == 6
print kernel.0.cycles
quit
