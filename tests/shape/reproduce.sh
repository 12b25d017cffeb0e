# `make reproduce`: quick figures of every group are those written down (tests/reproduce/quick.txt), laws of some of them, a reason for each number
# of the last whole run that differs, and what it says where it cannot go on. With WARPSTEP_GOLDENS=write the quick figures are written down anew.
. tests/tap
OUT=$LOG/reproduce
export OUT
here=tests/reproduce
reproduce=$BUILD/tests/reproduce

"$reproduce" --quick >"$LOG/reproduce.txt" 2>&1
holds "status" [ $? -eq 0 ]
[ "$WARPSTEP_GOLDENS" = write ] && cp "$OUT/quick.txt" $here/quick.txt
none "quick figures are those written down (make goldens)" "$(diff $here/quick.txt "$OUT/quick.txt" | head -n 6)"
none "every number is one" "$(grep -vE '^[a-z][^ ]* -?[0-9]+(\.[0-9]+)?$' "$OUT/quick.txt")"
none "every group of make help has a figure" "$(for group in $(sed -n "s/^.*make reproduce .*ROWS='\([^']*\)'.*/\1/p" Makefile); do
	grep -q "^$group-" "$OUT/quick.txt" || sh tests/reproduce.sh nothing 2>&1 | grep -qE "[ ,]$group(,|$)" || echo "$group"; done)"

holds "a row over some loads says so" grep -q "^vt-gain .*(3 of 27 loads)$" "$LOG/reproduce.txt"

# figure KEY LEAST MOST: a quick figure lies between
figure() {
	holds "$1 is $2 to $3" awk -v key="$1" -v least="$2" -v most="$3" '$1 == key { n++; bad = $2 < least || $2 > most } END { exit bad || n != 1 }' "$OUT/quick.txt"
}
figure fma-rr 3.78 4.02         # the paper's 3.9, within 3 %
figure fma-shuffle 1.95 2.35    # the mean of chance is 2.13 with 4 entries ...
figure fma-shuffle-16 1.6 1.95  # ... and 1.77 with 16
figure rows-cov-rr 0.7 0.85     # the paper's 0.80
figure rows-cov-srr 0 0.15      # the paper's 0.11
holds "lengths: round robin's loss grows and stays below its bound, srr is never behind shuffle" \
	awk -F, 'NR > 1 { n++; if ($7 < last || $7 > $9 || $8 < 1) bad = 1; last = $7 } END { exit bad || n != 8 }' "$OUT/subcore-ratio.csv"
holds "rows: drawn lengths leave some variation" awk -F, '/random/ { n++; if ($10 < 0.03) bad = 1 } END { exit bad || n < 1 }' "$OUT/subcore-rows.csv"

"$reproduce" --kept >"$LOG/kept.txt" 2>&1
holds "status of the numbers kept" [ $? -eq 0 ]
none "a reason for each number that differs" "$(grep '\[?\]' "$LOG/kept.txt")"
holds "the notes are numbered from 1 and stand below their table" awk '/^figure/ { n = 0 } /^\[/ { n++; all++; if ($1 != "[" n "]") bad = 1 } END { exit bad || all < 6 }' "$LOG/kept.txt"
# Verdicts, by hand: KEY, ours, what is said; the paper's number stands behind it.
while read -r key ours word; do
	echo "$key $ours" >"$LOG/one.txt"
	"$reproduce" --kept="$LOG/one.txt" >"$LOG/kept.txt" 2>&1
	holds "$key $ours: ${word%% /*}" grep -qE " $ours *(%|x|us)? .* ${word%% /*}( |\$)" "$LOG/kept.txt"
done <<'END'
vt-c 0.5 within a tenth / 0 %
vt-c -1.9 within a third / 0 %: two points
vt-c -14.7 wrong direction / 0 %
vt-x2 0.2 within a tenth / -0.2 %: half a point
vt-x2 0.5 wrong direction / -0.2 %: more than half a point, and a gain for a loss
vt-x2 -2.1 within a third / -0.2 %
vt-x2 -2.3 right direction / -0.2 %
elf-newcar 0.6 within a third / 2.5 %: two points
elf-newcar 4.6 right direction / 2.5 %
elf-newcar -0.1 wrong direction / 2.5 %
fma-rr 3.51 within a tenth / 3.9: 0.39
fma-rr 2.60 within a third / 3.9: 1.3
fma-rr 1.50 right direction / 3.9
fma-rr 0.90 wrong direction / 3.9
fma-balanced 1.50 wrong direction / 1.0: nothing changes
limits-turned 47.7 within a tenth / 52.9 %: 5.29
limits-turned 36.0 within a third / 52.9 %: 17.6
limits-turned 30.0 apart / 52.9 %: a share
static-n 4.90 within a tenth / 5.38: 0.538
static-n 4.00 within a third / 5.38: 1.79
static-n 3.50 apart / 5.38
vt-misses 1.699 holds / <1.7
vt-misses -1.700 exceeds / <1.7
vt-more 3.0 no number / none
mix-chance-full-16 3.6 experiment / none, and no reason
END
for row in vt-c:-14.7 fma-rr:1.95; do echo "${row%:*} ${row#*:}"; done >"$LOG/one.txt"
"$reproduce" --kept="$LOG/one.txt" >"$LOG/kept.txt" 2>&1
holds "percents differ by points" grep -q -- " -14.7 pt " "$LOG/kept.txt"
holds "others by a factor" grep -q " x 0.50 " "$LOG/kept.txt"

"$reproduce" nothing >/dev/null 2>"$LOG/reproduce.txt"
holds "no such group: status 2" [ $? -eq 2 ]
holds "no such group: what there is" grep -q "no group 'nothing'; the groups are fma ratio" "$LOG/reproduce.txt"
sed -i 's/^\(kernel.0.cycles *\)[0-9]*/\10/' "$OUT"/runs/*fma-baseline_under_base.*
KEEP=1 "$reproduce" --quick fma >/dev/null 2>"$LOG/reproduce.txt"
holds "a row without a number: status 1" [ $? -eq 1 ]
holds "a row without a number is named" grep -q "fma-balanced has no number" "$LOG/reproduce.txt"
top=$PWD
mkdir -p "$LOG/empty"
(cd "$LOG/empty" && OUT=out "$top/$reproduce" --quick fma >/dev/null 2>"$top/$LOG/reproduce.txt")
holds "a run that fails: status 1" [ $? -eq 1 ]
holds "a run that fails is named" grep -q "reproduce: scenarios/subcore/fma-[a-z]* under [a-z]*: .*cannot open" "$LOG/reproduce.txt"
exit $failed
