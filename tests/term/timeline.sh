# The timeline's keys: columns back and on, coarser and finer, marks; its cursor is the time of every pane; the bar's hints and the
# list of keys are those of the focused pane.
. tests/term/lib
begin 80 24
enter "$WARPSTEP -q $PWD/scenarios/default.scn"
wait_for '^─ console'
enter 'layout timeline'
wait_for '^▸ timeline'
check 'the pane that a layout is named after has the focus' true
check 'at the prompt: commands for the pane' shows '^ type goto 100, spark ipc'
enter 'goto 450'
wait_for 'cycle 450 '
keys Escape
wait_for KEYS
check 'among the keys: those of the pane first' shows '^ Left column back  Right on  \. finer  , coarser'
keys Left
wait_for 'cycle 449 '
check 'Left goes a cycle back' shows '449 ▾'
check 'what was known stays on the right' shows '450, 1 per column'
check 'the other panes follow' shows 'slots Σ 898 ✓'
keys ,
wait_for '2 per column'
check 'a comma is coarser, in silence' shows_not 'warpstep) set time.zoom'
keys Left
wait_for 'cycle 447 '
check 'a column is two cycles' true
keys m
within shows 'p1▾'
keys Right Right
wait_for 'cycle 451 '
check 'a checkpoint stays where it was made' shows 'p1◆.▾'
keys .
wait_for '1 per column'
keys Home
wait_for 'cycle 0 '
keys End
wait_for 'cycle 451 '
check 'Home and End' true
keys v
wait_for '^(warpstep) spark'
enter 'slots.pipeline / slots.total'
within shows '^ slots.pipeline 1 '
check 'v adds a spark line' shows KEYS
keys '?'
wait_for 'keys and commands pane timeline first'
check 'the list begins with the keys of the pane' shows '^▸ Left *goto {cycle-}'
type 'goto '
within shows 'goto {tip}'
check 'a key that means something else here is not listed' shows_not 'focus sub'
keys Escape
within shows_not 'keys and commands'
keys l
wait_for 'legend of timeline'
check 'a legend that is wider than the screen goes on in the next row' shows '^ F fetch .*X preempting$'
keys Escape
within shows_not 'legend of'
keys Tab
wait_for '▸ warps'
check 'the hints follow the focus' shows '^ j warp  & filter  o sort'
keys Tab
wait_for '▸ subcores'
keys w
within shows '^see: explain'
check 'a key of the pane' shows 'outcome\|its pool\|the rule'
keys q
within shows '^ q again exits and loses 1 checkpoint '
keys q
wait_shell
done_testing
