# What the schedulers of an SM will choose is told before they choose, so that the SM can go on alone (engine.ahead): it is what they
# choose then, by whatever their order goes, with two schedulers in a sub-core and a table of loads that is soon full. Where it is told
# wrongly the run breaks off.
. tests/tap

# hash_of SCENARIO COMMAND...: the state at the end.
hash_of() {
	scenario=$1
	shift
	for line; do set -- "$@" -e "$line"; shift; done
	"$WARPSTEP" -n -q --trust "$@" -e restart -e run -e hash "$scenario" 2>&1 </dev/null | grep -E '^[0-9a-f]{16}$'
}

foreseen() {
	first=$(hash_of "$@")
	[ -n "$first" ] && [ "$first" = "$(hash_of "$@" 'set engine.ahead off')" ]
	report "$1, $2" $?
}

foreseen tests/ptx/foreseen.scn 'policy order=lrr'
foreseen tests/ptx/foreseen.scn 'policy order=gto'
foreseen scenarios/matmul.scn 'policy order=rba' 'set gpu.sms 3' 'set sm.schedulers 2' 'set rba.delay 0'
foreseen scenarios/matmul.scn 'policy order=two-level-active' 'set gpu.sms 3' 'set sm.schedulers 2'
exit $failed
