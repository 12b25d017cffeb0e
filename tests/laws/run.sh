# The laws of one scenario (laws.c): its first cycles, or with WARPSTEP_LONG all of them. Of programs that fault, which SMs that run
# ahead of each other find too early, those laws alone.
# each: scenarios/*.scn scenarios/subcore/*.scn scenarios/elf/*.scn scenarios/multi/*.scn tests/ptx/*.scn tests/laws/*.scn tests/laws/faults/*.scn
[ -e "$1" ] || { echo "usage: $0 SCENARIO"; exit 1; }
[ -x "$BUILD/tests/laws" ] || { echo "$BUILD/tests/laws has not been built"; exit 1; }
case $1 in
*/faults/*) exec "$BUILD/tests/laws" -w ahead -w threads "$1" ;;
*) exec "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} "$1" ;;
esac
