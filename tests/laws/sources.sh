# Laws 8, 9 and 10 in the sources, and names: rows = files, includes, no printing, exiting or allocating in core and policy.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# ids TABLE MACRO: the ids of a table's rows.
ids() {
	sed -n "s/^$2(\([a-z0-9_]*\).*/\1/p" "include/tables/$1"
}

# code FILE...: C without comments and strings, each line with its file's name.
code() {
	awk 'FNR == 1 { inside = 0 }
		{ gsub(/"[^"]*"/, ""); sub(/\/\*.*\*\//, "") }
		inside { if (/\*\//) inside = 0; next }
		/\/\*/ { inside = 1; next }
		{ sub(/\/\/.*/, ""); print FILENAME ": " $0 }' "$@"
}

# includes DIRECTORY...: "file: header" for every include.
includes() {
	for directory; do
		ls src/"$directory"/*.[ch] src/"$directory"/*/*.[ch] 2>/dev/null
	done | xargs awk '/^# *include *["<]/ { sub(/^# *include *["<]/, ""); sub(/[">].*/, ""); print FILENAME ": " $0 }'
}

# --- 8: rows = files ---
# What a test leaves behind is not committed.
none "nothing else at the top" "$(git ls-files 2>/dev/null | cut -d / -f 1 | sort -u |
	grep -vxE '\.ci|\.clang-format|\.clang-tidy|\.gitignore|LICENSE|Makefile|README\.md|include|man|scenarios|src|tests')"

# rows_and_files WHAT TABLE MACRO TYPE FILE...: every row of the table has its definition in one of the files, and the other way round
rows_and_files() {
	what=$1 type=$4
	ids "$2" "$3" | sort >"$work/rows"
	shift 4
	sed -n "s/^const struct $type ${type}_\([a-z0-9_]*\)\>.*[={].*/\1/p" "$@" | sort >"$work/defined"
	none "8: every $what's row has its file" "$([ -s "$work/rows" ] || echo none; comm -23 "$work/rows" "$work/defined")"
	none "8: every file of a $what has its row" "$(comm -13 "$work/rows" "$work/defined")"
}
rows_and_files command commands.def COMMAND command src/cmd/cmd_*.c
rows_and_files scheme schemes.def SCHEME scheme src/policy/*.c
rows_and_files "kind of stop" breaks.def BREAK break_kind src/brk/kind_*.c
rows_and_files pane panes.def PANE pane src/tui/pane_*.c
none "8: a scheme or a pane is in the file of its name" "$(awk '/^const struct (scheme scheme|pane pane)_.*[={]/ {
	id = $4; sub(/^(scheme|pane)_/, "", id); sub(/\[.*/, "", id); stem = FILENAME; gsub(/.*\/(pane_)?|\.c$/, "", stem)
	if (stem != id) print FILENAME ": " id }' src/policy/*.c src/tui/pane_*.c)"

# --- names ---
none "a static function of a command, a subject, a pane, a policy or the core begins with its file's name" "$(awk '
	FNR == 1 { stem = FILENAME; gsub(/.*\/|\.c$/, "", stem) }
	/^static .*\)\)$/ { getline more; $0 = $0 " " more }
	{ gsub(/__attribute__\(\([^)]*\)\) */, "") }
	match($0, /^(static|ALWAYS_INLINE) [^=(;]*[ *][a-z_0-9]*\(/) { name = substr($0, 1, RLENGTH - 1); gsub(/.*[ *]/, "", name)
		if (index(name, stem "_") != 1) print FILENAME ": " name }' src/cmd/cmd_*.c src/cmd/info_*.c src/tui/pane_*.c src/policy/*.c src/core/*/*.c)"

none "braces of an initialiser stand close: {0}, {.a = 1}" "$(code $(ls src/*/*.[ch] include/*.h | grep -v 'machine\.h$') |
	grep -E '(= ?|\)|, |\(|\{)\{ [^ \]' | grep -vE '\) \{|;.*\}')"

# --- 9: what a folder may include; floors.sh has the order of the folders ---
none "9: policy sees only policy.h, machine.h and what stands below" "$(includes policy |
	grep -v ' \(policy\.h\|policy_[a-z]*\.h\|machine\.h\|config\.h\|counters\.h\|events\.h\|ops\.h\|banks\.h\|base\.h\|oldnames\.h\|schemes\.def\|shorthands\.def\|policyslots\.def\|string\.h\|stdint\.h\|stdbool\.h\|stddef\.h\)$')"
none "9: JSON is for what is shown" "$(includes base input core policy time | grep ' jansson\.h$')"
none "9: readline and curses are for the two faces alone" "$(includes base input core policy time observe session brk lang |
	grep ' \(ncurses.*\|curses\.h\|readline/.*\)$')"
none "9: panes draw on a canvas, they know no terminal and move no machine" "$(for source in src/tui/pane_*.c src/tui/panes.c \
	src/tui/canvas.c src/tui/sheet.c src/tui/grid.c; do
	grep -H '#include.*\(curses\|readline\|travel\.h\|tui\.h\)' "$source"
	grep -Hw 'timeline_\(go\|run\|reverse\|input\|forget\)' "$source"; done)"

# --- 10: no printing, exiting, allocating; no state of its own ---
none "10: core and policy do not print, exit or ask the host" "$(code src/core/*/*.c src/policy/*.c |
	grep -E '\b(printf|fprintf|puts|fputs|putchar|exit|_exit|abort|getenv|time|clock|rand|random|fopen|read|write)\(')"
none "10: only what makes a machine allocates" "$(code src/core/*/*.c src/policy/*.c |
	grep '\(^\|[^a-z_]\)\(x\?malloc\|x\?calloc\|x\?realloc\|alloca\|aligned_alloc\|xstrdup\|xasprintf\)(' |
	grep -v '^src/core/[a-z]*/\(machine\|open\|bus\|sim\)\.c:')"
none "10: core and policy keep no state outside the machine" "$(code src/core/*/*.c src/policy/*.c |
	grep -E ':[[:blank:]]+static [^(]*(;|=)|: [a-z][a-z0-9_ *]*[ *][a-z0-9_]+(\[[^]]*\])*( = .*)?;$' | grep -vE '\bconst\b|: (extern|typedef) ')"

# --- what quotes the sources ---
planted=$work/planted
mkdir "$planted"
holds "the list of mutants is understood" awk -v out="$planted" -f tests/mutants/plant.awk tests/mutants/mutants.list
none "every mutant quotes text that is there (tests/mutants/mutants.list)" "$(cut -f 2- "$planted/stale" 2>/dev/null)"

# --- rows of a table may stand in any order ---
none "no arithmetic on the ids of statistics, events and notices: a mapping names each" "$(code src/*/*.[ch] include/*.h tests/*/*.[ch] |
	grep -E '\b(STAT|EVENT|NOTICE)_[A-Z0-9_]+ *[-+<>]=? *[^<>= ]|(^|[^<>])[-+<>]=? *(STAT|EVENT|NOTICE)_[A-Z0-9_]+' |
	grep -vE '\b(EVENT_COUNT|NOTICE_COUNT|NOTICE_BASE|STAT_MAX)\b')"

# --- what has no place in the tree ---
none "no leftovers among the files that are kept" "$(git ls-files -s 2>/dev/null | grep -E '^120000|\.(orig|rej|bak|swp|o)$|~$|\.[0-9]+/' | cut -f 2)"
exit $failed
