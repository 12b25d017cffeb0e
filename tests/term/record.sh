# What is recorded on the full screen, played in a terminal, is what was seen.
. tests/term/lib
begin 80 24
# The bytes of the events of a recording: strings of JSON, in which only these escapes stand.
bytes() {
	sed -n 's/^\[[0-9.]*,"o","\(.*\)"\]$/\1/p' "$1" | sed 's/\\"/"/g; s/\\u001B/\\033/g; s/%/%%/g' |
		while IFS= read -r line; do printf "$line"; done
}
enter "TERM=tmux-256color $WARPSTEP -q --trust -e 'step 400' $PWD/scenarios/default.scn"
wait_for '^─ console'
enter "record $work/a.cast"
enter 'why'
wait_for 'did not issue\|issued'
keys Escape
wait_for 'KEYS'
keys s s s
wait_for 'cycle 403 '
keys z z Tab
wait_for '▸ subcores'
keys l
wait_for 'Esc close'
keys Escape
wait_for 'Right sub-core'
keys s
wait_for 'cycle 404 '
resize 100 30
wait_for 'q quit'
T capture-pane -p >"$work/seen"
T capture-pane -p -e >"$work/seen.colours"
cp "$work"/.warpstep-* "$work/then.cast"
keys :
enter 'record off'
check 'its end tells how long it is' within shows 'a.cast: [0-9]* frames, [0-9.]* s'
keys C-d
wait_for '^sh> *$'
check 'it begins with the size' grep -q '^{"version":2,"width":80,"height":24,' "$work/a.cast"
check 'a new size is an event' grep -q '^\[[0-9.]*,"r","100x30"\]$' "$work/a.cast"
bytes "$work/then.cast" >"$work/bytes"
enter "clear; cat $work/bytes; read x"
wait_for 'q quit'
T capture-pane -p >"$work/played"
T capture-pane -p -e >"$work/played.colours"
check 'played, the same is seen' cmp "$work/seen" "$work/played"
check 'in the same colours' cmp "$work/seen.colours" "$work/played.colours"
done_testing
