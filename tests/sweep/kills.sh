# long: 1,000 points, 100 random kills: minutes
# A sweep of POINTS points whose driver, workers and writers are killed at KILLS random moments comes to the same rows as one that
# is left alone, and no point runs twice to its end.
. tests/tap
. tests/sweep/lib
points=${POINTS:-1000} kills=${KILLS:-100}
points "$points" 2 >"$work/k.scn"
"$WARPSTEP" -q --sweep "$work/k.scn"
dump "$work/k.db" >"$work/whole"
holds "$points rows and a plan" test "$(wc -l <"$work/whole")" = $((points + 1))
killed "$work/k.scn" "$work/killed.db" 0.6 "$kills" 2>/dev/null
dump "$work/killed.db" >"$work/dump"
holds "$(cat "$work/kills") kills, then resumed: the same rows" cmp "$work/whole" "$work/dump"
holds "... and these were most of the $kills that were meant" test "$(cat "$work/kills")" -gt $((kills / 2))
sed -e 's/.*--run-job.*/job/' -e 's/.*--sweep.*/driver/' -e 's/.*parallel.*/parallel/' "$work/moments" | sort | uniq -c | sed 's/^/# killed: /'
twice=$("$WARPSTEP" --results "$work/killed.db" host | awk 'NR > 1 && $2 != 1')
none "no point ran twice to its end" "$twice"
exit $failed
