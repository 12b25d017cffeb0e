#! -q
gpu tiny
set gpu.sms 2
synthetic spin body 20 iterations 30 mix fp32 60 int 40 distance 2
synthetic walk body 12 iterations 20 mix load 30 int 70 distance 3
launch spin grid 6 block 64 stream 1
launch walk grid 6 block 64 stream 2
info interference
goto 600
info interference
info interference 200
info interference 0
info interference many
info interference 3 4
back
hash
info interference 600
hash
run
info interference 1000000
info interference 10
