# The laws of one scenario (laws.c): its first cycles, or with WARPSTEP_LONG all of them. Of programs that fault or never end, only the laws
# that do not need an end: a fault is found by an SM that runs ahead before others are there, and is the same one nevertheless. Of one that
# races, whose results are those of its order of warps, only the laws that do not compare results. The first scenarios are those that the
# list of mutants names (tests/mutants), and one for each mechanism that they leave out. With WARPSTEP_MORE more of their cycles.
# each: tests/laws/atomics.scn tests/laws/barriers.scn tests/laws/chimera.scn tests/laws/constants.scn tests/laws/copies.scn tests/laws/deadline.scn
# each: tests/laws/dyncta.scn tests/laws/evsync.scn tests/laws/evws.scn tests/laws/exits.scn tests/laws/ivws.scn tests/laws/memory.scn
# each: tests/laws/modern.scn tests/laws/reexec.scn tests/laws/restart.scn tests/laws/reuse4.scn tests/laws/sectors.scn tests/laws/slices4.scn
# each: scenarios/bfs.scn scenarios/matmul.scn tests/laws/later.scn tests/laws/faults/*.scn
# each more: tests/ptx/spill.scn tests/laws/readers.scn tests/laws/swl.scn scenarios/multi/idempotent.scn
# each long: scenarios/*.scn scenarios/subcore/*.scn scenarios/elf/*.scn scenarios/multi/*.scn scenarios/tlp/*.scn scenarios/vws/*.scn
# each long: scenarios/course/*.scn scenarios/faults/*.scn scenarios/labs/*.scn tests/ptx/*.scn tests/laws/*.scn
[ -e "$1" ] || { echo "usage: $0 SCENARIO"; exit 1; }
[ -x "$BUILD/tests/laws" ] || { echo "$BUILD/tests/laws has not been built"; exit 1; }
endless="walk reverse journal again lanes sinks order sleep ahead threads sums events allocation neutral kills pairs places flushes"
racing="$endless steady told conservation elf"
case $1 in
tests/laws/faults/*) exec "$BUILD/tests/laws" -w ahead -w threads "$1" ;;
scenarios/faults/barrier.scn | scenarios/faults/lock.scn | scenarios/faults/overflow.scn)
	exec "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} $(printf ' -w %s' $endless) "$1" ;;
scenarios/labs/12-deadlock.scn) exec "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} $(printf ' -w %s' $endless | sed 's/ -w kills//') "$1" ;;
scenarios/faults/race.scn | scenarios/labs/11-race.scn) exec "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} $(printf ' -w %s' $racing) "$1" ;;
*) exec "$BUILD/tests/laws" ${WARPSTEP_LONG:+-l} "$1" ;;
esac
