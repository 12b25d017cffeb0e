# The manual: its pages are well-formed, its links lead somewhere, and everything that has a name is in its page.
. tests/tap

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
holds "the manual is assembled" sh man/make.sh "$WARPSTEP" 0 "$work"

if command -v groff >/dev/null; then
	none "groff warns of nothing" "$(for page in "$work"/warpstep*.[157]; do
		groff -man -K utf8 -T utf8 -ww -rLL=100n "$page" 2>&1 >/dev/null | sed "s|.*/||"; done | head -n 5)"
fi
if command -v mandoc >/dev/null; then
	none "mandoc warns of nothing" "$(mandoc -T lint -W warning "$work"/warpstep*.[157] 2>&1 | grep -v 'missing date' |
		sed 's|.*/||' | head -n 5)"
	none "every link of the HTML leads somewhere" "$(cd "$work/html" && awk '
		{ rest = $0
		  while (match(rest, /(href|id)="[^"]*"/)) {
			x = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
			to = x; sub(/^[a-z]*="/, "", to); sub(/"$/, "", to)
			if (x ~ /^id/) { mark[FILENAME "#" to]; continue }
			if (to ~ /^http/) continue
			link[FILENAME " " (to ~ /^#/ ? FILENAME to : to)]
		  }
		  page[FILENAME] }
		END { for (l in link) { split(l, part, " "); file = part[2]; sub(/#.*/, "", file)
			if ((!(file in page) && (getline line < file) < 0) || (part[2] ~ /#/ && !(part[2] in mark))) print part[1] ": " part[2] } }' *.html | head -n 5)"
	none "every page is in the index and links to others" "$(for page in man/*.in; do
		page=$(basename "$page" .in)
		grep -q "href=\"$page.html\"" "$work/html/index.html" || echo "$page is not in the index"
		[ "$(grep -o 'href="warpstep[^"#]*\.html"' "$work/html/$page.html" | sort -u | wc -l)" -ge 2 ] || echo "$page has no links"
	done)"
fi

# The names of a kind, as `explain` lists them: "list statistics".
list() {
	"$WARPSTEP" -n -q -j -e "explain $1" -e quit </dev/null 2>/dev/null | grep -o '"kind": *"[^"]*", *"name": *"[^"]*"' |
		sed 's/.*"name": *"\(.*\)"$/\1/' | grep -vxF "$1" | sort -u
}
# Names of standard input that are no tag of any page given: a tag begins with the name, or holds it as a word, in brackets or not.
lost() {
	sed -n 's/^\\fB\(.*\)\\fR.*/\1/p' "$@" | sed -e 's/\\-/-/g' -e 's/\\(aq/'"'"'/g' >"$work/tags"
	awk 'NR == FNR { tag[$0]; n = split($0, word, /[] []/); first = ""
		for (i = 1; i <= n; i++) { tag[word[i]]; first = first (i > 1 ? " " : "") word[i]; tag[first] }
		next } !($0 in tag)' "$work/tags" -
}
# in_page NAME KIND FILE...: every name of a kind is in one of the pages.
in_page() {
	in_name=$1 in_kind=$2
	shift 2
	list "$in_kind" >"$work/names"
	[ -s "$work/names" ] || echo "explain $in_kind lists nothing" >"$work/names"
	none "$in_name" "$(lost "$@" <"$work/names" | head -n 10)"
}
in_page "every setting is in its page" settings "$work/warpstep-settings.5"
in_page "every statistic is in its page" statistics "$work/warpstep-statistics.5"
none "every event is in its page" "$(sed -n 's/^[A-Z]*([A-Z0-9_]*,[[:space:]]*"\([a-z0-9]*\)".*/\1/p' include/tables/events.def |
	lost "$work/warpstep-events.5")"
awk '/^const struct command command_/ { on = 1 } on && /^\t\.name = "/ { split($0, part, "\""); print part[2]; on = 0 }' src/cmd/*.c >"$work/commands"
none "every command is in its page" "$(lost "$work/warpstep.1" "$work/warpstep-lesson.5" <"$work/commands")"
holds "... and all of them were looked up" [ "$(wc -l <"$work/commands")" = "$(grep -c '^COMMAND(' include/tables/commands.def)" ]
in_page "every pane is in its page" panes "$work/warpstep.1"
in_page "every warp state is in its page" statuses "$work/warpstep-model.7"
in_page "every policy is in its page" schemes "$work/warpstep-settings.5"
none "every option is in its page" "$("$WARPSTEP" --help | grep -o '\-\-[a-z-]*' | sort -u | while read -r option; do
	grep -qF -- "$(echo "$option" | sed 's/-/\\-/g')" "$work/warpstep.1" || echo "$option"; done)"
none "every kind of breakpoint is in its page" "$(sed -n 's/^BREAK(\(.*\))$/\1/p' include/tables/breaks.def |
	sed 's/^event$/KIND/' | lost "$work/warpstep.1")"
none "every subject of info is in its page" "$(sed -n 's/^INFO(\(.*\))$/\1/p' include/tables/info.def | lost "$work/warpstep.1")"
none "every scenario is in the tutorial" "$(for scenario in scenarios/*.scn scenarios/*/*.scn; do
	scenario=${scenario#scenarios/}
	echo "${scenario%.scn}"; done | lost "$work/warpstep-tutorial.7")"
none "help leads to the lesson of every mechanism, and to the tutorial" "$("$WARPSTEP" --plain -n -q -e 'help mechanisms' -e quit </dev/null >"$work/help" 2>/dev/null
	for lesson in $(sed -n 's/^  lesson  *warpstep //p' "$work/help"); do [ -e "$lesson" ] || echo "$lesson"; done
	[ "$(grep -c '^  lesson ' "$work/help")" -ge 8 ] || echo "too few mechanisms"
	grep -q 'warpstep-tutorial(7)' "$work/help" || echo "no word of the tutorial")"
exit $failed
