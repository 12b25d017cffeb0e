# Plain words: the law finds what is planted, and nothing else; the program's own texts break no rule.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/tap
mkdir "$work/tables"
cat >"$work/tables/x.def" <<'END'
ROW(a, "a.b", "of them, those that hit")
ROW(b, "b.c", "L1D line size (0 = none)") /* nobody reads comments */
ROW(c, "c.d", "its line")
ROW(d, "d.e", "warps " "that nobody " /* joined */
	"stalls")
END
cat >"$work/x.c" <<'END'
static const char *x = "no setting `%s`"; // somebody's comment
static const char *y = "'%s' is not a place of values";
static const char *z = "in place, an L2 slice, a round trip and `place` are no faults";
static const char *w = "the behaviour of a " "neighbour";
static const char c = '"', d[] = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
	"seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven "
	"twenty-eight twenty-nine thirty thirty-one";
END
cat >"$work/x.scn" <<'END'
# who reads this
launch place grid 1
note "Warps come together."
END
printf '.\\" nobody\n.SH WHO\nThe warp\n.B wants\nmore.\n.nf\nso many\n.fi\n' >"$work/x.7.in"
sh tests/words.sh "$work" | sed "s|$work/||; s/^\([^:]*:[0-9]*\): \('[^']*'\|a row begins\|a sentence of [0-9]* words\|a name between\).*/\1 \2/" >"$work/found"
cat >"$work/want" <<'END'
tables/x.def:1 'of them'
tables/x.def:1 a row begins
tables/x.def:3 a row begins
tables/x.def:4 'nobody'
x.7.in:3 'wants'
x.c:1 a name between
x.c:2 'place'
x.c:4 'behaviour'
x.c:4 'neighbour'
x.c:5 a sentence of 31 words
x.scn:1 'who'
x.scn:3 'come together'
END
LC_ALL=C sort -o "$work/found" "$work/found"
LC_ALL=C sort -o "$work/want" "$work/want"
none "planted faults are found, and nothing else" "$(diff "$work/want" "$work/found")"
none "texts for users are in plain words (make words)" "$(sh tests/words.sh | cut -c 1-160 | head -n 5)"
exit $failed
