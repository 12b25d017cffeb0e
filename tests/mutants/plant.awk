# plant.awk - sources with mutants in them, each behind a question: mutant(N) ? mutated : original.
#
# usage: awk -v out=FOLDER -f plant.awk mutants.list
# Writes FOLDER/FILE for every file that the list names and FOLDER/table: number, file:line, tests, original, mutated, reason, set off by
# tabs. A fragment that is not there, or not once, or an expression for which nothing stands, goes to FOLDER/stale: the list is out of
# date. The language of the list is told at its head.

function fail(text) {
	print "mutants.list: " text > "/dev/stderr"
	failed = 1
}

# A mutant that is left out.
function stale(k, why) {
	print k "\t" of[k] "\t" original[k] "\t" why > (out "/stale")
	done[k] = 1
}

# The whole of a file.
function contents(path,   text, row) {
	text = ""
	while ((getline row < path) > 0)
		text = text row "\n"
	close(path)
	return text
}

# Where the k-th occurrence of a fragment begins, 0: nowhere. *found: how many there are.
function place(text, fragment, k,   at, from, n, where) {
	n = where = 0
	for (from = 1; (at = index(substr(text, from), fragment)) > 0; from += at) {
		n++
		if (n == (k ? k : 1))
			where = from + at - 1
	}
	found = n
	return where
}

function line_of(text, at,   before) {
	before = substr(text, 1, at)
	return gsub(/\n/, "\n", before) + 1
}

/^@ / { file = substr($0, 3); tests = ""; if (!(file in text)) { text[file] = contents(file); files[++nfiles] = file } next }
/^\? / { tests = substr($0, 3); next }
/^-[0-9]* / {
	n++
	ordinal[n] = substr($1, 2)
	original[n] = substr($0, length($1) + 2)
	mutated[n] = reason[n] = ""
	of[n] = file
	asked[n] = tests
	next
}
/^\+/ { mutated[n] = substr($0, 3); next }
/^= / { reason[n] = substr($0, 3); next }
/^#/ || /^$/ { next }
{ fail("line " NR " is not understood: " $0) }

# Mutants of one file, the last first, so that the places of those before stay.
function plant(path,   i, k, at, best, rest, whole, code) {
	whole = text[path]
	for (i = 1; i <= n; i++) {
		if (of[i] != path)
			continue
		start[i] = place(whole, original[i], ordinal[i])
		if (!start[i] || (!ordinal[i] && found > 1)) {
			stale(i, "stands there " found " times")
			continue
		}
		if (original[i] !~ /;$/ && mutated[i] == "") {
			stale(i, "is an expression, and nothing stands for it")
			continue
		}
		print i "\t" path ":" line_of(whole, start[i]) "\t" asked[i] "\t" original[i] "\t" mutated[i] "\t" reason[i] > (out "/table")
	}
	for (;;) {
		best = 0
		for (i = 1; i <= n; i++)
			if (of[i] == path && !(i in done) && (!best || start[i] > start[best]))
				best = i
		if (!best)
			break
		code = ""
		for (k = 1; k <= n; k++) {
			if (of[k] != path || k in done)
				continue
			if (start[k] == start[best] && original[k] == original[best]) {
				code = code choice(k)
				done[k] = 1
			} else if (start[k] + length(original[k]) > start[best]) {
				stale(k, "overlaps with " best)
			}
		}
		at = start[best]
		rest = substr(whole, at + length(original[best]))
		whole = substr(whole, 1, at - 1) ending(original[best], code) rest
	}
	printf "#include \"mutant.h\"\n#line 1\n%s", whole > (out "/" path)
	close(out "/" path)
}

# A statement ends in a semicolon; all else is an expression.
function choice(k) {
	return original[k] ~ /;$/ ? "if (mutant(" k ")) { " mutated[k] " } else " : "mutant(" k ") ? (" mutated[k] ") : "
}
function ending(fragment, code) {
	return fragment ~ /;$/ ? code "{ " fragment " }" : "(" code "(" fragment "))"
}

END {
	if (failed)
		exit 1
	for (f = 1; f <= nfiles; f++) {
		dir = out "/" files[f]
		sub(/\/[^\/]*$/, "", dir)
		system("mkdir -p '" dir "'")
		plant(files[f])
	}
	exit failed
}
