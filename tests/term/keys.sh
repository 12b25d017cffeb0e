# Single keys: each runs its line and shows it; the list of keys is searched and run; the focus moves.
. tests/term/lib
begin 80 24
enter "$WARPSTEP"
wait_for '^─ console'
check 'the first screen shows the machine at cycle 0' shows 'cycle 0 .*prompt  stopped'
check 'and how to begin' shows 'type step, next, continue, run'
keys Escape
wait_for KEYS
keys s s s
wait_for 'cycle 3 '
check 's shows the command that it is' shows '^(warpstep) step'
keys S
wait_for 'cycle 2 '
check 'S steps back' shows '^(warpstep) reverse-step'
keys g
wait_for '^(warpstep) goto'
enter 400
wait_for 'cycle 400 .*KEYS'
check 'g takes its number at the prompt, and the keys come back' true
keys n
within shows '^(warpstep) next'
check 'n goes to the next issue' shows 'the focused warp issued'
keys j
wait_for 'focus warp 2: sm 0 sub 0 warp 2'
check 'j moves the focused warp' shows '^▸ *2  *0 '
keys k
wait_for 'focus warp 0: '
keys b
wait_for '^breakpoint 1: .*kernel == 0'
check 'b stops where the focused warp stands' true
keys u
within shows '^undone: '
check 'u takes a command back' shows '^undone: next'
check 'the cursor stands on the focused row' cursor_at 3 0
keys Tab
wait_for '▸ subcores'
check 'Tab moves the focus' true
keys z
within shows_not '^─ code'
check 'z shows the focused pane alone' shows '^▸ subcores'
keys z BTab
wait_for '▸ warps'
keys l
wait_for 'legend of warps'
check 'l shows the legend' shows 'issued  e eligible'
keys Escape
within shows_not 'legend of'
keys '?'
wait_for '^─ keys and commands'
type 'winh'
wait_for '1 to [0-9]* of'
check 'the list is searched by typing' shows_not ' reverse-step '
keys Escape
within shows_not 'keys and commands'
keys F1
wait_for 'keys and commands'
type 'reverse-st'
within shows_not ' winheight'
keys Enter
within shows '^(warpstep) reverse-step'
check 'Enter runs the chosen line' shows_not 'keys and commands'
keys 3
wait_for '▸ banks'
check '3 shows the banks, with the focus' true
keys X
wait_for 'X is not bound here'
check 'a key without meaning says so' true
keys :
within shows 'prompt  stopped'
check 'the cursor stands at the prompt' cursor_at 22 11
enter 'key x = step 100'
enter 'layout mine = warps*2+banks:2 console:1'
within shows_not '─ code'
check 'a layout of the user, where the focus stays' shows '┬▸ banks'
enter 'layout mine = nothing:1'
within shows 'unknown pane'
check 'a layout that is wrong says where' shows "unknown pane 'nothing'"
keys Escape
wait_for KEYS
keys x
within shows '^(warpstep) step 100'
check 'a key of the user' true
keys q
check 'q asks where a stop would be lost' shows '^ q again exits and loses 1 stop '
keys j
within shows_not 'q again leaves'
keys q
check 'and asks anew after another key' shows '^ q again exits and loses 1 stop '
keys :
enter "save session $work/kept"
within shows 'prompt  stopped'
keys Escape
wait_for KEYS
keys q
wait_shell
check 'q leaves at once where all is saved' grep -q '^break' "$work/kept"
done_testing
