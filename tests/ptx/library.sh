# The library is complete: every source has its PTX, every kernel in it is launched by a scenario, whose head says what it is.
. tests/tap

none "every kernel's source has its PTX" "$(for cu in scenarios/kernels/*.cu scenarios/*/kernels/*.cu; do
	[ -e "${cu%.cu}.ptx" ] || echo "$cu"; done)"
none "the PTX names no directory of whoever made it" "$(grep -l '\.file.*"/' scenarios/kernels/*.ptx scenarios/*/kernels/*.ptx)"
none "every kernel is launched by a scenario" "$(sed -n 's/^.*\.entry \([a-z0-9_]*\).*/\1/p' scenarios/kernels/*.ptx \
	scenarios/*/kernels/*.ptx | while read -r kernel; do grep -q "^ *launch $kernel " scenarios/*.scn scenarios/*/*.scn || echo "$kernel"; done)"
none "every scenario says what to watch and checks something" "$(for scenario in scenarios/*.scn scenarios/*/*.scn; do
	grep -q '^note "' "$scenario" && grep -q '^  \(check\|expect\) ' "$scenario" || echo "$scenario"; done)"
none "the head of every scenario says what it is" "$("$WARPSTEP" --plain -n -q -e 'help scenarios' -e quit </dev/null 2>/dev/null >"$LOG/scenarios"
	for scenario in scenarios/*.scn scenarios/*/*.scn; do
		name=${scenario#scenarios/}
		grep -q "^  ${name%.scn}  *[^ ].*[.?!]\$" "$LOG/scenarios" || echo "${name%.scn}"; done)"
none "every file of data is read" "$(for file in scenarios/data/*; do
	grep -q "data/$(basename "$file")" scenarios/*.scn tests/reproduce/*/*.scn || echo "$file"; done)"
exit $failed
