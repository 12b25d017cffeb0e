# While the machine runs the screen follows it, and any key or Ctrl-C pauses; going back can be paused too.
. tests/term/lib
cat >"$work/long.scn" <<'END'
gpu volta
set gpu.sms 4
synthetic long body 40 iterations 100000 mix fp32 70 int 30 distance 3
launch long grid 400 block 256
END
begin 80 24
enter "$WARPSTEP -q $work/long.scn"
wait_for '^─ console'
enter continue
wait_for 'running: any key pauses'
check 'it says that it runs' true
first=$(screen | sed -n 's/.*cycle \([0-9,]*\).*/\1/p' | head -n 1)
moved() { [ "$(screen | sed -n 's/.*cycle \([0-9,]*\).*/\1/p' | head -n 1)" != "$first" ]; }
check 'the screen follows' within moved
keys Space
wait_for 'interrupted'
check 'a key pauses' shows stopped
enter continue
wait_for 'running: any key pauses'
keys C-c
within shows_not 'running: any'
check 'Ctrl-C pauses' shows 'interrupted'
enter continue
wait_for 'running: any key pauses'
resize 100 30
within shows '^─ console ─\{80,\}'
check 'a new size while it runs' shows 'running'
keys x
within shows_not 'running: any'
check 'a letter that pauses begins the next line' within shows '^(warpstep) x$'
keys C-u
keys Escape
wait_for KEYS
keys c
wait_for 'running: any key pauses'
keys c
within shows_not 'running: any'
check 'single keys pause and go on' shows KEYS
keys :
within shows_not KEYS
enter 'goto 0'
within shows 'cycle 0 '
enter 'goto 300000'
CEILING=600
within shows 'cycle 300,000 .*stopped'
enter hash
wait_for '^[0-9a-f]\{16\}$'
drawn=$(screen | grep '^[0-9a-f]\{16\}$')
check 'frames on the way change nothing' \
	[ "$drawn" = "$("$WARPSTEP" -b -q -e 'goto 300000' -e hash -e quit "$work/long.scn" | grep '^[0-9a-f]\{16\}$')" ]
keys C-d
wait_shell
done_testing
