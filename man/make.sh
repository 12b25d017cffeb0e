#!/bin/sh
# Assemble the manual: the pages, with the parts between at signs printed by the program, then the same as HTML with links between
# the pages and an index. Without mandoc there is no HTML.
#
# usage: make.sh WARPSTEP VERSION FOLDER
warpstep=$1 version=$2 out=$3
mkdir -p "$out"
rm -rf "$out"/*.part "$out/html"

set --
for part in $(sed -n 's/^@\([a-z]*\)@$/\1/p' man/*.in | sort -u); do
	"$warpstep" --print-man "$part" >"$out/$part.part" || exit 1
	set -- "$@" -e "/^@$part@\$/{r $out/$part.part" -e 'd}'
done
pages=
for template in man/*.in; do
	page=$(basename "$template" .in)
	sed -e "s/@VERSION@/$version/" "$@" "$template" >"$out/$page" || exit 1
	pages="$pages $page"
done
command -v mandoc >/dev/null || { echo "make man: mandoc is missing, so there is no HTML"; exit 0; }

mkdir -p "$out/html"
cp man/man.css "$out/html/man.css"

# The name of a page in bold type with its section behind it becomes a link.
set --
for page in $pages; do
	name=${page%.*} section=${page##*.}
	set -- "$@" -e "s|<b>$name</b> *($section)|<a href=\"$page.html\">$name($section)</a>|g"
done
for page in $pages; do
	mandoc -K utf-8 -T html -O style=man.css "$out/$page" | sed -e ':join' -e '/<h[12][^>]*>/{/<\/h[12]>/!{N;s/\n */ /;b join' -e '}}' |
		sed "$@" -e "s|<title>[^<]*</title>|<title>${page%.*}(${page##*.})</title>|" \
		>"$out/html/$page.html" || exit 1
done

# Settings and statistics become links to their rows; each page gets a way to the index and a list of its sections.
for page in warpstep-settings.5 warpstep-statistics.5; do
	sed -n 's|^ *<dt id="\([a-z0-9_]*\.[a-z0-9_.]*\)">.*|s@<b>\1</b>@<a href="'$page'.html#\1"><b>\1</b></a>@g|p' "$out/html/$page.html"
done | awk -F '[<>]' '!had[$3]++' >"$out/names.sed"
for page in $pages; do
	case $page in warpstep-settings.5 | warpstep-statistics.5) names= ;; *) names=$out/names.sed ;; esac
	sed -f "${names:-/dev/null}" "$out/html/$page.html" | awk -v SECTIONS="$(sed -n 's|^<h1 class="Sh" id="\([^"]*\)"><a[^>]*>\([^<]*\)</a>.*|<a href="#\1">\2</a>|p' \
		"$out/html/$page.html" | tr '\n' ' ')" '{ print } /^<body>/ { print "<nav><p><a href=\"index.html\">warpstep manual</a></p><p class=\"sections\">" SECTIONS "</p></nav>" }' \
		>"$out/page" && mv "$out/page" "$out/html/$page.html" || exit 1
done
rm -f "$out/names.sed"

# The index has each page with its NAME line: the program itself, then the guides, then the references.
{
	cat <<'HEAD'
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1.0"/>
<link rel="stylesheet" href="man.css" type="text/css" media="all"/><title>warpstep manual</title></head>
<body>
<h1>warpstep manual</h1>
<dl>
HEAD
	for page in $pages; do
		name=$(sed -n '/^\.SH NAME/{n;s/\\//g;s/^[^ ]* - //;p;q}' "$out/$page")
		case $page in *.1) order=1 ;; *-tutorial.7) order=2 ;; *.7) order=3 ;; *) order=4 ;; esac
		echo "$order $page $name"
	done | sort -k 1,2 | while read -r order page name; do
		echo "<dt><a href=\"$page.html\">${page%.*}(${page##*.})</a></dt><dd>$name</dd>"
	done
	printf '</dl>\n</body>\n</html>\n'
} >"$out/html/index.html"
