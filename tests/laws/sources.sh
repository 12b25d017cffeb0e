# Laws 8, 9 and 10 in the sources, and names: rows = files, includes, no printing, exiting or allocating in core and policy.
. tests/tap

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
none "8: every command's row has its file" "$(for id in $(ids commands.def COMMAND); do
	grep -l "struct command command_$id\b" src/cmd/cmd_*.c >/dev/null 2>&1 || echo "$id"; done)"
none "8: every file of a command has its row" "$(for file in src/cmd/cmd_*.c; do
	for id in $(sed -n 's/^const struct command command_\([a-z0-9_]*\) .*/\1/p' "$file"); do
		ids commands.def COMMAND | grep -qx "$id" || echo "$file: $id"; done; done)"
none "8: every scheme's row has its file" "$(for id in $(ids schemes.def SCHEME); do
	[ -e "src/policy/$id.c" ] || echo "$id"; done)"
none "8: every scheme's file has its row" "$(for file in $(grep -l '^const struct scheme scheme_[a-z0-9_]* =' src/policy/*.c); do
	id=$(basename "$file" .c); ids schemes.def SCHEME | grep -qx "$id" || echo "$file"; done)"
none "8: every kind of stop has its file" "$(for id in $(ids breaks.def BREAK); do
	grep -l "struct break_kind break_kind_$id\b" src/brk/kind_*.c >/dev/null 2>&1 || echo "$id"; done)"
none "8: every file of a kind of stop has its row" "$(for file in src/brk/kind_*.c; do
	for id in $(sed -n 's/^const struct break_kind break_kind_\([a-z0-9_]*\) .*/\1/p' "$file"); do
		ids breaks.def BREAK | grep -qx "$id" || echo "$file: $id"; done; done)"

none "8: every pane's row has its file" "$(for id in $(ids panes.def PANE); do
	grep -q "^const struct pane pane_$id\b" "src/tui/pane_$id.c" 2>/dev/null || echo "$id"; done)"
none "8: every file of a pane has its row" "$(for file in src/tui/pane_*.c; do
	for id in $(sed -n 's/^const struct pane pane_\([a-z0-9_]*\) .*/\1/p' "$file"); do
		ids panes.def PANE | grep -qx "$id" || echo "$file: $id"; done; done)"

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
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
holds "the list of mutants is understood" awk -v out="$planted" -f tests/mutants/plant.awk tests/mutants/mutants.list
none "every mutant quotes text that is there (tests/mutants/mutants.list)" "$(cut -f 2- "$planted/stale" 2>/dev/null)"

# --- rows of a table may stand in any order ---
none "no arithmetic on the ids of statistics, events and notices: a mapping names each" "$(code src/*/*.[ch] include/*.h tests/*/*.[ch] |
	grep -E '\b(STAT|EVENT|NOTICE)_[A-Z0-9_]+ *[-+<>]=? *[^<>= ]|(^|[^<>])[-+<>]=? *(STAT|EVENT|NOTICE)_[A-Z0-9_]+' |
	grep -vE '\b(EVENT_COUNT|NOTICE_COUNT|NOTICE_BASE|STAT_MAX)\b')"

# --- what has no place in the tree ---
none "no leftovers among the files that are kept" "$(git ls-files -s 2>/dev/null | grep -E '^120000|\.(orig|rej|bak|swp|o)$|~$|\.[0-9]+/' | cut -f 2)"
exit $failed
