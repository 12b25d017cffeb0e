# counts.awk - how many benches of a preset stand beside a number, by the files alone: preset, fits, of these within 10 % of the nearest
# source, others, of these within 10 %, and of those within 10 % how many are more than a third off another source
#
# A fit is a bench that one of the preset's settings was made to give back (fits.tsv): only the others say something of the model. That
# reasons.tsv has exactly those that are far off is what within.sh looks at. Files: benches.txt, reasons.tsv, fits.tsv, and peer.tsv if the
# preset is compared with Accel-Sim, else published.tsv; device and config: of the preset, in devices.tsv.
BEGIN { FS = OFS = "\t" }
/^#/ || !NF { next }
FILENAME ~ /benches.txt$/ { split($0, word, " "); bench[word[1]]; next }
FILENAME ~ /reasons.tsv$/ { if ($1 == preset) kind[$2] = $3; next }
FILENAME ~ /fits.tsv$/ { if ($1 == preset) fit[$2]; next }
FILENAME ~ /peer.tsv$/ { if ($1 == config && $3 in bench) seen[$3]; next }
index("|" device "|", "|" $1 "|") && $3 != "" && $7 != "other" && $2 in bench { seen[$2] }
END {
	for (name in seen) {
		n[name in fit]++
		near[name in fit] += kind[name] != "nearest"
		spread += kind[name] == "spread"
	}
	print preset, n[1] + 0, near[1] + 0, n[0] + 0, near[0] + 0, spread + 0
}
