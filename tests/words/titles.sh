#!/bin/sh
# Every word in the titles of all panes, and in the lines below their lists, is one that `explain` knows, on scenarios in which these
# lines have something to say. Names of the program (kernels, buffers, files), commands and hints in brackets are not asked about.
# The sums in these titles hold.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
panes=$(grep -o '^PANE([a-z]*' include/tables/panes.def | sed 's/PANE(//')
# Several words that `explain` knows as one name are asked about together.
sed -n -E 's/^VALUE\("[^"]*", "([^"|]* [^"|]*)".*/\1/p' include/tables/columns.def >"$work/phrases"
plain='after|and|are|at|before|by|each|every|for|has|have|in|is|it|measured|measures|not|no|none|of|other|or|that|the|there|this|to|with|yet'

# look SCENARIO LINE...: all panes after each line: the name of the pane, its title, the lines below its list.
look() {
	scenario=$1
	shift
	{
		echo 'info kernels'
		echo 'info buffers'
		for line in "$@"; do
			echo "$line"
			for pane in $panes; do echo "show $pane 160x60"; done
		done
	} >"$work/look"
	"$WARPSTEP" -n -q -j -x "$work/look" "scenarios/$scenario" 2>/dev/null </dev/null >"$work/json"
	jq -r 'select(.cmd == "info" and .ok) | .result | .. | objects | .name?, .kernel?, .buffer? | strings' "$work/json" >>"$work/names"
	jq -r 'select(.cmd == "show" and .ok) | .result | .pane as $pane | .lines[0], (.data.note // [])[] | $pane + "\t" + .' "$work/json"
}
{
	look matmul.scn echo 'goto 900' 'break stall long for 60' "commands 1
echo x
end" continue 'compare order=lrr' run
	look bfs.scn 'set stats.lines on' 'goto 5000'
	look pipeline.scn 'goto 800'
	look multi/ways.scn 'goto 40000' 'goto 120000'
	look multi/deadline.scn 'goto 5000' 'goto 20000'
	look multi/trial.scn 'goto 20000'
	look multi/fragmentation.scn 'goto 2000'
	look vws/split.scn 'goto 3000'
	look tlp/vt-figure5.scn 'goto 700'
	look tlp/dyncta-phases.scn 'goto 30000'
	look tlp/dyncore.scn 'goto 30000'
	look faults/barrier.scn run
} >"$work/lines"

# "pane word" of every word.
sort -u "$work/names" | grep . >"$work/known"
sed -E 's/─+/ /g; s/`[^`]*`//g; s/\([A-Za-z_]+\) inlined/inlined/; s/\((try|nvcc) [^)]*\)//g' "$work/lines" | awk -F '\t' -v plain="$plain" -v phrases="$work/phrases" '
	NR == FNR { name[$1]; next }
	$1 == "notes" { next } # its title is a path
	{
		while ((getline phrase < phrases) > 0) all[++nall] = phrase
		for (i = 1; i <= nall; i++) if (sub(all[i], " ", $2)) print $1, all[i]
		n = split($2, word, "[^A-Za-z0-9_./-]+")
		for (i = 1; i <= n; i++) {
			w = word[i]
			sub(/[.]$/, "", w)
			if (w == $1 || w in name || w ~ /[0-9\/.]/ || w !~ /[A-Za-z]/ || w ~ /^[0-9a-f]+$/ || w ~ "^(" plain ")$" || length(w) == 1) continue
			print $1, w
		}
	}' "$work/known" - | sort -u >"$work/words"
holds "panes have words" test "$(wc -l <"$work/words")" -gt 80
cut -d ' ' -f 2- "$work/words" | sort -u | sed 's/.*/explain "&"/' >"$work/ask"
"$WARPSTEP" -n -q --plain <"$work/ask" 2>"$work/err" >/dev/null
none "explain knows every word of titles and of lines below lists" "$(sed -n -E "s/.*unknown name '([^']*)'.*/\\1/p" "$work/err" | tr '\n' ' ')"
none "the sums of all titles hold" "$(grep ✗ "$work/lines" | head -n 3)"
exit $failed
