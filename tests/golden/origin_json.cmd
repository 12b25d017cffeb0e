#! -q -j scenarios/matmul.scn
run
origin c[5] depth 3
origin 4 depth 1
who wrote c[5]
when warp 0 in barrier from 900 to 1200
origin 999
