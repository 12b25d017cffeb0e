#! -n -q scenarios/multi/trial.scn
policy partition=maestro allocate=twoway preempt=chimera
restart
goto 4000
show floor 80x14
floor color stall
show floor 80x14
floor color sm.ipc
show floor 60x9
floor range 0 1
show floor 40x4
floor
floor color $sm * 2 + 1
show floor 80x1
floor color sm.ctas
focus sm 3
show floor 120x16
show floor 80x14
floor color kernel
set style.signs ascii
show floor 80x14
set style.signs unicode
policy default
policy order=lrr partition=even preempt=switch
launch dense grid 40 block 128 stream 2 at 700
set chimera.switch time
restart
goto 702
show floor 80x14
goto 1500
show floor 80x14
show kernels 80x8
