#! -q scenarios/vecadd.scn
effects
effects sideways
effects off
effects warp 999
effects warp
effects load
effects load for
effects load for 0
effects load for 99999999
effects line 0x700000000000 load
effects warp 0 at 104
effects load at 600 check
focus warp 25
goto 4000
effects load check
follow load
effects for 2000
follow
effects warp 25 at 2820
