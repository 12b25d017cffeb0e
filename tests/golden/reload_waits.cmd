#! -n -q --plain scenarios/saxpy.scn
# a change that waits for a restart counts in both versions that are compared, and says so
step 50
set sm.warps 16
reload
reload
# hits are those of the machine that is there
restart
watch above 5 l1d.misses
continue
info breakpoints
set lat.[fi]* 9
set sm.subcores 1
reload
back
info breakpoints
# a disabled breakpoint keeps its mark in the code of the machine that is made anew
break saxpy.cu:7
disable
reload
show code 60x8
