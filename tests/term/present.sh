# A lecture: one key for the next step, one for the step before, no prompt; what stood there comes back.
. tests/term/lib
begin 80 24
enter "TERM=tmux-256color $WARPSTEP -q -e 'layout code' $PWD/scenarios/faults/race.scn"
wait_for '^(warpstep) *$'
enter 'present'
wait_for 'Space next'
check 'there is no prompt' shows_not '^(warpstep) *$'
check 'the bar has the keys' shows 'Space next  Backspace back  a answer  q end'
keys Space
check 'Space begins the lesson' within shows '1 of 3'
check 'the bar has what may be done now' within shows '^ a answer  H hint  G give up  Backspace back  q end'
check 'and nothing that may not' shows_not ' s step'
keys Space
check 'a question holds it back, and that is said' within shows '^ Space waits: a question is open (a answers, H gives a hint, G gives up)'
check 'and the first step stays' shows '1 of 3'
keys s
check 'other keys say so, too' within shows '^ s waits: a question is open'
check 'nothing has moved' shows 'cycle 0 '
keys a
check 'a asks for the answer at a prompt' within shows '^(warpstep) answer *$'
enter '96'
check 'which is right' within shows '1 of 1 right'
keys PgDn
check "a presenter's button goes on" within shows '2 of 3'
keys PgUp
check 'and back' within shows '1 of 3'
resize 120 40
check 'lines stand in the middle' within shows '^     *Right: 96'
keys Space
check 'from there on to the question that waits' within shows '2 of 3'
keys G
check 'a key gives up' within shows 'Given up: the answer is '
keys q
check 'its end brings the prompt' within shows '^(warpstep) *$'
check 'and the layout of before' within shows '▸ code'
enter 'layout datapath'
enter 'goto 300'
enter 'present'
check 'a drawing is shown large' within shows '┌scoreboard'
check 'with the notes below' shows '▸ notes'
check 'and no console' shows_not ' console '
keys 0
check 'so is the floor' within shows ' floor kernel'
check 'it has the notes, too' shows ' notes '
enter ':print 40 + 2'
check 'a command is answered' within shows '^42 *$'
check 'and the keys are back' shows 'KEYS'
keys 3
check 'another layout is shown as it is' within shows ' banks SM 0'
keys q
check 'the drawing of before is back' within shows '▸ datapath'
done_testing
