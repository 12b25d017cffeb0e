#! -n -q --plain scenarios/bfs.scn
# a warp that `focus` has shown loses the focus when it has left, as one that was focused at a stop
step 50
focus warp 5
goto 700
focus
