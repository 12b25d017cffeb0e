# The presets that stand for hardware are within 10 % of a published number wherever one was read, qv100 of Accel-Sim, or reasons.tsv says
# why not; and a reason goes when the difference does.
# long: what it holds against published numbers are the presets, whose measurements tests/silicon/measures.sh looks at
. tests/tap
OUT=$LOG/within
export OUT
for preset in volta a100 h100 qv100; do
	sh tests/silicon.sh table $preset >"$LOG/within.$preset"
	by=
	[ $preset = qv100 ] && by=.peer
	none "$preset: far off, or a reason for nothing" "$(cat "$OUT/$preset.far$by")"
	[ "$(awk -F '\t' -v column="${by:+7}" 'NR > 1 && $(column ? column : 5) != ""' "$OUT/$preset.tsv" | wc -l)" -gt 15 ]
	report "$preset: more than 15 numbers to compare with" $?
done
exit $failed
