# Charts shaped like the paper's figures from the tables in `dir` (vt*.csv), into vt.svg there.
set datafile separator ","
set terminal svg size 1200,1800 font "sans,12" background "white"
set output dir."/vt.svg"
limits = dir."/vt-limits.csv"
stalls = dir."/vt-stalls.csv"
cycles = dir."/vt-cycles.csv"
memory = dir."/vt-memory.csv"
table = dir."/vt.csv"
type(t) = "< sed -n '1p; /^fermi,.*,".t.",/p' '".limits."'"
part(pattern) = "< sed -n '1p; /".pattern."/p' '".table."'"
share(under, what) = 100 * column(under."-".what) / column(under."-total")
stack = "issued pipeline long short fetch barrier held idle"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set xtics nomirror rotate by -40 left
set key autotitle columnheader
set multiplot layout 5,2 title "Yoon, Kim, Lee, Ro, Annavaram, ISCA 2016: paper and warpstep"

set style data histogram
set style histogram clustered gap 1
set title "Figure 2: capacity taken on fermi, kernels of Type S (ours)"
set ylabel "%"
set yrange [0:105]
set key top right maxrows 1 samplen 1
plot type("S") using 5:xtic(3) title "registers", "" using 6 title "shared memory", "" using 4 title "threads"
set title "Figure 2: the same, Type C (ours)"
plot type("C") using 5:xtic(3) title "registers", "" using 6 title "shared memory", "" using 4 title "threads"

set title "Figure 3: CTAs that fit by capacity over those that have slots, fermi (ours)"
set ylabel "ratio"
set yrange [0.9:20]
set logscale y 2
plot type("S") using ($9/$8):xtic(3) notitle
unset logscale y

set title "Figure 8: speedup over the baseline (ours)"
set ylabel "speedup"
set yrange [0.9:1.6]
set key top left maxrows 2
plot for [i in "car mascar vt max"] cycles using (column("base")/column(i)):xtic(1) title i

set style histogram rowstacked
set title "Figure 4: scheduler slots of the baseline (ours)"
set ylabel "%"
set yrange [0:100]
set key outside right maxrows 8 samplen 1
plot for [i in stack] stalls using (share("base", i)):xtic(1) title i
set title "Figure 4: scheduler slots with vt (ours)"
plot for [i in stack] stalls using (share("vt", i)):xtic(1) title i

set style histogram clustered gap 1
set title "Figure 9: speedup of vt over its order alone (ours)"
set ylabel "speedup"
set yrange [0.9:1.6]
set key inside top left maxrows 2
plot cycles using (column("base")/column("vt")):xtic(1) title "lrr", "" using (column("gto")/column("vt-gto")) title "gto", \
	"" using (column("two-level")/column("vt-two-level")) title "two-level"

set title "Figures 10 and 11: over vt with 512 bits a cycle and contexts of plain size (ours)"
set ylabel "speedup"
set yrange [0.95:1.05]
plot for [i in "vt-free vt-256 vt-1024 vt-x2 vt-x4"] cycles using (column("vt")/column(i)):xtic(1) title i

set title "Figure 13: DRAM and MSHRs in use (ours)"
set ylabel "%"
set yrange [0:105]
plot memory using (100*column("base-dram.share")):xtic(1) title "DRAM", "" using (100*column("vt-dram.share")) title "DRAM, vt", \
	"" using (100*column("base-l1d.mshr_share")) title "MSHRs", "" using (100*column("vt-l1d.mshr_share")) title "MSHRs, vt"

set title "Figure 8: the means"
set ylabel "gain in %"
set yrange [-2:30]
set key top right
plot part('^vt,Fig. [89],.*,%,[0-9]') using 5:xtic(9) title "paper", "" using 6 title "warpstep"
unset multiplot
