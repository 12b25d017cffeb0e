# The panes of values: the cursor of `data` by keys, types, an address followed and back, an element written; the lanes of
# `registers` by keys; both at another size.
. tests/term/lib
begin 80 24
enter "$WARPSTEP -q $PWD/scenarios/reduce.scn"
wait_for '^─ console'
enter 'goto 2013'
wait_for 'cycle 2,013 '
enter 'layout data'
wait_for '^▸ data a s32\[8192\]'
check 'the first buffer' shows '\[0\] 48 ─$'
enter 'data shared as s32'
wait_for '^▸ data shared s32\[256\] SM 0 w0 CTA 0'
keys Escape
wait_for KEYS
check 'its keys first' shows '^ Right element  Down row  t type  x hex'
keys Right Right
within shows '0x8  \[2\] -34 ─$'
check 'the mark stands before the element' shows '122▸        -34'
keys Down
within shows '0x18  \[6\] -79 ─$'
keys Up Left
within shows '\[1\] 122 ─$'
keys x
within shows '\[1\] 0000007a ─$'
keys t
within shows '^▸ data shared u64\[128\]'
keys T x
within shows '^▸ data shared s32\[256\]'
check 'in silence' shows_not 'warpstep) data as'
keys e
wait_for '^(warpstep) set var sm\[0\].warp\[0\].shared.s32\['
type '5'
keys Enter
check 'an element is written' within shows '\] 5 ─$'
keys u
check 'and that undone' within shows_not '\] 5 ─$'
keys n
check 'what a step has not changed has no star' shows_not '\*  *[0-9]'
keys Tab
wait_for '^▸ registers SM 0 w0 CTA 0'
keys Right
wait_for '▸1 '
keys x
within shows '  use .* ▸1'
keys Left Left
check 'Left from the first lane goes to the last, and the columns with it' within shows ' ▸31$'
keys Home
check 'Home: the first active one' within shows '▸0 '
keys :
wait_for '^(warpstep)'
resize 120 40
wait_for '^▸ registers .*dead [0-9]*  Σ 10 ✓ ─$'
check 'more lanes where there is room' shows '▸0  *1  *2  *3  *4  *5  *6  *7'
resize 40 10
wait_for '^▸ registers SM 0 w0'
check 'the mark is there at 40 columns' shows '▸0'
done_testing
