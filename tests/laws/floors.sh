# Law 9, the floors: what a folder of src uses is its own or lies below. Symbols are taken from the objects, headers from the
# sources; the order stands in one line, from the ground up. Those beside each other know nothing of each other.
. tests/tap
floors="base input,policy core time observe session brk tui lang cmd sweep main"

# The rooms of the core, the same way: from what the machine is up to its cycle, in which all take part.
rooms="state signals checks memory operands execute fetch issue gangs blocks cycle"

# Headers of contracts that may be read below those who define what they declare, each with the reason.
#   machine.h, config.h: the data of the machine, which policies get const; core defines the few functions that lay it out
contracts="machine.h config.h"

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# Objects of sources that exist: "folder object".
for source in src/*/*.c src/core/*/*.c; do
	for object in "$BUILD/${source%.c}.o" "$BUILD/${source%.c}".*.o; do
		[ -e "$object" ] && echo "$object"
	done
done > "$work/objects"

# Every symbol: "file letter name", the letter U for one that is used.
xargs nm -A -P < "$work/objects" | sed "s|^$BUILD/\(src/[^:]*\)\.o: *\([^ ]*\) \([A-Za-z]\).*|\1 \3 \2|" > "$work/symbols"

# floor FILE: awk functions that give a folder's floor.
ranks='function ranks(order, n, f, i, j, m) { n = split(order, f, " ")
	for (i = 1; i <= n; i++) { m = split(f[i], g, ","); for (j = 1; j <= m; j++) rank[g[j]] = i } }
	function folder(path, p) { split(path, p, "/"); return p[2] }
	function room(path, p) { return split(path, p, "/") == 4 ? p[3] : "" }'

none "9: every folder of src has its floor" "$(for directory in src/*/; do
	echo "$floors" | tr ' ,' '\n\n' | grep -qx "$(basename "$directory")" || echo "$directory"; done)"
none "9: symbols: what a folder uses is its own or lies below" "$(awk -v order="$floors" "$ranks"'
	BEGIN { ranks(order) }
	$2 ~ /[TDBRVWCGS]/ { home[$3] = $1 }
	$2 == "U" { used[$1 " " $3] = 1 }
	END {
		for (u in used) {
			split(u, x, " ")
			if (!(x[2] in home)) continue
			a = folder(x[1]); b = folder(home[x[2]])
			if (a != b && rank[b] >= rank[a])
				print x[1] " uses " x[2] " of " home[x[2]]
		}
	}' "$work/symbols" | sort)"

none "9: every room of the core has its place" "$(for directory in src/core/*/; do
	echo "$rooms" | tr ' ' '\n' | grep -qx "$(basename "$directory")" || echo "$directory"; done; ls src/core/*.[ch] 2>/dev/null)"
none "9: symbols: what a room of the core uses is its own or lies below" "$(awk -v order="$rooms" "$ranks"'
	BEGIN { ranks(order) }
	room($1) == "" { next }
	$2 ~ /[TDBRVWCGS]/ { home[$3] = $1 }
	$2 == "U" { used[$1 " " $3] = 1 }
	END {
		for (u in used) {
			split(u, x, " ")
			if ((x[2] in home) && rank[room(home[x[2]])] > rank[room(x[1])])
				print x[1] " uses " x[2] " of " home[x[2]]
		}
	}' "$work/symbols" | sort)"
none "9: includes: a room of the core reads headers of its own or from below" "$(grep -H '^#include "[a-z]*/' src/core/*/*.[ch] |
	sed 's|^\([^:]*\):#include "\([^"]*\)".*|\1 \2|' | awk -v order="$rooms" "$ranks"'
	BEGIN { ranks(order) }
	{ split($2, h, "/") }
	!(h[1] in rank) || rank[h[1]] > rank[room($1)] { print $1 " includes " $2 }')"

# The manual for those who change the core follows a warp through them.
page=man/warpstep-hacking.7.in
none "9: the manual has the rooms in their order" "$(grep -q "^from the ground up: $(echo "$rooms" | sed 's/ /, /g')\.$" $page || echo "$rooms")"
none "9: the queues between rooms that the manual names are sections of the machine" "$(
	grep -o '"\(sm\|slice\|channel\)\[[SI]\]\.[a-z_0-9]*' $page | sed 's/.*\.//' | sort -u | while read -r name; do
		grep -q "\"$name\"," include/tables/sections.def || echo "$name"; done)"

# Each header's words, without comments: "header word"; and what it includes: "header > header".
awk '{
		if (FNR == 1) { name = FILENAME; sub(/.*\//, "", name); within = 0 }
		gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "")
		if (/\/\*/) within = 1
		if (within) { if (/\*\//) within = 0; next }
		n = split($0, word, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= n; i++)
			if (word[i] != "" && !seen[name, word[i]]++) print name, word[i]
	}' include/*.h >"$work/words"
awk '/^#include "[^"]*\.h"/ { split($0, part, "\""); print FILENAME, part[2] }' include/*.h src/*/*.[ch] src/core/*/*.[ch] >"$work/includes"

none "9: includes: a header that a file reads declares nothing from above it" "$(awk -v order="$floors" -v free="$contracts" "$ranks"'
	BEGIN { ranks(order); n = split(free, f, " "); for (i = 1; i <= n; i++) contract[f[i]] = 1 }
	FILENAME ~ /symbols$/ { if ($2 ~ /[TDBRVWCGS]/) home[$3] = $1; next }
	FILENAME ~ /words$/ { if (($2 in home) && !($1 in contract) && rank[folder(home[$2])] > floor[$1]) {
			floor[$1] = rank[folder(home[$2])]; why[$1] = $2 }; next }
	{ file[FNR] = $1; reads[FNR] = $2; last = FNR }
	END {
		do {
			again = 0
			for (i = 1; i <= last; i++) {
				if (file[i] !~ /^include/) continue
				h = substr(file[i], 9)
				if (floor[reads[i]] > floor[h]) { floor[h] = floor[reads[i]]; why[h] = why[reads[i]]; again = 1 }
			}
		} while (again)
		for (i = 1; i <= last; i++)
			if (file[i] ~ /^src/ && floor[reads[i]] > rank[folder(file[i])])
				print file[i] " includes " reads[i] ", which declares " why[reads[i]]
	}' "$work/symbols" "$work/words" "$work/includes" | sort)"
none "9: what one folder alone reads lies in it" "$(awk '{
		n = split($1, part, "/")
		folder = part[1] == "include" ? "include" : part[1] "/" part[2]
		if (!seen[$2, folder]++) { readers[$2] = readers[$2] " " folder; count[$2]++ }
	}
	END {
		while (("ls include/*.h" | getline header) > 0) {
			sub(/.*\//, "", header)
			if (count[header] < 2 && readers[header] != " include") print header ":" readers[header]
		}
	}' "$work/includes")"
exit $failed
