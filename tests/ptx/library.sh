# The library is complete: every source has its PTX, every kernel in it is launched by a scenario, README names them all.
. tests/tap

none "every kernel's source has its PTX" "$(for cu in scenarios/kernels/*.cu scenarios/*/kernels/*.cu; do
	[ -e "${cu%.cu}.ptx" ] || echo "$cu"; done)"
none "the PTX names no directory of whoever made it" "$(grep -l '\.file.*"/' scenarios/kernels/*.ptx scenarios/*/kernels/*.ptx)"
none "every kernel is launched by a scenario" "$(sed -n 's/^.*\.entry \([a-z0-9_]*\).*/\1/p' scenarios/kernels/*.ptx \
	scenarios/*/kernels/*.ptx | while read -r kernel; do grep -q "^ *launch $kernel " scenarios/*.scn scenarios/*/*.scn || echo "$kernel"; done)"
none "every scenario says what to watch and checks something" "$(for scenario in scenarios/*.scn scenarios/*/*.scn; do
	grep -q '^note "' "$scenario" && grep -q '^  \(check\|expect\) ' "$scenario" || echo "$scenario"; done)"
none "README lists every scenario" "$(for scenario in scenarios/*.scn scenarios/*/*.scn; do
	name=$(basename "$scenario" .scn)
	[ "$name" = default ] || grep -q "^|.*\<$name\>" README.md || echo "$name"; done)"
none "every file of data is read" "$(for file in scenarios/data/*; do
	grep -q "data/$(basename "$file")" scenarios/*.scn tests/reproduce/*/*.scn || echo "$file"; done)"
exit $failed
