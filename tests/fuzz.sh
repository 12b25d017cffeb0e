# Run one fuzzer: fuzz.sh command|ptx|expr|trace|list|packed|lesson|session|kept. B: where it was built; SECONDS_EACH: how long.
# Its seeds are the scenarios, the tests' PTX and seeds/; its words come from the program's own tables. Inputs are kept in
# $B/corpus; an input that breaks something lies in $B, to be copied to tests/fuzz/crashes when it is understood.
target=$1
usage='usage: fuzz.sh command|ptx|expr|trace|list|packed|lesson|session|kept'
cd "$(dirname "$0")/.." || exit 1
corpus=$B/corpus/$target
mkdir -p "$corpus" "$B/seeds/$target"
seeds=$B/seeds/$target

# seed EDIT PREFIX FILE...: each file as a sed script leaves it, behind a prefix, under a name of its whole path.
seed() {
	edit=$1 prefix=$2
	shift 2
	for f; do
		{ printf '%s' "$prefix"; sed "$edit" "$f"; } >"$seeds/$(echo "$prefix$f" | tr / _)"
	done
}
# The words of the language.
words() {
	sed -n 's/^COMMAND(\(.*\))/"\1 "/p; s/_/-/g' include/tables/commands.def
	sed -n 's/^INFO(\(.*\))/"info \1"/p' include/tables/info.def
	sed -n 's/^SETTING([a-z_0-9]*,[ 	]*\("[^"]*"\).*/\1/p' include/tables/settings.def
	sed -n 's/^EVENT([A-Z_0-9]*,[ 	]*\("[^"]*"\).*/\1/p' include/tables/events.def
}
# The words of traces.
trace_words() {
	sed -n 's/^TRACE_OPS([^,]*,[ 	]*[A-Z]*,[ 	]*"\([A-Z0-9_ ]*\).*/\1/p' include/tables/trace_ops.def | tr ' ' '\n' | sed 's/.*/"&"/' | grep -v '^""$'
	printf '"%s"\n' '#BEGIN_TB' '#END_TB' 'thread block = ' 'warp = ' 'insts = ' '-grid dim = ' '-block dim = ' ffffffff R255 .128 .E 0x
}

case $target in
command)
	seed 's/\.\.\/\.\.\/scenarios\///' '' scenarios/*.scn scenarios/*/*.scn tests/golden/*.cmd tests/fuzz/seeds/command-*
	words >"$B/$target.dict"
	;;
session)
	seed '/^ *\(gpu\|module\|buffer\|launch\|save\|log\|dump\) /d' '' scenarios/*.scn scenarios/*/*.scn tests/golden/*.cmd tests/fuzz/seeds/command-* tests/fuzz/seeds/session-*
	words >"$B/$target.dict"
	;;
lesson)
	seed '/^\(part\|note\|begin\|ask\|after\|then\|choice\|tolerance\|wrong\|reveal\|hint\|version\) /!d
		s#kernels/[a-z_]*_[a-z]\.ptx#sub.ptx#; s#kernels/[a-z]*\.ptx#vecadd.ptx#' '' scenarios/*/*.scn tests/golden/*.cmd tests/fuzz/seeds/lesson-*
	words >"$B/$target.dict"
	;;
kept)
	for k in a b c d e f g h i j k l m n o p q r; do
		seed '' "$k-" tests/fuzz/seeds/kept-*
	done
	words >"$B/$target.dict"
	;;
trace)
	cp tests/fuzz/seeds/trace-* "$seeds"
	trace_words >"$B/$target.dict"
	;;
list)
	cp tests/fuzz/seeds/list-* "$seeds"
	{ trace_words; printf '"%s"\n' kernel- .traceg .xz .gz MemcpyHtoD '\\n=' ../ /etc/passwd =list.g; } >"$B/$target.dict"
	;;
packed)
	# What the first byte says: to be packed by xz, by gzip; packed already.
	seed '' a-- tests/fuzz/seeds/trace-*
	seed '' b-- tests/fuzz/seeds/trace-*
	for f in tests/fuzz/seeds/trace-*; do
		{ printf 'c--'; xz -0 -c "$f"; } >"$seeds/xz-${f##*/}"
		{ printf 'c--'; gzip -1 -c "$f"; } >"$seeds/gz-${f##*/}"
	done
	trace_words >"$B/$target.dict"
	;;
ptx)
	seed '' '' tests/ptx/*.ptx scenarios/kernels/*.ptx scenarios/*/kernels/*.ptx
	{
		sed -n 's/^OP([A-Z_0-9]*,[ 	]*\("[^"]*"\).*/\1/p' include/tables/ops.def | tr ' ' '\n' | sed 's/^"*\([^"]*\)"*$/"\1"/' | grep -v '^""$'
		printf '"%s"\n' .visible .entry .func .param .reg .shared .global .const .local .align .u32 .b64 .f32 .pred \
			.extern .loc .file .version .target .address_size %r %rd %f %p %tid.x %ctaid.x %ntid.x 'ld.global' 'st.shared' \
			'@%p' bar.sync ret bra
	} >"$B/$target.dict"
	;;
expr)
	cp tests/fuzz/seeds/expr-* "$seeds"
	{
		sed -n 's/^COUNTER([A-Z0-9]*, [A-Z_0-9]*,[ 	]*\("[^"]*"\).*/\1/p; s/^FORMULA(\("[^"]*"\).*/\1/p' include/tables/stats.def
		sed -n 's/^SETTING([a-z_0-9]*,[ 	]*\("[^"]*"\).*/\1/p' include/tables/settings.def
		sed -n 's/^SECTION[A-Z_]*([^"]*\("[^"]*"\).*/\1/p' include/tables/sections.def
		printf '"%s"\n' 'sm[0].' '$cycle' '$warp' '$_hits' '<<' '&&' '?' ':' 'a[' 'kernel.0.' 'status.' 'event.' 'class.' 'stage.'
	} >"$B/$target.dict"
	;;
*)
	echo "$usage" >&2
	exit 2
	;;
esac

echo "fuzzing: $target, ${SECONDS_EACH:-60} seconds"
ASAN_OPTIONS=detect_leaks=1 exec "$B/fuzz_$target" -max_total_time="${SECONDS_EACH:-60}" -timeout=60 -rss_limit_mb=3000 -max_len=65536 \
	-len_control=100 -close_fd_mask=3 -print_final_stats=1 -verbosity=1 -reload=0 -dict="$B/$target.dict" -artifact_prefix="$B/crash-$target-" \
	"$corpus" "$seeds" 2>"$B/$target.log"
