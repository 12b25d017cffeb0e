# README: every transcript, generated table and picture in it is what the program prints today, and it stays short.
# With WARPSTEP_GOLDENS=write they are made anew.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
HOME=$work XDG_CONFIG_HOME=$work
export HOME XDG_CONFIG_HOME

# typed LINE: what a line of README prints when it is typed in a shell.
typed() {
	printf '%s\n' "$1" | sed "s|\./warpstep|\"\$WARPSTEP\"|g" >"$work/line"
	sh "$work/line" </dev/null 2>&1
}

# A row for each mechanism of the table, with the number of its paper in README's list.
mechanisms() {
	echo '| mechanism | problem | switch it on | lesson (`scenarios/...`) |'
	echo '|---|---|---|---|'
	awk 'FILENAME == "README.md" { if (/^[0-9]\. [^*]*\*/) { split($0, t, "*"); title[substr($0, 1, 1)] = t[2] } next }
		/^MECHANISM/ { row() }
		{ text = text " " $0 }
		END { row() }
		function row(   n, f, i) {
			if (text ~ /MECHANISM\("/) {
				gsub(/"[ \t]+"/, "", text)
				gsub(/\\"/, "\047\047", text)
				n = split(text, f, "\"")
				for (i = 1; title[i] != ""; i++)
					if (index(text, title[i]))
						number = i
				sub(/\.scn$/, "", f[n - 1])
				print "| " f[4] " [" number "] | " f[8] " | `" f[10] "` | `" f[n - 1] "` |"
			}
			text = ""
		}' README.md include/tables/mechanisms.def
}

# What silicon and other simulators say: the counts of tests/silicon.
accuracy() {
	kernels=$(sh tests/kernels.sh counts | sed -n -e '1s/^h100: \([0-9]*\) kernels: \(.*\), ninetieth.*/\1 as PTX on `h100`: \2/p')
	traced=$(sh tests/kernels.sh counts | sed -n -e '3s/^h200: \([0-9]*\) kernels: mean error \(.*\), median \(.*\), ninetieth.*/\1 as recorded on `h200`: \2, \3/p')
	sh tests/silicon.sh counts | sed -e 's/^\([^:]*\): */- preset `\1`: /' -e 's/  / /g'
	echo "- kernels beside GPUs: $kernels; $traced"
	sh tests/kernels.sh counts | awk '/ changes / { said[++n] = $6 ", " $10 ", " $16 " of " $2 }
		END { print "- what a change saves, within a tenth, right in direction, wrong: as PTX " said[1] "; as recorded " said[2] }'
	"$BUILD/tests/reproduce" --kept | sed -n 's/^all papers: //p' | tr ':,' '\n\n' | awk '{ n[$1 == "within" ? $3 : $1] = $NF }
		END { print "- papers (`make reproduce`, our kernels): of " n["rows"] - n["no"] - n["experiment"] ", " n["tenth"] + n["holds"] " within a tenth, " n["third"] " within a third, " n["right"] + 0 " right in sign, " n["wrong"] + n["apart"] + n["exceeds"] " neither" }'
}

# README with its blocks made anew.
made() {
	while IFS= read -r line; do
		printf '%s\n' "$line"
		case $line in
		'$ '*)
			typed "${line#\$ }"
			while IFS= read -r line && [ "$line" != '```' ]; do :; done
			printf '%s\n' "$line"
			;;
		'<!-- made: '*)
			part=${line#<!-- made: }
			"${part% -->}"
			while IFS= read -r line && [ "$line" != '<!-- end -->' ]; do :; done
			printf '%s\n' "$line"
			;;
		esac
	done <README.md
}
made >"$work/README.md"
[ "$WARPSTEP_GOLDENS" = write ] && cp "$work/README.md" README.md
difference=$(diff README.md "$work/README.md" | head -n 4)
none "README says what the program prints (make goldens)" "$difference"
# What else it tells to type: each fenced block is a transcript, indented lines run, and so do the commands between backquotes.
none "each block of README is a transcript" "$(awk '/^```/ { open = !open; if (open) getline; if (open && !/^\$ /) print }' README.md)"
cp scenarios/kernels/vecadd.cu "$work/kernel.cu"
sed -n 's|kernel\.|"$work"/kernel.|g; /^    .*-b /s/^    //p; s/^`\(.*kernel\.ptx\) > \([^`]*\)`.*/\1 > \2/p' README.md >"$work/lines"
sed -n '/^    clang /,/^$/p' README.md | sed 's|kernel\.|"$work"/kernel.|g' >"$work/clang"
[ "$(wc -l <"$work/lines")" -eq 2 ] && [ "$(wc -l <"$work/clang")" -eq 3 ]
report "README tells to run a scenario, to compile, and to write a template" $?
! command -v clang >/dev/null || sh -c "work=$work; . $work/clang" >/dev/null 2>&1
report "its line for clang compiles" $?
[ -e "$work/kernel.ptx" ] || cp scenarios/kernels/vecadd.ptx "$work/kernel.ptx"
while IFS= read -r line; do
	printf '%s\n' "$line" | sed "s|\./warpstep|\"\$WARPSTEP\"|" >"$work/line"
	(export work; sh "$work/line") >"$work/said" 2>&1 </dev/null
	report "README: $line" $? "$(tail -n 1 "$work/said")"
done <"$work/lines"
# The scenario that the template is knows how the module was made: an edit of the source and `reload` are enough.
sed -i 's/a.i. + b/2 * a[i] + b/' "$work/kernel.cu"
! command -v clang >/dev/null || "$WARPSTEP" -n -q -b --trust -e reload -e 'history runs' -e quit "$work/kernel.scn" >"$work/said" 2>&1 </dev/null
! command -v clang >/dev/null || grep -q '^  2  kernel.ptx v2 .* yes$' "$work/said"
report "README: edit kernel.cu, reload, history runs" $? "$(tail -n 1 "$work/said")"
for line in $(grep -o '`\(break\|watch\|origin\|stats\|explain\|help\|policy\|gpu\) [^`]*`' README.md | grep -v NAME | tr -d '`' | tr ' ' '_' | sort -u); do
	"$WARPSTEP" -n -q --plain -e run -e "$(echo "$line" | tr _ ' ')" -e quit scenarios/matmul.scn >"$work/said" 2>&1 </dev/null
	report "README: \`$(echo "$line" | tr _ ' ')\` is a command" $? "$(tail -n 1 "$work/said")"
done
[ "$(wc -l <README.md)" -le 150 ]
report "README has at most 150 lines" $? "$(wc -l <README.md)"
none "no line of README is longer than 120 characters" "$(LC_ALL=C.UTF-8 grep -nE '^.{121,}' README.md | cut -c 1-40)"
# Every paper of README is one that explain knows, by title and venue.
"$WARPSTEP" -n -q --plain -e 'explain vt' -e 'explain dyncta' -e 'explain vws' -e 'explain elf' -e 'explain chimera' -e 'explain maestro' \
	-e 'explain rba' -e 'explain srr' -e quit </dev/null >"$work/papers"
sed -n 's/^[0-9]\. [^*]*\*\([^*]*\)\*, \([A-Za-z0-9-]* *[0-9]*\).*/\1|\2/p' README.md >"$work/titles"
while IFS='|' read -r title venue; do
	grep -F "\"$title\"" "$work/papers" | grep -qF "$venue"
	report "README cites $venue as explain does" $? "$title"
done <"$work/titles"
[ "$(wc -l <"$work/titles")" -eq 7 ]
report "seven papers" $?
# Links lead to files, and headings are there.
for to in $(grep -o '](\([^)]*\))' README.md | sed 's/](\(.*\))/\1/'); do
	case $to in
	\#*) sed -n 's/^## //p' README.md | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 -]//g; s/ /-/g' | grep -qx "${to#\#}" ;;
	*) [ -f "$to" ] ;;
	esac
	report "README: $to is there" $?
done
# The packages that make deps installs are those that README names.
listed=$(sed -n '/^PACKAGES :=/,/[^\\]$/p; /^LINT_PACKAGES/p; /^FUZZ_PACKAGES/p' Makefile | sed 's/.*:=//; s/\\//' | tr ' \t' '\n\n' | grep .)
none "README names every package" "$(for p in $listed; do tr ' ,' '\n\n' <README.md | grep -qx "$p" || echo "$p"; done)"
exit $failed
