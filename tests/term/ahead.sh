# What is typed ahead while the machine runs goes to the prompt, whole, and stops the run; a line that a key began is typed, too.
. tests/term/lib
begin 80 24
printf 'gpu tiny\nsynthetic s iterations 100000000 mix int 1\nlaunch s grid 4 block 256\n' >"$work/endless.scn"
enter "$WARPSTEP -q -n $work/endless.scn"
wait_for '^(warpstep) *$'
enter 'run'
wait_for 'running: any key pauses'
type 'why warp 2'
check 'the first letter stops it and stands on the prompt with the others' within shows '^(warpstep) why warp 2$'
keys C-u
keys Escape
wait_for 'KEYS'
keys g
wait_for '^(warpstep) goto *$'
enter '100000000'
wait_for 'running: any key pauses'
type 'step 3'
check 'in single-key mode no letter is a key' within shows '^(warpstep) step 3$'
check 'nothing has run' shows_not '^(warpstep) step$'
keys Enter
check 'then single keys again' within shows 'KEYS'
keys c
wait_for 'running: any key pauses'
keys s
check 'behind a key any key only pauses' within shows 'KEYS  stopped'
check 'and does nothing else' shows_not '^(warpstep) step$'
keys Escape
wait_for '^(warpstep) *$'
enter 'run'
wait_for 'running: any key pauses'
keys Space
check 'Space pauses and is not typed' within shows '^(warpstep) *$'
enter 'quit'
wait_shell
done_testing
