# The panes source and code: the PTX of a line below it, beside it where there is room; a cursor that keys move, at which b sets a
# stop and takes it away, to which Enter runs; Esc lets it follow the focused warp again.
. tests/term/lib
begin 80 24
enter "$WARPSTEP -q $PWD/scenarios/slow.scn"
wait_for '^─ console'
enter 'layout source'
wait_for '^▸ source'
enter 'step 240'
wait_for 'cycle 240 '
check 'the chain of functions' shows 'w0: slow.cu:5 (square) inlined at slow.cu:13 (length2) inlined at slow.cu:21'
check 'the PTX of the line is below it' shows '▸ 16 fma.rn.f32'
keys Escape
wait_for KEYS
keys Down Down Down Down Down
check 'the cursor has gone on' within shows '^→ *10 .*float sum = 0'
check 'the warp stays' shows '^▸ *5 \|slow.cu:5 (square)'
keys b
wait_for '^→b *10 '
check 'b sets a stop there' shows 'breakpoint 1: pc slow.cu:10'
keys b
within shows '^→ *10 '
check 'and takes it away' shows 'breakpoint 1 is deleted'
keys Up Up Up Up Up
wait_for '^→ *5 '
keys Enter
wait_for '(warpstep) advance slow.cu:5'
check 'Enter runs to it' shows 'issued 16 fma.rn.f32'
keys Escape
within shows_not '^→'
check 'Esc follows the warp again, among the keys' shows KEYS
resize 160 40
check 'the PTX stands beside the source' within shows '│ .* 16 *5 fma.rn.f32'
resize 80 24
within shows_not '│ .* 16 *5 fma.rn.f32'
wait_for KEYS
keys Escape
wait_for '^ type '
enter 'layout code'
wait_for '^▸ code'
keys Escape
wait_for KEYS
keys Down Down
within shows '^→'
keys b
check 'a stop at an instruction' within shows '^→b'
keys b
check 'and none any more' within shows_not '^→b'
keys q
wait_shell
done_testing
