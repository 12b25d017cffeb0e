# Charts shaped like the thesis's figures from the tables in `dir` (elf*.csv), into elf.svg there.
set datafile separator ","
set terminal svg size 1200,1500 font "sans,12" background "white"
set output dir."/elf.svg"
stalls = dir."/elf-stalls.csv"
cycles = dir."/elf-cycles.csv"
large = dir."/elf-large.csv"
table = dir."/elf.csv"
part(pattern) = "< sed -n '1p;/".pattern."/p' '".table."'"
gain(of, over) = 100 * (column(over) / column(of) - 1)
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set key autotitle columnheader
set multiplot layout 4,2 title "Park, 2016, chapter III: thesis and warpstep"

set style data histogram
set style histogram rowstacked
set title "Figure 3.2: scheduler slots lost under GTO (ours)"
set ylabel "%"
set yrange [0:100]
set key outside right maxrows 8 samplen 1
plot for [i in "lsu long fetch other"] stalls using (100*column(i)/column("slots")):xtic(1) title i

set style histogram clustered gap 1
set title "Figure 3.2: the means"
set yrange [0:40]
set key inside top right
plot part('^stalls,.*,%,[0-9]') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"

set title "Figure 3.6: over GTO (ours)"
set ylabel "gain in %"
set yrange [-20:60]
set key top right maxrows 1
plot for [i in "newcar ahead elf elf++"] cycles using (gain(i, "gto")):xtic(1) title i

set title "Figure 3.7: calculations of priorities less than naive (ours)"
set ylabel "%"
set yrange [0:105]
plot cycles using (100 - 100*column("recalcs")/column("instructions")):xtic(1) notitle

set title "Figure 3.8: program points, threshold of prefetch"
set ylabel "gain in %"
set yrange [0:15]
plot part('^points,\|^threshold,') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"

set title "Figure 3.9: over GTO (ours)"
set yrange [-60:60]
plot for [i in "two-level ccws dyncta elf++"] cycles using (gain(i, "gto")):xtic(1) title i

set title "Figure 3.10: the same with an L1D of 48 kB (ours)"
plot for [i in "two-level ccws dyncta elf++"] large using (gain(i, "gto")):xtic(1) title i

set title "Figures 3.6, 3.9, 3.10: the means"
set yrange [-20:20]
plot part('^elf,Fig. 3.[69],.*,%,[-0-9]\|^large,.*,%,[-0-9]') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
unset multiplot
