# How things look changes while the program runs: colours, background, signs; a saved session keeps it.
. tests/term/lib
begin 80 24
coloured() { T capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*3\([0-7]m\|8;5;\)"; }
cyan() { T capture-pane -p -e | grep -q "$(printf '\033')\[[0-9;]*38;5;80m"; }
enter "TERM=tmux-256color $WARPSTEP -q -e 'step 400' $PWD/scenarios/default.scn"
wait_for '^─ console'
check 'colours' within coloured
check 'of a dark background' within cyan
enter 'set style.background light'
check 'of a light background' within eval '! cyan'
check 'these are colours too' coloured
enter 'set style.color never'
check 'none' within eval '! coloured'
enter 'set style.color always'
check 'and again' within coloured
enter 'set style.signs ascii'
wait_for '^- console'
check 'ASCII alone' sh -c "! tmux -L $socket capture-pane -p | LC_ALL=C grep -q '[^ -~]'"
enter 'set style.signs unicode'
check 'and lines' within shows '^─ console'
enter 'set style.color sometimes'
check 'a wrong word' shows 'sometimes'
type 'set style.b'
keys Tab
type 'l'
keys Tab
check 'settings and their words are completed' within shows '^(warpstep) set style.background light'
keys C-u
enter 'spark ipc'
enter 'set style.signs ascii'
enter "save session $work/s"
wait_for '^written'
keys C-d
wait_for '^sh> *$'
check 'a saved session keeps the last' [ "$(grep -c 'set style' "$work/s")" = 3 ]
check 'and spark lines' grep -q '^spark ipc' "$work/s"
enter "clear; $WARPSTEP -q --trust -x $work/s"
wait_for '^- console'
check 'and brings them back' shows 'cycle 400 '
keys C-d
wait_for '^sh> *$'
done_testing
