#!/bin/sh
# Golden files made anew, and kept once they have been shown (make goldens).
#
# usage: goldens.sh show              run the unit tests and the laws; if all hold, make the golden files in a copy of the tree and print
#                                     what changes. The tree stays as it is
#        goldens.sh keep PATTERN...   put those that were shown last, and whose name holds a pattern, or all (yes), into the tree
#
# A golden file says what the program does, not that it is right: those tests say that, which is why they come first. What was shown is in
# build/goldens; it is kept only while program and golden files are what they were then. Of a file at most $LINES lines are printed.
: "${BUILD:=build/release}" "${WARPSTEP:=$PWD/warpstep}" "${LINES:=40}"
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD WARPSTEP
root=$PWD
made=$root/build/goldens
copied="Makefile README.md include man scenarios src tests"

# The rules: unit tests, and all laws but the states, which are golden themselves
check() {
	set -- tests/test_
	for law in tests/laws/*.sh; do
		case $law in */states.sh) ;; *) set -- "$@" "$law" ;; esac
	done
	env -u WARPSTEP_LONG sh tests/run.sh "$@" >"$made/checks" 2>&1 && return
	grep -E '^(FAIL|no test)|passed' "$made/checks"
	echo "goldens: a law or a rule's test fails: no golden file is made" >&2
	return 1
}

# make_anew: the golden files in the copy
make_anew() {
	for part in $copied; do
		[ ! -e "$part" ] || cp -rp "$part" "$made/tree" || return
	done
	touch "$made/copied"
	cd "$made/tree" || return
	mkdir -p scenarios/data tests/ptx
	"$BUILD/tests/reference" scenarios/data || return
	for name in histogram dot warpsync redux; do
		mv "scenarios/data/$name.want" tests/ptx || return
	done
	WARPSTEP_GOLDENS=write sh tests/run.sh tests/golden tests/laws/states tests/shape/reproduce >"$made/written" 2>&1
	written=$?
	cd "$root" || return
	[ $written = 0 ] || grep -E '^(FAIL|no test)|passed' "$made/written"
}

# changes NAME: what is another in a file of the copy. Of states.txt the values, as a line of it is hundreds.
changes() {
	case $1 in
	*/states.txt)
		awk 'FNR == 1 { next }
		{ split($0, part, " \\|"); n = split(part[2], pair, " ") }
		NR == FNR { had[part[1]]; for (i = 1; i <= n; i++) { split(pair[i], v, "="); old[part[1], v[1]] = v[2] } next }
		{
			text = part[1] in had ? "" : " a new row"
			shown = 0
			for (i = 1; part[1] in had && i <= n; i++) {
				split(pair[i], v, "=")
				if (old[part[1], v[1]] != v[2] && ++shown <= 4)
					text = text " " v[1] " " (old[part[1], v[1]] == "" ? 0 : old[part[1], v[1]]) "->" v[2]
			}
			if (text != "") print part[1] ":" text (shown > 4 ? " and " shown - 4 " more" : "")
		}' "$1" "$made/tree/$1"
		;;
	*) diff -U0 "$1" "$made/tree/$1" 2>&1 | sed -e 1,2d -e '/^@@/d' ;;
	esac | cut -c 1-160
}

show() {
	rm -rf "$made"
	mkdir -p "$made/tree"
	check && make_anew || exit 1
	(cd "$made/tree" && find . -type f -newer "$made/copied") | sed 's|^\./||' | sort | while read -r name; do
		cmp -s "$name" "$made/tree/$name" && continue
		echo "$name" >>"$made/names"
		[ -e "$name" ] || { echo "$name: new, $(wc -l <"$made/tree/$name") lines"; continue; }
		changes "$name" >"$made/changes"
		echo "$name: $(wc -l <"$made/changes") lines"
		sed -e 's/^/    /' -e "${LINES}q" "$made/changes"
		[ "$(wc -l <"$made/changes")" -le "$LINES" ] || echo "    ... diff $name build/goldens/tree/$name"
	done
	[ -e "$made/names" ] || { echo "no golden file changes"; return; }
	# What these are the changes of
	{ echo "$WARPSTEP"; while read -r name; do [ ! -e "$name" ] || echo "$name"; done <"$made/names"; } | tr '\n' '\0' | xargs -0 sha256sum >"$made/sums"
	echo "$(wc -l <"$made/names") golden files change. When you have read how: make goldens KEEP=yes, or KEEP='PATTERN...' for some of them"
}

keep() {
	[ -e "$made/sums" ] || { echo "goldens: nothing was shown: make goldens" >&2; exit 1; }
	sha256sum --quiet -c "$made/sums" >&2 || { echo "goldens: the program or a golden file is another since they were shown: make goldens" >&2; exit 1; }
	[ "$1" != yes ] || set -- ''
	while read -r name; do
		for pattern; do
			case $name in *"$pattern"*) cp "$made/tree/$name" "$name" && echo "kept $name"; break ;; esac
		done
	done <"$made/names"
	rm -rf "$made"
}

verb=$1
[ $# -eq 0 ] || shift
case $verb in
show | keep) "$verb" "$@" ;;
*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
