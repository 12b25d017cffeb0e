#!/bin/sh
# tests/words.sh [PATH...] - texts for users that break a rule of plain words; of some files or folders if they are named. Status 1 if there are any.
cd "$(dirname "$0")/.." || exit 2
if [ $# -eq 0 ]; then
	all=1
	set -- src include scenarios man README.md tests/reproduce/*.c
fi
find "$@" -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.scn' -o -name '*.gpu' -o -name '*.in' -o -name '*.md' \) -print0 | LC_ALL=C sort -z |
	xargs -0 awk -f tests/words/texts.awk |
	awk -v all="$all" -f tests/words/words.awk tests/words/glossary.txt tests/words/kept.txt tests/words/kept-lines.txt -
