# Charts shaped like the thesis's figures from the tables in `dir` (chimera*.csv), into chimera.svg there.
set datafile separator ","
set terminal svg size 1200,1850 font "sans,12" background "white"
set output dir."/chimera.svg"
kernels = dir."/chimera-kernels.csv"
benchmarks = dir."/chimera-benchmarks.csv"
pairs = dir."/chimera-pairs.csv"
table = dir."/chimera.csv"
part(pattern) = "< sed -n '1p;/".pattern."/p' '".table."'"
pair(way) = "< sed -n '1p;/,".way.",/p' '".pairs."'"
ways = "switch drain flush chimera"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set key autotitle columnheader samplen 1
set multiplot layout 5,2 title "Park, 2016, chapter IV: thesis and warpstep"
set style data histogram
set style histogram clustered gap 1

set title "Figure 4.1: time to drain an SM"
set ylabel "us"
set logscale y
set yrange [1:20000]
set key top left maxrows 1
plot kernels using 2:xtic(1) title "thesis", "" using 3 title "warpstep"
set title "Figure 4.1: time to switch an SM"
unset logscale y
set yrange [0:30]
plot kernels using 4:xtic(1) title "thesis", "" using 5 title "warpstep"

set title "Figure 4.3: cost of a block by its progress (BS.0, closed form)"
set ylabel "of the block's time"
set xlabel "progress"
set xtics norotate
set yrange [0:1.05]
set key top center
plot [0:1] 2*17.0/121.8 title "switch: overhead" with lines lw 2, 1-x title "drain: latency" with lines lw 2, x title "flush: overhead" with lines lw 2
unset xlabel
set xtics nomirror rotate by -40 left

set title "Figure 4.5: deadlines missed, 15 us (ours)"
set ylabel "%"
set yrange [0:120]
set key top left maxrows 1
plot for [w in ways] benchmarks using w:xtic(1) title w
set title "Figure 4.6: throughput lost, 15 us (ours)"
set yrange [0:60]
plot for [w in ways] benchmarks using "lost-".w:xtic(1) title w
set title "Figures 4.5, 4.6, 4.7, 4.8: the means"
set yrange [0:75]
plot part('^chimera,Fig. 4.[5678].*,%,[0-9]') using 5:xtic(9) title "thesis", "" using 6 title "warpstep"
set title "Deadlines of 15 us missed by drain: closed form and simulation"
set yrange [0:120]
closed(form) = "< awk -F, 'NR == 1 || $2 == \"".form."\"' '".dir."/chimera-ways.csv'"
plot closed("drain") using 3:xtic(1) title "closed form", "" using 4 title "simulation"
set title "Figure 4.9: ANTT of fcfs over that of ways, LUD beside others (ours)"
set ylabel "times"
set logscale y
set yrange [1:500]
plot for [w in ways] pair(w) using 5:xtic(1) title w
set title "Figure 4.10: STP more than that of fcfs (ours)"
set ylabel "%"
unset logscale y
set yrange [-10:110]
plot for [w in ways] pair(w) using 6:xtic(1) title w
unset multiplot
