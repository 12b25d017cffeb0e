#! -q -e 'set lsu.reexec newcar' -e 'set lsu.reexec_entries 6' -e 'set l1d.mshrs 4' scenarios/vecadd.scn
goto 600
show memory 80x12
focus sm 0 warp 4
why
break event reexecserved
continue
explain lsu.reexec.bypasses
set lsu.reexec off
