#! -n -q --plain scenarios/saxpy.scn
# a change that waits for a restart counts in both versions that are compared, and says so
step 50
set sm.warps 16
reload
reload
