# The presets that stand for hardware are within 10 % of the nearest published number wherever one was read, and within a third of the
# farthest, qv100 of Accel-Sim, or reasons.tsv says why not; and a reason goes when the difference does. What README and the manual count is
# what comes out. The setting of a fit moves its bench.
# long: what it holds against published numbers are the presets, whose measurements tests/silicon/measures.sh looks at
. tests/tap
OUT=$LOG/within
export OUT

# value PRESET NAME: what a bench shows there; what its expression needs of others is measured, too
value() {
	sh tests/silicon.sh run "$1" "$2" $(sed -n "s/^$2 .*v\[\"\([^\"]*\)\"\].*/\1/p" tests/silicon/benches.txt) >"$OUT/moved.raw"
	sh tests/silicon.sh values "$OUT/moved.raw" | awk -F '\t' -v name="$2" '$1 == name { print $2 }'
}

# moves PRESET NAME SETTING: the bench is another one when the setting is twice or half as much
moves() {
	was=$(awk -F '\t' -v name="$2" '$1 == name { print $2 }' "$OUT/$1.values")
	now=$(awk -v name="$3" '$1 == "set" && $2 == name { print $3 }' "scenarios/gpu/$1.gpu")
	for other in $((2 * now)) $((now / 2)); do
		[ "$other" -gt 0 ] || continue
		value "$1,$3=$other" "$2" | awk -v was="$was" '{ exit !($1 != "-" && ($1 > 1.02 * was || $1 < 0.98 * was)) }' && return
	done
	return 1
}

for preset in volta a100 h100 qv100; do
	sh tests/silicon.sh table $preset >"$LOG/within.$preset"
	none "$preset: far off, or a reason for nothing" "$(cat "$OUT/$preset.far")"
	[ "$(cat "$OUT/$preset.counts")" = "$(sh tests/silicon.sh count $preset)" ]
	report "$preset: counts" $? "$(cat "$OUT/$preset.counts"), not $(sh tests/silicon.sh count $preset)"
	[ "$(awk -F '\t' '{ print $2 + $4 }' "$OUT/$preset.counts")" -gt 10 ]
	report "$preset: more than ten benches to compare with" $?
	awk -F '\t' -v preset=$preset '$1 == preset { print $2, $3 }' tests/silicon/fits.tsv >"$OUT/fits"
	while read -r name setting; do
		moves $preset "$name" "$setting"
		report "$preset: $setting moves $name" $?
	done <"$OUT/fits"
done
exit $failed
