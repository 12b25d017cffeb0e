# The laws of every scenario (laws.c): the first cycles of each, or with WARPSTEP_LONG all of them.
command -v xargs >/dev/null || { echo "xargs is missing"; exit 77; }
[ -x "$BUILD/tests/laws" ] || { echo "$BUILD/tests/laws has not been built"; exit 1; }
ls scenarios/*.scn scenarios/subcore/*.scn tests/ptx/*.scn tests/laws/*.scn 2>/dev/null |
	xargs -P "$(nproc)" -n 1 "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l}
