# Reproduce figures of the papers that tests/reproduce/*.c do not have yet: for each paper a table of its number, ours and the difference on standard output, with a note for each
# that differs (tests/reproduce/reasons.txt), and files in $OUT. Each paper's groups, and what they write, are in tests/reproduce:
#
#   chimera   "Enabling Efficient Resource Utilization on Multitasking ...", chapter IV   table chimera pairs
#   maestro   the same, chapter V                                       classes maestro ranks decisions epochs
#   vws       "A Variable Warp Size Architecture"                       sizes gangs supply choice reform apart ages
#
# usage: reproduce.sh [GROUP...]     all of them if none is named; KEEP=1: runs of the loads that $OUT/runs has are not made again
: "${WARPSTEP:=$PWD/warpstep}" "${OUT:=build/reproduce}"
export LC_ALL=C WARPSTEP OUT
. tests/reproduce/common
. tests/reproduce/runs
groups="table chimera pairs classes maestro ranks decisions epochs sizes gangs supply choice reform apart ages"

# paper_of GROUP: the paper that it belongs to, and its title
paper_of() {
	case $1 in
	table | chimera | pairs) paper=chimera title="Park, University of Michigan, 2016, chapter IV" ;;
	classes | maestro | ranks | decisions | epochs) paper=maestro title="Park, University of Michigan, 2016, chapter V" ;;
	sizes | gangs | supply | choice | reform | apart | ages) paper=vws title="Rogers, Johnson, O'Connor, Keckler, ISCA 2015" ;;
	*) status=2 fail "no group '$1'; the groups are $(echo $groups | sed 's/ /, /g')" ;;
	esac
}

# all_groups PAPER GROUP...: were all groups of a paper asked for, or none?
all_groups() {
	wanted=$1
	shift
	for every in $groups; do
		paper_of "$every"
		[ "$paper" != "$wanted" ] || case " ${*:-$groups} " in *" $every "*) ;; *) return 1 ;; esac
	done
}

for group; do
	paper_of "$group"
done
mkdir -p "$OUT" || exit 1
[ -n "$KEEP" ] || rm -rf "$runs"
rm -f "$OUT"/*.svg "$OUT"/*.csv "$OUT"/*.txt
: >"$notes"
last=
for group in ${*:-$groups}; do
	paper_of "$group"
	csv=$OUT/$paper.csv
	[ "$paper" = "$last" ] || printf '%s%s\n%-8s %-66s %6s %8s %10s  %s\n' "${last:+
}" "$title" figure claim paper ours difference direction
	last=$paper
	# In a shell of its own: papers' files have functions of the same names.
	(. "tests/reproduce/$paper" && "group_$group") || exit
done
awk '{ print "[" NR "] " $0 }' "$notes" | fold -s -w 130 | sed 's| *$||; s/^\([^[]\)/    \1/'
for chart in tests/reproduce/*.gp; do
	all_groups "$(basename "$chart" .gp)" "$@" && command -v gnuplot >/dev/null || continue
	gnuplot -e "dir='$OUT'" "$chart" || fail "gnuplot: status $?"
done
for file in "$OUT"/*.csv "$OUT"/*.txt "$OUT"/*.svg; do
	[ ! -e "$file" ] || echo "written: $file"
done
rm -f "$OUT"/commands "$OUT"/output "$OUT"/errors "$OUT"/values "$OUT"/spread "$OUT"/*.cycles "$notes"
