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
keys Space
check 'a question holds it back' within shows 'answer'
check 'and the first step stays' shows '1 of 3'
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
keys q
check 'its end brings the prompt' within shows '^(warpstep) *$'
check 'and the layout of before' within shows '▸ code'
done_testing
