#! -q scenarios/subcore/operand-mix.scn
# warp 5 is ready, and reads of the collector units wait at one bank
focus warp 5
break stall collector for 2 if warp == 5
continue
show datapath 80x19
why
