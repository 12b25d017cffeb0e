# Reads glossary.txt, kept.txt, kept-lines.txt, then texts (texts.awk): prints what breaks a rule, FILE:LINE: RULE: TEXT.
BEGIN { FS = "\t"; limit = 30 }
FILENAME ~ /glossary\.txt$/ {
	if ($0 ~ /^#/ || $0 == "")
		next
	n = index($0, " = ")
	pattern[++npatterns] = substr($0, 1, n)
	instead[npatterns] = substr($0, n + 3)
	next
}
FILENAME ~ /kept\.txt$/ {
	if ($0 ~ /^#/ || $0 == "")
		next
	kept[++nkept] = substr($0, 1, index($0, " = ") - 1)
	next
}
FILENAME ~ /kept-lines\.txt$/ {
	if ($0 ~ /^#/ || $0 == "")
		next
	keptfile[++nlines] = $1
	keptpart[nlines] = $2
	next
}
# Whether a text is one that may break a rule.
function may(file, text,   i, found) {
	found = 0
	for (i = 1; i <= nlines; i++)
		if (index(file, keptfile[i]) == 1 && index(text, keptpart[i])) {
			needed[i] = 1
			found = 1
		}
	return found
}
# A text without a phrase of whole words.
function without(text, phrase,   done, at, behind) {
	done = ""
	while (at = index(text, phrase)) {
		behind = substr(text, at + length(phrase))
		if ((at > 1 && substr(text, at - 1, 1) ~ /[a-z]/) || behind ~ /^[a-z]/)
			done = done substr(text, 1, at - 1 + length(phrase))
		else
			done = done substr(text, 1, at - 1) " | "
		text = behind
	}
	return done text
}
function say(rule) {
	if (!may($2, $3)) {
		print $2 ": " rule ": " (length($3) > 240 ? substr($3, 1, 240) "..." : $3)
		found++
	}
}
{
	text = tolower($3)
	gsub(/\\n|\\t/, " ", text)
	for (i = 1; i <= nkept; i++)
		text = without(text, kept[i])
	plain = text
	# names of the language are no words: what is in backquotes, has a dot, an equals sign or a slash inside
	gsub(/`[^`]*`/, " | ", plain)
	gsub(/[a-z0-9_]+([.=\/][a-z0-9_*]+)+/, " | ", plain)
	gsub(/[^a-z0-9'%|-]+/, " ", plain)
	plain = " " plain " "
	for (i = 1; i <= npatterns; i++)
		if (match(plain, pattern[i]))
			say("'" substr(plain, RSTART + 1, RLENGTH - 2) "' (" instead[i] ")")
	if ($1 == "row" && text ~ /^(it|its|they|their|them|those|these|this|that|the same|of (them|these|those|it)|likewise|ditto|who|others|the (rest|others|one|ones)|one (that|who|all|whose))[ ,:]/)
		say("a row begins with a pronoun")
	count = split(text, sentence, /[.?!;:]( |$)|\|/)
	for (i = 1; i <= count; i++) {
		words = split(sentence[i], w, " ")
		if (words > limit) {
			say("a sentence of " words " words")
			break
		}
	}
	if ($3 ~ /`%[0-9.*-]*s`/ || $3 ~ /\\"%[0-9.*-]*s\\"/)
		say("a name between `...` or \"...\" (in '...')")
}
END {
	for (i = 1; i <= nlines; i++)
		if (all && !needed[i]) {
			print "kept-lines.txt: not needed any more: " keptfile[i] ": " keptpart[i]
			found++
		}
	exit found > 0
}
