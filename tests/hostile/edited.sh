#!/bin/sh
# A table or header that is edited while make runs: what was being compiled is compiled again by the next make, else not;
# and a text that changes in a table compiles nothing that reads the names of its rows alone.
. tests/tap
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/base"
cp -r Makefile include "$work" && cp src/base/base.c "$work/src/base" && cd "$work" || exit 1
printf '#include "%s.h"\n' config events counters ops > src/base/rows.c
printf 'int rows = SETTING_COUNT + EVENT_COUNT + SM_STAT_COUNT + OP_COUNT;\n' >> src/base/rows.c
# The compiler that the program is built with; while it is at src/base/base.c, somebody edits a header that it has read.
printf '#!/bin/sh\n%s "$@" || exit\n[ -e calm ] || case $* in *-c*src/base/base.c) echo >> include/base.h; sleep 0.01; touch build/release/src/base/base.o ;; esac\n' "${CC:-cc}" > slow
chmod +x slow
objects="build/release/src/base/base.o build/release/src/base/rows.o"
compiled() { make SAN= CC="$work/slow" $objects 2>&1 | sed -n 's|^  cc *src/base/||p' | sort | tr '\n' ' '; }
# is NAME OBJECTS: the next make compiles these.
is() {
	said=$(compiled)
	[ "$said" = "$2" ]
	report "$1" $? "compiled: $said"
}
is "all is compiled" "base.c rows.c "
touch calm
is "what was edited meanwhile is compiled again" "base.c "
is "then nothing is" ""
sed -i -e 's|streaming multiprocessors|multiprocessors|' include/tables/settings.def
sed -i -e 's|warp instructions issued|instructions issued|' include/tables/stats.def
sed -i -e 's|a warp instruction issued|an instruction issued|' include/tables/events.def
sed -i -e '0,/A(u##n) + B/s||B(u##n) + A|' include/tables/ops.def
is "texts, defaults and bodies of rows compile nothing that reads their names alone" ""
for row in 'settings SETTING(sm_other, "sm.other", NUMBER, 1, 8, 4, LAYOUT, "", "")' 'stats COUNTER(SM, OTHER, "other", "", "")' \
	'events EVENT(OTHER, "other", "", "", "")' 'ops OP(OTHER, "", "", CONTROL, NONE)'; do
	echo "${row#* }" >> "include/tables/${row%% *}.def"
	is "a row more of ${row%% *}.def compiles what reads its names" "rows.c "
done
exit $failed
