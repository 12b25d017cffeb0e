#!/bin/sh
# Every heading and name of a pane's columns has a row in columns.def for that pane, no row is of a column that there is not, and
# `explain` knows each word.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
table=include/tables/columns.def

# panes_of FILE: the panes that a file fills.
panes_of() {
	case $1 in
	*/code.h | */listing.c) echo code; echo source ;;
	*/pane_*) basename "$1" .c | sed 's/^pane_//' ;;
	*) basename "$1" .c | sed 's/_.*//' ;;
	esac
}

# Columns as the sources have them, "pane word": a bar without a heading has no word to be asked about.
for file in $(grep -lE '\{\.name = "[^"]*".*\.width' src/tui/*.[ch]); do
	grep -ohE '\{\.name = "[^"]*"(, \.heading = "[^"]*")?, \.width' "$file" | grep -v 'heading = ""' |
		sed -E 's/.*\.name = "([^"]*)"(, \.heading = "([^"]*)")?.*/\1\n\3/' | grep '[^ ]' >"$work/words"
	panes_of "$file" | while read -r pane; do sed "s/^/$pane /" "$work/words"; done
done | sort -u >"$work/have"

# words KIND: "pane word" of every row of that macro.
words() {
	sed -n -E "s/^$1\\(\"([^\"]*)\", \"([^\"]*)\".*/\\1\\t\\2/p" $table |
		awk -F '\t' '{ n = split($1, pane, " "); m = split($2, word, "|"); for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) print pane[i], word[k] }' |
		sort
}
words COLUMN >"$work/told"
words VALUE >"$work/cells"
sort -u "$work/told" >"$work/once"
holds "there are columns" test "$(wc -l <"$work/have")" -gt 150
none "every column of a pane is explained ($table)" "$(comm -23 "$work/have" "$work/once" | tr ' ' ':')"
none "every row is of a column that there is ($table)" "$(comm -13 "$work/have" "$work/once" | tr ' ' ':')"
# Two pairs share a word: lanes of a path and of a register; CTAs that wait and a kernel that does.
none "a pane explains a word once" "$(cat "$work/told" "$work/cells" | sort | uniq -d | grep -vx 'code lanes\|kernels waiting' | tr ' ' ':')"

cut -d ' ' -f 2- "$work/once" "$work/cells" | sort -u | sed 's/.*/explain "&"/' >"$work/ask"
"$WARPSTEP" -n -q -x "$work/ask" >"$work/out" 2>"$work/err" </dev/null
none "explain knows each word" "$(cat "$work/err")"
holds "explain says which pane" grep -qx '  panes     banks code events gangs memory source warps' "$work/out"
holds "a word is what it is, once" test "$(grep -c '^once (' "$work/out")" = 1
exit $failed
