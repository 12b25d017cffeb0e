# table.awk - values of a preset beside others: bench, unit, ours, measured, published, percent, Accel-Sim, percent, source
#
# A line for each published number; percent is ours over the measured one, or else over the published one, then ours over
# Accel-Sim's. Files: values of the preset, values measured on the device and values of Accel-Sim (may be empty), published.tsv.

BEGIN { FS = OFS = "\t"; print "bench", "unit", preset, "measured", device, "percent", "Accel-Sim", "percent", "source" }
FILENAME ~ /measured.values$/ { measured[$1] = $2; next }
FILENAME ~ /peer.values$/ { peer[$1] = $2; next }
FILENAME ~ /published.tsv$/ {
	if ($0 !~ /^#/ && index("|" device "|", "|" $1 "|") && $3 != "" && $7 != "other")
		published[$2, ++count[$2]] = $3 OFS $1 ", " $5 ($7 == "read" ? "" : " (" $7 ")")
	next
}
{ ours[$1] = $2; unit[$1] = $3; order[++rows] = $1 }

function percent(mine, theirs) {
	return mine == "-" || theirs == "" || theirs == "-" || theirs == 0 ? "" : sprintf("%+.0f %%", 100 * (mine / theirs - 1))
}

END {
	for (r = 1; r <= rows; r++) {
		name = order[r]
		gpu = name in measured ? measured[name] : ""
		for (i = 1; i <= count[name] || i == 1; i++) {
			split(count[name] ? published[name, i] : OFS, p, OFS)
			print name, unit[name], ours[name], gpu, p[1], percent(ours[name], gpu != "" ? gpu : p[1]), \
				peer[name], percent(ours[name], peer[name]), p[2]
		}
	}
}
