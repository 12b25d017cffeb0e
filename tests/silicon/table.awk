# table.awk - values of a preset beside others. A line for each published number: bench, unit, ours, measured, sources, published, percent,
# Accel-Sim, percent, fit, source, reason
#
# sources: of a bench with several published numbers the lowest and the highest; percent is ours over the measured number, or else over the
# published one, then ours over Accel-Sim's; fit: the setting that was taken from a number of this bench, and from whose (fits.tsv); reason:
# why ours is far off. The last three of a bench, and its sources, stand at its first line. Files: values of the preset, values measured on
# the device and values of Accel-Sim (may be empty), reasons.tsv, fits.tsv, published.tsv. by: published (else) or peer, what benches are judged by.
#
# want=far: benches that have no reason and are more than 10 % off the nearest source (kind "nearest" in reasons.tsv), or more than a third
# off the farthest one (kind "spread"); and those with a reason of a kind that they do not need.
# want=counts: the counts of counts.awk, from the values.

BEGIN {
	FS = OFS = "\t"
	if (want == "")
		print "bench", "unit", preset, "measured", "sources", device, "percent", "Accel-Sim", "percent", "fit", "source", "reason"
}
FILENAME ~ /measured.values$/ { measured[$1] = $2; next }
FILENAME ~ /peer.values$/ { peer[$1] = $2; next }
FILENAME ~ /reasons.tsv$/ { if ($1 == preset) { kind[$2] = $3; reason[$2] = $4 } next }
FILENAME ~ /fits.tsv$/ { if ($1 == preset) fit[$2] = $3 " (" $4 ")"; next }
FILENAME ~ /published.tsv$/ {
	if ($0 !~ /^#/ && index("|" device "|", "|" $1 "|") && $3 != "" && $7 != "other") {
		published[$2, ++count[$2]] = $3 OFS $1 ", " $5 ($7 == "read" ? "" : " (" $7 ")")
		if (count[$2] == 1 || $3 + 0 < low[$2]) low[$2] = $3 + 0
		if (count[$2] == 1 || $3 + 0 > high[$2]) high[$2] = $3 + 0
	}
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

# How far is a bench off the nearest and the farthest of what it is judged by? Into nearest and farthest, below 0 if there is nothing.
function judge(name,    i, d, p) {
	nearest = farthest = by == "peer" ? apart(ours[name], peer[name]) : -1
	for (i = 1; by != "peer" && i <= count[name]; i++) {
		split(published[name, i], p, OFS)
		d = apart(ours[name], p[1])
		if (d >= 0 && (nearest < 0 || d < nearest))
			nearest = d
		if (d > farthest)
			farthest = d
	}
}

# A bench whose reason is missing, or is there for nothing
function far(name,    needs) {
	judge(name)
	needs = nearest > 10 ? "nearest" : 3 * farthest > 100 ? "spread" : ""
	if (needs != "" && !(name in reason))
		print name ": " ours[name] " is " int(nearest) " % off the nearest source, " int(farthest) " % off the farthest"
	else if (kind[name] != needs)
		print name ": has a reason for \"" kind[name] "\", and is " int(nearest) " to " int(farthest) " % off"
}

function counts(    r, name, fits, others, near, spread) {
	for (r = 1; r <= rows; r++) {
		judge(name = order[r])
		if (nearest < 0)
			continue
		spread += nearest <= 10 && 3 * farthest > 100
		if (name in fit) {
			fits++
			near["fits"] += nearest <= 10
		} else {
			others++
			near["others"] += nearest <= 10
		}
	}
	print preset, fits + 0, near["fits"] + 0, others + 0, near["others"] + 0, spread + 0
}

END {
	if (want == "counts")
		counts()
	for (r = 1; r <= rows; r++) {
		name = order[r]
		if (want == "far")
			far(name)
		if (want != "")
			continue
		gpu = name in measured ? measured[name] : ""
		for (i = 1; i <= count[name] || i == 1; i++) {
			split(count[name] ? published[name, i] : OFS, p, OFS)
			range = (i == 1 && count[name] > 1) ? low[name] ".." high[name] : ""
			print name, unit[name], ours[name], gpu, range, p[1], \
				percent(ours[name], gpu != "" ? gpu : p[1]), peer[name], percent(ours[name], peer[name]), i == 1 ? fit[name] : "", p[2], \
				i == 1 ? reason[name] : ""
		}
	}
}
