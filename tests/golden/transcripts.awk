# transcripts.awk - the sessions of a manual page: take the typed lines out (MODE = "typed"), or put outputs in (MODE = "fill").
#
# In a page a comment begins a session, another ends it; between them blocks of examples (.EX to .EE) belong to it:
#
#	.\" session OPTIONS AND FILES     of warpstep
#	.EX
#	(warpstep) step 700
#	cycle 700
#	.\" show 1 /barrier/
#	(warpstep) why
#	...
#	.EE
#	.\" end
#
# A line "(warpstep) LINE" is typed at warpstep's prompt, all of a session into one run of it; a line "$ LINE" is run by the shell.
# What stands behind it is its output, or of its lines those that a comment before it names, by numbers (3, 2-5, 4-$) or by
# /regular expression/; lines left out become a line "...".
#
# typed: writes SESSION.N.run (options in its first line, commands behind it) and SESSION.N.K.sh for shell lines, all into DIR.
# fill: reads DIR/SESSION.N.K.out for each and prints the page with the outputs as they are.

# Roff to text, and back.
function plain(s) {
	sub(/^\\&/, "", s)
	gsub(/\\\(aq/, "'", s); gsub(/\\\(ga/, "`", s); gsub(/\\\(ha/, "^", s); gsub(/\\\(ti/, "~", s)
	gsub(/\\-/, "-", s); gsub(/\\e/, "\\", s)
	return s
}
function escaped(s) {
	gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s)
	gsub(/'/, "\\(aq", s); gsub(/`/, "\\(ga", s); gsub(/\^/, "\\(ha", s); gsub(/~/, "\\(ti", s)
	return s ~ /^[. ]/ ? "\\&" s : s
}

# Does a line of the output, number i of n, belong to what is shown?
function chosen(line, i, n,    k, item, range) {
	if (!items) return 1
	for (k = 1; k <= items; k++) {
		item = show[k]
		if (item ~ /^\//) {
			if (line ~ substr(item, 2, length(item) - 2)) return found[k] = 1
			continue
		}
		split(item, range, "-")
		if (range[1] == "$") range[1] = n
		if (range[2] == "") range[2] = range[1]
		if (range[2] == "$") range[2] = n
		if (i >= range[1] + 0 && i <= range[2] + 0) return 1
	}
	return 0
}

# The items of a comment "show": blanks stand inside of /expressions/, too.
function take_items(s) {
	items = 0
	while (s != "") {
		sub(/^ +/, "", s)
		if (s == "") break
		if (!match(s, /^\/[^\/]*\//)) match(s, /^[^ ]+/)
		show[++items] = substr(s, 1, RLENGTH)
		s = substr(s, RLENGTH + 1)
	}
}

function fill(    file, line, n, i, left, out) {
	file = DIR "/" session "." count ".out"
	n = 0
	while ((getline line < file) > 0) out[++n] = line
	close(file)
	left = 0
	for (i = 1; i <= n; i++) {
		if (!chosen(out[i], i, n)) { left = 1; continue }
		if (left) print "\\&..."
		left = 0
		print escaped(out[i])
	}
	if (left) print "\\&..."
	for (i = 1; i <= items; i++) if (show[i] ~ /^\// && !found[i]) print FILENAME ":" FNR ": no line " show[i] > (DIR "/lost")
	delete found
	items = 0
}

/^\.\\" session( |$)/ {
	session++; count = 0; inside = 1
	if (MODE == "typed") {
		sub(/^\.\\" session ?/, "")
		print > (DIR "/" session ".run")
		next
	}
}
/^\.\\" end$/ { inside = 0 }
inside && /^\.\\" show / && MODE == "fill" { s = $0; sub(/^\.\\" show /, "", s); take_items(s) }
/^\.EX$/ { block = inside }
/^\.EE$/ { block = 0 }
MODE == "typed" && block && /^(\(warpstep\)|\$) / {
	line = plain($0); count++
	if (line ~ /^\$/) {
		print substr(line, 3) > (DIR "/" session "." count ".sh")
	} else {
		# a line of its own behind each output says whose it was
		print substr(line, 12) > (DIR "/" session ".run")
		print "echo @@" count > (DIR "/" session ".run")
	}
	next
}
MODE == "fill" {
	if (block && !/^(\(warpstep\)|\$) / && !/^\.(EX|\\")/) next
	print
	if (block && /^(\(warpstep\)|\$) /) { count++; fill() }
}
