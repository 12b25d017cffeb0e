# Wide and combining characters at the prompt and in the console: shown, with the cursor where it belongs.
. tests/term/lib
cursor() { T display -p '#{cursor_x}'; }
at() { [ "$(cursor)" = "$1" ]; }
begin 60 24
enter "$WARPSTEP -q $PWD/scenarios/default.scn"
wait_for '^─ console'
type 'echo 中文字 한'
check 'wide characters stand at the prompt' within shows '^(warpstep) echo 中文字 한$'
check 'the cursor behind them' within at 25
keys Left
check 'Left goes over a whole character' within at 23
keys Left Left Left
check 'and over another' within at 18
keys BSpace
within shows '^(warpstep) echo 文字 한$'
check 'one is deleted' within at 16
keys C-e C-u
type "echo e$(printf '\314\201')a$(printf '\314\203\314\202') z"
check 'combining characters take no room' within at 20
keys Left Left Left
check 'the cursor stands on the letter under its marks' within at 17
keys Enter
check 'the console shows them' within shows "^e$(printf '\314\201')a"
type 'echo 一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十'
within shows '十$'
check 'a line longer than the screen is scrolled' shows '^<'
check 'the cursor is in sight' eval '[ "$(cursor)" -lt 60 ]'
keys C-a
within shows '>$'
check 'and back' within at 11
keys C-e
keys Enter
within shows '^九十一二三四五六七八九十$\|^一二三.*十$'
check 'a line of the console is wrapped between characters' shows_not '?'
resize 41 24
within shows '^─ console ─\{31\}'
check 'at an odd width too' shows_not '?'
keys C-d
wait_for '^sh> *$'
done_testing
