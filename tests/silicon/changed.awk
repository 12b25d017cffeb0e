# changed.awk - what a change of a kernel saves, of ours beside a GPU's: awk -f changed.awk OURS MEASURED. A line for each change: kernel,
# change, silicon before and after (cycles from the first CTA's start to the last one's end, from cold caches), ours, the two ratios of
# after to before, and whether ours says what the GPU does: same (within a tenth), right (the same direction, or both below a twentieth), WRONG.
BEGIN {
	FS = OFS = "\t"
	print "kernel", "change", "silicon", "after", "ours", "after", "ratio", "ours", "verdict"
}
{ sub(/\.scn$/, "", $1) }
FILENAME ~ /ours$/ { ours[$1] += $4; next }
/^#/ {
	if (match($0, /[0-9]+ MHz/))
		mhz = substr($0, RSTART, RLENGTH) + 0
	next
}
$2 ~ /^[0-9]+$/ && $1 in ours {
	if (!($1 in silicon))
		order[++rows] = $1
	silicon[$1] += $12 * mhz / 1000
}
END {
	for (r = 1; r <= rows; r++) {
		name = order[r]
		split(name, part, ".")
		if (part[2] == 0) {
			first = name
			continue
		}
		if (substr(first, 1, length(part[1]) + 1) != part[1] ".")
			continue
		theirs = silicon[name] / silicon[first]
		mine = ours[name] / ours[first]
		off = mine / theirs
		verdict = off > 1 / 1.1 && off < 1.1 ? "same" : (theirs - 1) * (mine - 1) > 0 || (theirs > 0.95 && theirs < 1.05 && mine > 0.95 && mine < 1.05) ? "right" : "WRONG"
		n[verdict]++
		error += off > 1 ? log(off) : -log(off)
		print part[1], part[2] " " part[3], sprintf("%.0f", silicon[first]), sprintf("%.0f", silicon[name]), ours[first], ours[name], sprintf("%.2f", theirs),
			sprintf("%.2f", mine), verdict
		all++
	}
	printf "%d changes of kernels: %d within a tenth, %d more in the right direction, %d in the wrong one; geometric mean of the errors %.2f\n", all, n["same"], n["right"],
		n["WRONG"], exp(error / (all ? all : 1))
}
