# Bars shaped like the paper's figures from subcore.csv and subcore-kernels.csv in `dir`, into subcore.svg there.
set datafile separator ","
set terminal svg size 1100,1000 font "sans,12" background "white"
set output dir."/subcore.svg"
table = dir."/subcore.csv"
kernels = dir."/subcore-kernels.csv"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror
part(name) = "< grep '^".name.",' '".table."'"
set multiplot layout 3,1 title "Barnes, Shen, Rogers, HPCA 2023: paper and warpstep"

set title "Figure 3: time of the microbenchmark over that of fma-baseline"
set ylabel "time"
set yrange [0:4.5]
set key top right
set xtics ("balanced" 0, "unbalanced" 1, "unbalanced, no sub-cores" 2, "unbalanced, srr" 3)
plot part("fma") using 5 title "paper", "" using 6 title "warpstep"

set title "Figures 9 to 12: speedup over GTO and round robin"
set ylabel "speedup"
set yrange [0.85:*]
set key outside right top
set xtics autofreq
plot for [i in "rba collectors-4 collectors-8 collectors-16 banks-4 shuffle-rba full full-rba"] \
	kernels using i:xtic(1) title i

set title "Figure 17: variation of issue over sub-cores, one long warp in four"
set ylabel "standard deviation / mean"
set yrange [0:1]
set xtics ("round robin" 0, "skewed round robin" 1)
set key inside top right
plot "< grep 'variation' '".table."'" using 5 title "paper", "" using 6 title "warpstep"
unset multiplot
