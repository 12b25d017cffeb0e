# fits.tsv: each row is of a setting whose comment in the preset names the source, and of a bench that is compared; and every bench that has
# a number which a preset's comment quotes of its source is there. That the setting moves the bench is what within.sh looks at.
. tests/tap
here=tests/silicon

# compared PRESET: the benches that are compared, as name, value, source
compared() {
	case $1 in
	qv100) awk -F '\t' '!/^#/ && $1 == "SM7_QV100" && $3 != "-" { print $3 "\t" $8 "\tmeasured" }' $here/peer.tsv ;;
	*) awk -F '\t' -v device="$(awk -F '\t' -v p="$1" '$1 == p { print $2 }' $here/devices.tsv)" \
		'!/^#/ && index("|" device "|", "|" $1 "|") && $3 != "" && $7 != "other" { print $2 "\t" $3 "\t" $5 }' $here/published.tsv ;;
	esac
}

# wrong PRESET FITS: rows that are none
wrong() {
	compared "$1" | awk -F '\t' -v preset="$1" '
	FILENAME == "-" { compared[$1]; next }
	FILENAME ~ /\.gpu$/ {
		comment = $0
		sub(/^[^#]*# */, "", comment)
		if (split($0, word, " ") > 1 && word[1] == "set") said[word[2]] = comment
		next
	}
	$1 != preset { next }
	!($2 in compared) { print $2 ": not compared" }
	had[$2]++ { print $2 ": twice" }
	!($3 in said) { print $2 ": " $3 " is not set" }
	$3 in said && !index(said[$3], $4) { print $2 ": " $3 " is not from " $4 }' - "scenarios/gpu/$1.gpu" "$2"
}

# missing PRESET FITS: benches that a comment quotes, and settings that were measured, without a row. A source is known by its first word;
# the white paper has two names.
missing() {
	compared "$1" | awk -F '\t' -v preset="$1" '
	FILENAME == "-" {
		value[++n] = $2; bench[n] = $1; source[n] = $3
		sub(/[ ,].*/, "", source[n])
		if ($3 ~ /A100 white paper/) source[n] = "(white paper|A100):"
		if ($3 ~ /^an engineer/) source[n] = "engineer"
		next
	}
	FILENAME ~ /fits/ { if ($1 == preset) { fit[$2]; setting[$3] } next }
	!/^set / { next }
	{
		comment = $0
		sub(/^[^#]*# */, "", comment)
		split($0, word, " ")
		if (comment ~ /measured: lat|as measured$/ && preset == "qv100" && !(word[2] in setting)) print word[2] ": measured"
		numbers = comment
		gsub(/[A-Za-z_.][A-Za-z0-9_.]*[0-9]/, "", numbers)
		gsub(/[^0-9.]+/, " ", numbers)
		m = split(numbers, number, " ")
		for (i = 1; i <= n; i++)
			for (k = 1; k <= m; k++)
				if (preset != "qv100" && comment ~ source[i] && number[k] + 0 >= 0.995 * value[i] && number[k] + 0 <= 1.005 * value[i] && !(bench[i] in fit))
					print bench[i] ": " word[2] " quotes " value[i] " of " source[i]
	}' - "$2" "scenarios/gpu/$1.gpu" | sort -u
}

for preset in volta a100 h100 qv100; do
	none "$preset: fits are settings from a source" "$(wrong $preset $here/fits.tsv)"
	none "$preset: all that is quoted is a fit" "$(missing $preset $here/fits.tsv)"
done
# Rows that are lost, of another setting, of another source
sed -e '/^volta\tlogic/d' -e '/^a100\tshared.lat.c4/d' -e '/^qv100\tshared.lat/d' $here/fits.tsv >"$LOG/fits.lost"
[ "$(for preset in volta a100 qv100; do missing $preset "$LOG/fits.lost"; done | sed 's/:.*//' | sort -u | tr '\n' ' ')" = "logic.lop3.lat shared.lat.c4 shared.latency " ]
report "lost rows are noticed" $?
sed -e '/^h100\tfp64.fma.thr/s/H100$/Luo/' -e '/^h100\tfp32.add.thr/s/unit.fp32/unit.fp33/' -e 's/^h100\tl2.bw.16/h100\tl2.bw.32/' $here/fits.tsv >"$LOG/fits.wrong"
[ "$(wrong h100 "$LOG/fits.wrong" | wc -l)" -eq 3 ]
report "wrong rows are noticed" $?
exit $failed
