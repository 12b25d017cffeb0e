# Law flushes can fail: without the marks of instructions it finds CTAs that are flushed and must not be, of each kind; and with them
# CTAs are flushed that have written.
. tests/tap

# blind SCENARIO WHAT: without marks the law says that.
blind() {
	"$BUILD/tests/laws" -u -w flushes "$1" >"$LOG/flushes.out" 2>&1
	[ $? = 1 ] && grep -q "^not ok .* was flushed, but $2" "$LOG/flushes.out"
	report "without marks a CTA of $1 $2" $? "$(tail -n 1 "$LOG/flushes.out")"
}

blind scenarios/fdtd2d.scn "had overwritten what it had read"
blind tests/ptx/handover.scn "had written what another read"
blind scenarios/histogram256.scn "had executed an atomic"
"$BUILD/tests/laws" -l -w flushes scenarios/transpose.scn | grep -Eq 'of them [1-9][0-9]* after they had written'
report "CTAs are flushed after they have written" $?
exit $failed
