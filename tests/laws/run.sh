# The laws of every scenario (laws.c): the first cycles of each, or with WARPSTEP_LONG all of them.
command -v xargs >/dev/null || { echo "xargs is missing"; exit 77; }
[ -x "$BUILD/tests/laws" ] || { echo "$BUILD/tests/laws has not been built"; exit 1; }
status=0
ls scenarios/*.scn scenarios/subcore/*.scn tests/ptx/*.scn tests/laws/*.scn 2>/dev/null |
	xargs -P "$(nproc)" -n 1 "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} || status=1
# Programs that fault, which SMs that run ahead of each other find too early.
ls tests/laws/faults/*.scn | xargs -n 1 "$BUILD/tests/laws" -w ahead || status=1
ls tests/laws/faults/*.scn | xargs -n 1 "$BUILD/tests/laws" -w threads || status=1
exit $status
