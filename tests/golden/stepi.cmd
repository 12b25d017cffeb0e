#! -q --keep-going scenarios/collatz.scn
# the focused warp's instructions, one by one and several, and back
goto 1500
backtrace
stepi
stepi 5
reverse-stepi 6
next 3
next branch 2
rn 3
# registers of all lanes in blocks that fit the width; some of them; another format
info registers
info registers r4 p1
set registers.format float
info registers r10
set registers.format hex
# to a place: the focused warp, or any
until pc 26
bt
advance pc 40
until collatz:L__BB0_6
advance collatz.cu:9
# what is none
until collatz.cu:200
advance 12
advance nowhere
until pc 99
info registers r99
info registers p9 r1
info registers x
stepi x
next nonsense 3
next 3 3
bt 1
# a warp's end; nobody is there
focus warp 0
stepi 1000000
stepi
bt
info registers r4
run
info registers
# frames backwards
goto 20
animate back for 2
animate -60 for 2
animate back 5 for 1
animate -61 for 1
animate back back
help stepi
help backtrace
help advance
