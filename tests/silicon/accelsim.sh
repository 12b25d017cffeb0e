# Preset qv100 is Accel-Sim's configuration (accelsim.tsv): what is said to be a number of it is one, and what departs from it says so, as
# "Accel-Sim has NUMBER: why".
. tests/tap
here=tests/silicon
# departs PRESET TABLE: settings of a preset's file that depart and do not say why, or are said to be Accel-Sim's without a row in the table
departs() {
	awk -F '\t' '
	FNR == NR && /^#/ { next }
	FNR == NR { want[$3] = $4; next }
	!/^(set|policy) / { next }
	{
		comment = $0
		sub(/^[^#]*#* */, "", comment)
		sub(/ *#.*/, "")
		split($0, word, /[ =]+/)
		name = word[1] == "policy" ? word[1] " " word[2] : word[2]
		seen[name] = 1
		if (!(name in want)) {
			if (comment ~ /^Accel-Sim/) print name ": not in accelsim.tsv"
		} else if (word[3] != want[name]) {
			if (!index(comment, "Accel-Sim has " want[name] ": ")) print name " is " word[3] ", not " want[name] ", and does not say why"
		} else if (comment !~ /^(Accel-Sim|structure)/ || comment ~ /Accel-Sim has/)
			print name " is Accel-Sim\047s, and does not say so"
	}
	END { for (name in want) if (!seen[name]) print name ": not set" }' "$2" "$1" | sort
}
none "what departs says why" "$(departs scenarios/gpu/qv100.gpu $here/accelsim.tsv)"
# Two rows that differ now, one that has no number any more
sed -e 's/\(sm\.ctas\t\)32/\116/' -e 's/\(dram\.cl\t\)12/\111/' -e '/l2\.ways/d' $here/accelsim.tsv >"$LOG/accelsim.tsv"
[ "$(departs scenarios/gpu/qv100.gpu "$LOG/accelsim.tsv" | cut -d ' ' -f 1 | tr '\n' ' ')" = "dram.cl l2.ways: sm.ctas " ]
report "numbers that are not Accel-Sim's are noticed" $?
exit $failed
