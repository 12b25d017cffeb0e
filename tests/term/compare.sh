# Two machines side by side: the layout, steps that move both, the keys of the pane, B as the run, more machines that Ctrl-C ends.
. tests/term/lib
begin 80 24
enter "$WARPSTEP -q --trust $PWD/scenarios/matmul.scn"
wait_for '^─ console'
enter 'layout compare'
wait_for '^▸ compare'
check 'nothing is compared yet' shows 'no comparison yet'
enter 'compare order=lrr'
within shows '^first difference in cycle 5:'
enter 'goto 900'
wait_for '  cycle 900 '
check 'both sides, their timelines, what differs' shows '^─ A warps SM 0 .*┬─ B warps SM 0'
within shows '^B timeline SM 0 '
within shows '^─ difference A unchanged | B order=lrr .* 83 differ'
check 'where they part' shows '^▸ compare A unchanged | B order=lrr .* first difference in cycle 5'
keys Escape
wait_for KEYS
check 'the keys of the pane' shows '^ x difference  X why both'
keys s
wait_for '  cycle 901 '
within shows '866 to 937, 1 per column'
keys S
wait_for '  cycle 900 '
within shows '865 to 936, 1 per column'
check 'a step moves both, and back' shows '^B timeline SM 0 .*865 to 936'
keys x
wait_for '  cycle 5 '
within shows '^▸   0    1 \*     0 *│▸   0    1 e     1'
check 'x goes to where they part' true
keys :
wait_for '^(warpstep) *$'
enter 'compare swap'
within shows "B is now the session's run"
enter 'step'
within shows '  lrr  cycle 1 '
check 'B is the run' true
keys C-d
check 'Ctrl-D asks where an input is not saved' within shows '^quit or Ctrl-D again exits and loses 1 input '
keys C-d
wait_shell
enter "$WARPSTEP -q --trust $PWD/tests/reproduce/tlp/fft.scn"
wait_for '^─ console'
enter 'compare order=gto,oldest,rba,elf lat.int=2,3,4,5,6,7,8 lat.fp32=4,5'
within shows '^2 of 5[67] machines have finished'
keys C-c
within shows '^interrupted: results so far'
check 'Ctrl-C keeps what is done' shows 'not run'
keys C-d
wait_shell
done_testing
