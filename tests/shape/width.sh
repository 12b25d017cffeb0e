# What commands tell people fits the width: at 80 columns, and at 60 and 132, no line of any subject of `info`, of `stats`, `why`,
# `help` and `explain` is wider, every word and number that a pipe gets is there, too, and JSON is the same at every width.
# each: scenarios/default.scn scenarios/faults/race.scn
# each more: scenarios/slow.scn scenarios/tlp/vt-types.scn
# each long: scenarios/multi/deadline.scn scenarios/vws/split.scn scenarios/subcore/bank-conflict.scn
. tests/tap
case $LOG in /*) room=$LOG ;; *) room=$PWD/$LOG ;; esac
room=$room/width.$(basename "$1" .scn)
rm -rf "$room" && mkdir -p "$room"
names() { sed -n "s/^[A-Z_]*([^\"]*\"\([a-z0-9_.]*\)\".*/\1/p" "include/tables/$1.def"; }

# The commands, each behind a line that names it.
{
	printf 'set check.races on\nset check.barriers on\nset check.uninitialized on\nset stats.lines on\n'
	printf 'break event ctafinish as ended\nbreak stall long for 20\nbreak pc 3 if warp == 1 && cta >= 0\ndisplay ipc\n'
	printf 'goto 300\ncheckpoint here\n'
	for round in 1 2; do
		for subject in $(sed -n 's/^INFO(\(.*\))$/\1/p' include/tables/info.def); do
			echo "info $subject"
		done
		printf '%s\n' 'stats' 'stats lines' 'why' 'why 3' 'why slot 0.0' 'why sm 0' 'why cta 1' 'bt' 'info' 'alone' 'list' continue run
	done
	if [ "$1" = scenarios/default.scn ]; then
		sed -n 's/^\(BREAK\|PANE\)(\(.*\))$/explain \2/p' include/tables/breaks.def include/tables/panes.def
		for table in stats settings events; do
			names $table | sed 's/^/explain /'
		done
		sed -n 's/^COMMAND(\(.*\))$/\1/p' include/tables/commands.def | sed 's/set_var/set var/;s/find_text/find/;s/_/-/g;s/^/help /'
		printf '%s\n' help 'help statistics' 'help settings' 'help events' 'help schemes' 'help slots' 'help synthetic' 'help stall' 'help long' show gpu policy layout key alias
	fi
} | sed 's/.*/echo @@ &\n&/' >"$room/commands"

# say FILE OPTION...: what all that prints.
say() {
	file=$1
	shift
	timeout 300 "$WARPSTEP" -n -q --keep-going "$@" "$scenario" <"$room/commands" >"$room/$file" 2>/dev/null
}
scenario=$1
say wide
[ "$(grep -c '^@@' "$room/wide")" = "$(grep -c '^echo' "$room/commands")" ]
report 'every command is reached' $?
for width in 80 60 132; do
	say "$width" --size "${width}x24"
	none "no line is wider than $width" "$(grep -n -E "^.{$width}." "$room/$width" | head -n 3)"
	none "nothing is lost at $width" "$(awk '
		function over() {
			if (key == "") return
			if (file == 1) { all[key] = text; return }
			n = split(all[key], word, /[ \n]+/)
			gsub(/[ \n]/, "", text)
			if (text !~ /…/)
				for (i = 1; i <= n; i++)
					if (word[i] != "" && !index(text, word[i])) { print key ": " word[i]; return }
		}
		FNR == 1 { over(); file++; key = "" }
		/^@@/ { over(); key = $0 " " ++count[file, $0]; text = ""; next }
		key !~ /info timeline/ && !/^host\./ { text = text "\n" $0 }
		END { over() }' "$room/wide" "$room/$width" | head -n 3)"
done
say json -j
say json80 -j --size 80x24
settle() { grep -v '"keyframes":' "$1" | sed 's/"host\.[a-z]*":[0-9.e+-]*//g'; }
settle "$room/json" >"$room/json.settled"
settle "$room/json80" | cmp -s - "$room/json.settled" && [ "$(wc -l <"$room/json.settled")" -gt 50 ]
report 'JSON is the same at every width' $?
exit $failed
