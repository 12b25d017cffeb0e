# Charts shaped like the paper's figures from the tables in `dir` (vws*.csv), into vws.svg there.
set datafile separator ","
set terminal svg size 1200,1900 font "sans,12" background "white"
set output dir."/vws.svg"
speed = dir."/vws-speed.csv"
table = dir."/vws.csv"
part(pattern) = "< sed -n '1p;/".pattern."/p' '".table."'"
ages(load) = "< awk -F, 'NR == 1 || $1 == \"".load."\"' '".dir."/vws-ages.csv'"
over(of) = column("ws32") / column(of)
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set key autotitle columnheader
set multiplot layout 5,2 title "Rogers and others, ISCA 2015: paper and warpstep"

set style data histogram
set style histogram clustered gap 1
set ylabel "over whole warps"
set yrange [0:2]
set key above samplen 1 maxrows 1 width -1
set title "Figures 1b, 2: smaller warps (ours; match with 4: 4.6)"
plot for [i in "ws16 ws8 ws4"] speed using (over(i)):xtic(1) title i

set title "Figure 7: speed of the configurations (ours)"
plot for [i in "ws4 i-vws e-vws e-vws-impatient"] speed using (over(i)):xtic(1) title i

set ylabel "lanes"
set yrange [0:32]
set title "Figure 2: lanes at work (ours)"
plot for [i in "ws32 ws16 ws8 ws4"] speed using (column("threads-".i) / column("issuing-".i)):xtic(1) title i

set ylabel "per thousand warp instructions"
set yrange [0:*]
set title "Figure 4: accesses of the L1D (ours)"
plot for [i in "ws32 ws16 ws8 ws4"] speed using (32000 * (column("hits-".i) + column("misses-".i) + column("merges-".i)) / column("threads-".i)):xtic(1) title i

set ylabel "fetches in a cycle"
set yrange [0:5]
set title "Figures 5, 9: fetches (ours)"
plot for [i in "ws32 ws4 i-vws e-vws e-vws-impatient"] speed using (column("fetches-".i) / column(i)):xtic(1) title i

set ylabel "%"
set yrange [-60:100]
set title "Figures 1b to 17: means"
plot part('Fig\..*,%,-\?[1-9]') using 5:xtic(9) title "paper", "" using 6 title "warpstep"

set style histogram rowstacked
set boxwidth 1
set ylabel "slices"
set yrange [0:256]
set key outside right maxrows 8 samplen 1

unset xtics
do for [load in system("tail -n +2 '".dir."/vws-ages.csv' | cut -d, -f1 | uniq")] {
	set title "Figure 18: sizes of gangs over time, ".load." (ours)"
	plot for [i=3:10] ages(load) using i title columnheader(i)
}
unset multiplot
