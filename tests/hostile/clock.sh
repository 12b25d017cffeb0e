# When keyframes are laid depends on the host's clock, what is printed never: transcripts under clocks that jump. Each clock one
# transcript in twelve, others under each; with WARPSTEP_MORE all under each.
. tests/tap
library=$LOG/clock.so
if ! ${CC:-cc} -O1 -shared -fPIC -o "$library" tests/hostile/clock.c 2>/dev/null || nm "$WARPSTEP" | grep -q __asan_init; then
	echo "1..0 # no library can be loaded before the program"
	exit 77
fi
seed=0
for most in 0.00001 0.001 0.1; do
	n=0 other=
	seed=$((seed + 1))
	for script in tests/golden/*.cmd; do
		n=$((n + 1))
		[ -n "$WARPSTEP_MORE$WARPSTEP_LONG" ] || [ $((n % 12)) = "$seed" ] || continue
		CLOCK_SEED=$seed CLOCK_MOST=$most LD_PRELOAD=$library sh tests/golden/run.sh "$script" >"$LOG/clock.said" 2>&1 </dev/null ||
			other="$other${script##*/} "
	done
	none "transcripts under a clock that jumps by up to $most s" "$other"
done
exit $failed
