# From 200x50 down to 1x1 and back: panes go, the prompt stays, nothing breaks.
. tests/term/lib
begin 200 50
enter "$WARPSTEP"
wait_for '[├─]─ console'
check 'at 200x50 the wide layout' shows '─ timeline'
enter 'step 400'
wait_for 'cycle 400'
resize 80 24
within shows_not '─ timeline'
check 'at 80x24 the default one' shows '┬─ subcores'
resize 40 10
within sh -c "tmux -L $socket capture-pane -p | head -n 2 | grep -q '^▸ warps'"
check 'at 40x10 the code has gone, the warps are there' shows_not '─ code'
check 'and the cycle' shows 'cycle 400'
resize 30 6
within shows_not '▸'
check 'below that the prompt and what was printed' shows '(warpstep)'
enter 'step 10'
within shows 'cycle 410'
check 'the prompt works there' true
resize 12 1
within shows '^(warpstep)'
enter 'step 5'
resize 1 1
resize 3 2
resize 1 1
resize 80 24
within shows 'cycle 415'
check 'back from 1x1' shows '┬─ subcores'
resize 80 3
within shows_not '─'
keys Escape
within shows 'q quits'
check 'three lines: key mode says how to leave' true
keys s
resize 200 50
within shows 'cycle 416'
check 'keys work there' within shows 'KEYS'
keys q
wait_shell
done_testing
