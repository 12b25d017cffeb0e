#! -q scenarios/matmul.scn
when 1
step 1400
hash
when warp 5 in long
when sm 1 warp 3 in barrier fence
when sub[0].eligible > 6
when sm[0].long > 20 from 200 to 700
when r
when warp 5 in lost
when warp 5 in
when from 3
when 1 from 20 to 10
when 1 to
when 1 at 3
when warp[0].reg[0][0] >= 0 to 3
when warp[99].pc > 0
when c[0] != 0 to 20000
who wrote c[5]
who read a[3]
who wrote r18 lane 3 from 1000 to 1200
who read d0 lane 1
who wrote sm[0].warp[1].p0 lane 2
who read shared.f32[0]
who wrote shared.f32[0] to 900
who read r18 lane 32
who read a[3] lane 2
who read a
who read r99
who wrote
who did it
who read a[3] from 5000
hash
run
who wrote c[5]
who wrote r18 lane 3
