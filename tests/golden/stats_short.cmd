#! -q --plain scenarios/vws/split.scn
#~ /^host\.rate|^config\.hash/d; s/^\(([0-9]+) of [0-9]+ statistics/(\1 of N statistics/
stats
run
stats
stats all x
info kernel wayz
info kernel 7
stats lines wayz
