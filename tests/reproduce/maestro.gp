# Charts shaped like the thesis's figures from the tables in `dir` (maestro*.csv), into maestro.svg there.
set datafile separator ","
set terminal svg size 1200,1500 font "sans,12" background "white"
set output dir."/maestro.svg"
pairs = dir."/maestro-pairs.csv"
table = dir."/maestro.csv"
part(pattern) = "< sed -n '1p;/".pattern."/p' '".table."'"
way(name) = "< awk -F, 'NR == 1 || $4 == \"".name."\"' '".pairs."'"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set key autotitle columnheader
set multiplot layout 4,2 title "Park, 2016, chapter V: thesis and warpstep"
set style data histogram
set style histogram clustered gap 1

set title "Figures 5.10, 5.14: ANTT over alone, the means"
set ylabel "%"
set yrange [0:140]
set key top right
plot part('^maestro,Fig.*,%,[0-9].*-antt,') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
set title "Figures 5.10, 5.14: STP over alone, the means"
set yrange [0:60]
plot part('^maestro,Fig.*,%,[0-9].*-stp,') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
set title "Figure 5.11: ANTT by which kernel issues"
set yrange [0:140]
plot part('^ranks,Fig.*,%,[0-9].*-antt,') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
set title "Figure 5.11: STP by which kernel issues"
set yrange [0:60]
plot part('^ranks,Fig.*,%,[0-9].*-stp,') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"

set title "Figure 5.10: STP by class of pairs (ours)"
set yrange [0:80]
plot part('^maestro,.*-class-') using 6:xtic(9) title "warpstep"
set title "Figure 5.12: decisions of Maestro"
set yrange [0:100]
plot part('^decisions,.*,%,[0-9]') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
set title "Figure 5.15: STP over alone, each pair (ours)"
set yrange [0:120]
set key top right maxrows 2
plot for [w in "smart smkpw ws maestro"] way(w) using (100 * ($8 - 1)):xtic(stringcolumn(2)."+".stringcolumn(3)) title w
set title "ANTT over alone, each pair (ours)"
set yrange [0:250]
plot for [w in "smart smkpw ws maestro"] way(w) using (100 * ($7 - 1)):xtic(stringcolumn(2)."+".stringcolumn(3)) title w
unset multiplot
