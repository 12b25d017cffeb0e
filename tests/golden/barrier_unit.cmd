#! -n -q scenarios/reduce.scn
set barrier.latency 23
set barrier.interval 3
goto 2460
why warp 0
goto 2470
why warp 0
run
stats barrier
quit
