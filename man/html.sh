#!/bin/sh
# The pages of build/man as HTML in build/man/html, with links between them and an index.
#
# usage: html.sh PAGE...     for example warpstep.1 warpstep-model.7
html=build/man/html
rm -rf $html
mkdir -p $html
cp man/man.css $html/man.css

# A name of the manual in bold type with its section behind it becomes a link to that page.
links=
for page in "$@"; do
	name=${page%.*} section=${page##*.}
	links="$links;s|<b>$name</b>($section)|<a href=\"$page.html\"><b>$name</b>($section)</a>|g"
done

for page in "$@"; do
	mandoc -K utf-8 -T html -O style=man.css,toc "build/man/$page" |
		sed -e "${links#;}" -e 's|<body>|<body><nav><a href="index.html">Manual of warpstep</a></nav>|' >"$html/$page.html" || exit 1
done

# The index: each page with its NAME line, the program's own page first, then the guides, then the references.
{
	cat <<'HEAD'
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1.0"/>
<link rel="stylesheet" href="man.css" type="text/css" media="all"/><title>Manual of warpstep</title></head>
<body>
<h1>Manual of warpstep</h1>
<dl>
HEAD
	for page in "$@"; do
		sed -n "/^\.SH NAME/{n;s/\\\\//g;s/^[^ ]* - //;s|.*|${page##*.} ${page%.*} <dt><a href=\"$page.html\">${page%.*}(${page##*.})</a></dt><dd>&</dd>|p;q}" \
			"build/man/$page"
	done | awk '{ order = $1 == 1 ? 1 : $1 == 7 ? 2 : 3; print order, $0 }' | sort -k 1,1n -k 3,3 | cut -d ' ' -f 4-
	echo '</dl>'
	echo '</body>'
	echo '</html>'
} >$html/index.html
