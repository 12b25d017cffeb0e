# table.awk - values of a preset beside others: bench, unit, ours, measured, published, percent, Accel-Sim, percent, source, reason
#
# A line for each published number; percent is ours over the measured one, or else over the published one, then ours over
# Accel-Sim's; reason: why ours is far off, at the first line of a bench. Files: values of the preset, values measured on the device and
# values of Accel-Sim (may be empty), reasons.tsv, published.tsv. With want=far: benches that are further off than 10 % from all they are
# compared with (by=published or peer) and have no reason, or have one and are not.

BEGIN { FS = OFS = "\t"; if (want != "far") print "bench", "unit", preset, "measured", device, "percent", "Accel-Sim", "percent", "source", "reason" }
FILENAME ~ /measured.values$/ { measured[$1] = $2; next }
FILENAME ~ /peer.values$/ { peer[$1] = $2; next }
FILENAME ~ /reasons.tsv$/ { if ($1 == preset) reason[$2] = $3; next }
FILENAME ~ /published.tsv$/ {
	if ($0 !~ /^#/ && index("|" device "|", "|" $1 "|") && $3 != "" && $7 != "other")
		published[$2, ++count[$2]] = $3 OFS $1 ", " $5 ($7 == "read" ? "" : " (" $7 ")")
	next
}
{ ours[$1] = $2; unit[$1] = $3; order[++rows] = $1 }

function percent(mine, theirs) {
	return mine == "-" || theirs == "" || theirs == "-" || theirs == 0 ? "" : sprintf("%+.0f %%", 100 * (mine / theirs - 1))
}

# How far are two numbers apart? in percent
function apart(mine, theirs,    d) {
	if (mine == "-" || theirs == "" || theirs == "-" || theirs == 0)
		return -1
	d = 100 * (mine / theirs - 1)
	return d < 0 ? -d : d
}

# A bench that is judged wrongly
function far(name,    i, d, least, p) {
	least = by == "peer" ? apart(ours[name], peer[name]) : -1
	for (i = 1; by != "peer" && i <= count[name]; i++) {
		split(published[name, i], p, OFS)
		d = apart(ours[name], p[1])
		if (d >= 0 && (least < 0 || d < least))
			least = d
	}
	if (least > 10 && !(name in reason))
		print name ": " ours[name] " is " int(least) " % off"
	if (least <= 10 && name in reason)
		print name ": has a reason, and is not far off"
}

END {
	if (want == "far") {
		for (r = 1; r <= rows; r++)
			far(order[r])
		exit
	}
	for (r = 1; r <= rows; r++) {
		name = order[r]
		gpu = name in measured ? measured[name] : ""
		for (i = 1; i <= count[name] || i == 1; i++) {
			split(count[name] ? published[name, i] : OFS, p, OFS)
			print name, unit[name], ours[name], gpu, p[1], percent(ours[name], gpu != "" ? gpu : p[1]), \
				peer[name], percent(ours[name], peer[name]), p[2], i == 1 ? reason[name] : ""
		}
	}
}
