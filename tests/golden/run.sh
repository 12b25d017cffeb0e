#!/bin/sh
# Transcripts: NAME.cmd holds commands, its first line "#! OPTIONS" options and a scenario (below scenarios/); NAME.txt is
# what they print, errors included. WARPSTEP_GOLDENS=write writes the .txt files anew.
#
# What grows with the tables and the machine is not part of a transcript: a line of 16 digits, a hash of the state, is written as
# HASH_1, HASH_2 ... in the order in which they appear, equal ones alike; how many statistics there are is N; what `why` says of
# every other order is ORDERS (tests/unit/test_lists.c reads that list, test_why.c checks it). A line "#~ SCRIPT" below the first is
# given to sed, for another list that has a line for each row of a table; it must change something.
# each: tests/golden/*.cmd
cd "${0%/*}/../.." || exit 1
[ -n "$LOG" ] || { LOG=$(mktemp -d) && trap 'rm -rf "$LOG"' EXIT; } || exit 1
work=$LOG/golden.$$

# settle SCRIPT: standard input without what grows.
settle() {
	sed -E -e "$1" -e 's|(stats /[^/]*/ [0-9]+ of )[0-9]+|\1N|g' -e 's/\{"link":"(orders|order|same)"[^}]*\},?//g' | awk '
		orders && match($0, /^ */) && RLENGTH >= orders { next }
		{ orders = 0 }
		/^ +(other|every other) warp scheduling polic(y|ies) would select / {
			orders = match($0, /[^ ]/)
			$0 = substr($0, 1, orders - 1) "ORDERS"
		}
		/^[0-9a-f]+$/ && length == 16 { if (!($0 in seen)) seen[$0] = ++n; $0 = "HASH_" seen[$0] }
		{ print }'
}

number=0 failed=0
for script in ${1:-tests/golden/*.cmd}; do
	name=${script##*/} name=${name%.cmd} first= second= options= edit=
	{
		IFS= read -r first
		IFS= read -r second
	} <"$script"
	case $first in '#! '*) options=${first#"#! "} ;; esac
	case $options in *'$work'*) mkdir -p "$work" ;; esac
	case $second in '#~ '*) edit=${second#"#~ "} ;; esac
	eval "\"$WARPSTEP\" $options" <"$script" >"$work.said" 2>&1
	echo "status $?" >>"$work.said"
	settle "$edit" <"$work.said" >"$work.out"
	number=$((number + 1))
	if [ -n "$edit" ] && sed -E "$edit" "$work.said" | cmp -s - "$work.said"; then
		echo "not ok $number - $name: its line #~ changes nothing"
		failed=1
		continue
	fi
	if [ "$WARPSTEP_GOLDENS" = write ]; then
		cp "$work.out" "tests/golden/$name.txt"
	elif cmp -s "$work.out" "tests/golden/$name.txt"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name: $(diff "$work.out" "tests/golden/$name.txt" | head -n 3 | tr '\n' ' ')"
		failed=1
	fi
done
exit $failed
