# Charts shaped like the paper's figures from the tables in `dir` (subcore*.csv), into subcore.svg there.
set datafile separator ","
set terminal svg size 1200,1500 font "sans,12" background "white"
set output dir."/subcore.svg"
table = dir."/subcore.csv"
kernels = dir."/subcore-kernels.csv"
ratios = dir."/subcore-ratio.csv"
rows = dir."/subcore-rows.csv"
part(pattern) = "< grep '".pattern."' '".table."'"
drawn(column) = "< grep '^one-in-four-random,' '".rows."' | cut -d, -f".column
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror
set multiplot layout 4,2 title "Barnes, Shen, Rogers, HPCA 2023: paper and warpstep"

set style data histogram
set style histogram clustered gap 1
set title "Figure 3: time over that of fma-baseline"
set ylabel "time"
set yrange [0:4.5]
set key top right
set xtics ("balanced" 0, "unbalanced" 1, "kepler" 2, "srr" 3)
plot part(',fma-\(balanced\|rr\|kepler\|srr\),') using 5 title "paper", "" using 6 title "warpstep"

set title "Figure 8: unbalanced FMAs as lengths drift apart (ours)"
set xlabel "length of the long warps over that of the others"
set ylabel "speedup over round robin"
set yrange [0.9:5.2]
set xrange [1.4:110]
set logscale x
set xtics (1.5, 2, 3, 5, 10, 20, 50, 100)
set key top left samplen 2
plot ratios using 1:($2/$3) with linespoints pt 7 lw 2 title "skewed round robin", \
	"" using 1:($2/$4):($2/$6):($2/$5) with yerrorlines pt 5 lw 2 title "shuffle: mean, least, most", \
	"" using 1:(1) with linespoints pt 9 lw 2 title "round robin", \
	"" using 1:9 with lines dt 2 lc rgb "gray40" title "4 r / (r + 3)"
unset logscale x
unset xlabel
set xrange [*:*]

set title "Figures 9 to 11: speedup over GTO and round robin"
set ylabel "speedup"
set yrange [0.85:1.35]
set xtics autofreq
set key top left maxrows 3 samplen 1
plot for [i in "rba steal shuffle-rba full full-rba"] kernels using i:xtic(1) title i

set title "Figure 12: collector units and banks for each sub-core"
set key top left maxrows 3 samplen 1
plot for [i in "collectors-4 collectors-8 collectors-16 banks-4 banks-4-rba"] kernels using i:xtic(1) title i

set title "Figures 9 to 12: the means, and two kernels that the register file limits"
set ylabel "gain in %"
set yrange [*:60]
set xtics rotate by -35 left
set key top right samplen 2
plot part('^\(kernels\|mix\),.*,%,[0-9]') using 5:xtic(9) title "paper", "" using 6 title "warpstep"

set title "Figures 15 and 16: one long warp in four (paper: whole queries)"
set yrange [0:250]
set key top right
plot part(',rows-\(drawn-\)*\(srr\|shuffle\)-') using 5:xtic(9) title "paper", "" using 6 title "warpstep"

set title "Figure 16, lengths drawn: gain by what is done with a row"
set key top left maxrows 3 samplen 2
set style data linespoints
set xtics norotate autofreq
set xlabel "rounds of work for each row"
set logscale x 2
set yrange [0:100]
plot drawn("3,7") using 1:(100*($2-1)) pt 7 lw 2 title "skewed round robin", drawn("3,8") using 1:(100*($2-1)) pt 5 lw 2 title "shuffle", \
	17.5 dt 2 lc rgb "gray40" title "the paper's 17.5 %"
unset logscale x
unset xlabel

set title "Figure 17: variation of issue over sub-cores"
set style data histogram
set ylabel "standard deviation / mean"
set yrange [0:1]
set xtics ("rr" 0, "srr" 1, "rr, drawn" 2, "srr, drawn" 3)
set key top right
plot part(',rows-.*cov-') using 5 title "paper", "" using 6 title "warpstep"
unset multiplot
