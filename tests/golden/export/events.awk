# JSON lines: as many records of a kind as its counter says, in the order of cycles.
FNR == 1 { file++ }
file == 1 { want[$1] = $2; next }
!/^{"cycle":[0-9]+,"event":"[a-z0-9]+"(,"[a-z]+":[0-9]+)*}$/ { print "not a record: " $0; bad = 1; exit 1 }
{ split($0, part, /[:,"]+/); if (part[3] + 0 <= from + 0 || part[3] + 0 > to + 0 || part[3] + 0 < last + 0) { print "cycle " part[3]; bad = 1; exit 1 }; last = part[3]; count[part[5]]++ }
END {
	if (bad) exit 1
	for (i in want) if (i ~ /^events\./ && want[i] != count[substr(i, 8)] + 0) { print i, count[substr(i, 8)], want[i]; exit 1 }
}
