# Charts shaped like the paper's figures from the tables in `dir` (dyncta*.csv), into dyncta.svg there.
set datafile separator ","
set terminal svg size 1200,1800 font "sans,12" background "white"
set output dir."/dyncta.svg"
loads = dir."/dyncta-loads.csv"
sweep = dir."/dyncta-sweep.csv"
off = dir."/dyncta-off.csv"
table = dir."/dyncta.csv"
limit(n) = "< awk -F, 'NR == 1 { print; next } { if ($2 == 1) one[$1] = $3; if ($2 == ".n.") at[$1] = $3; most[$1] = $3; if (!($1 in seen)) { seen[$1]; name[++k] = $1 } } END { for (i = 1; i <= k; i++) print name[i] \",\" (at[name[i]] ? most[name[i]] / at[name[i]] : 0) }' '".sweep."'"
at_most(c) = "< awk -F, 'NR > 1 { one[$1] = $2 == 1 ? $".c." : one[$1]; most[$1] = $".c."; if (!($1 in seen)) { seen[$1]; name[++k] = $1 } } END { for (i = 1; i <= k; i++) if (one[name[i]]) print name[i] \",\" most[name[i]] / one[name[i]] }' '".sweep."'"
part(pattern) = "< sed -n '1p; /".pattern."/p' '".table."'"
modulated(name) = "< grep '^".name.",' '".dir."/dyncta-n.csv'"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set multiplot layout 5,2 title "Kayiran, Jog, Kandemir, Das, CSE-12-006, 2012: paper and warpstep"

set style data histogram
set style histogram clustered gap 1
set title "Figure 1: speedup of a limit over as many CTAs as fit (ours)"
set ylabel "speedup"
set yrange [0:6.5]
set key top right maxrows 1 samplen 1
plot for [n in "1 2 4"] limit(n) every ::1 using 2:xtic(1) title n." CTA".(n eq "1" ? "" : "s")

set title "Figure 4: round trip of a read and use of the SMs, all CTAs over one (ours)"
set ylabel "ratio"
set yrange [0:8]
plot at_most(6) using 2:xtic(1) title "round trip", at_most(7) using 2 title "use of the SMs"

set key autotitle columnheader
set title "Figure 10: speedup over as many CTAs as fit (ours)"
set ylabel "speedup"
set yrange [0:6.5]
plot for [i in "two-level dyncta dyncore opt"] loads using (column("max")/column(i)):xtic(1) title i

set title "Figure 9: CTAs of an SM (ours)"
set ylabel "CTAs"
set yrange [0:9]
plot loads using (column("n")):xtic(1) title "n under dyncta"

set title "Figure 11: round trip of a read (ours)"
set ylabel "cycles"
set yrange [0:*]
plot loads using (column("latency")):xtic(1) title "all CTAs", "" using (column("latency-dyncta")) title "dyncta"
set key top right maxrows 2 samplen 2

set title "Figures 1, 10, 12 to 14a: the means"
set ylabel "gain in %"
set yrange [-25:60]
plot part(',Fig. 1[0-4]*a*,.*,%,-*[0-9]') using 5:xtic(9) title "paper", "" using 6 title "warpstep"

set style data lines
set key noautotitle
set key top right maxrows 2 samplen 2
set xtics norotate autofreq
set title "Figure 7: SMs that are off, all CTAs and dyncta (ours)"
set ylabel "time over that of 30 SMs, %"
set xlabel "SMs off"
set yrange [0:*]
gone(key) = "< grep ',".key."-[0-9]*,' '".table."' | awk -F'\"' '{ split($3, f, \",\"); split($2, w, \" \"); print w[3] \",\" 100 / (1 + f[4] / 100) }'"
plot gone("dyncta-off-m") using 1:2 with linespoints pt 7 title "Type M", gone("dyncta-off-c") using 1:2 with linespoints pt 5 title "Type C", \
	gone("dyncta-off-dyncta-m") using 1:2 with linespoints pt 6 title "Type M, dyncta", \
	gone("dyncta-off-dyncta-c") using 1:2 with linespoints pt 4 title "Type C, dyncta"

set title "Figure 14a: SMs that dyncore may switch off (ours; the paper at 8)"
set ylabel "gain in %"
set yrange [*:*]
set key bottom right maxrows 5
plot off every ::1 using 1:2 with linespoints pt 7 title "speed", "" every ::1 using 1:3 with linespoints pt 5 title "power", \
	"" every ::1 using 1:4 with linespoints pt 9 title "efficiency", \
	"< echo '8,21'" using 1:2 with points pt 6 ps 2 title "paper: speed", "< echo '8,-17'" using 1:2 with points pt 4 ps 2 title "paper: power"

set title "Figure 8: n over time (ours)"
set ylabel "n"
set xlabel "windows of 2048 cycles"
set yrange [0:9]
set key top right
plot for [name in "similarity fdtd2d phases"] modulated(name) using 2:3 with steps lw 2 title name
unset multiplot
