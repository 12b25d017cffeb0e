#! -q scenarios/matmul.scn
origin c[5]
step 400
origin d0 lane 3
origin r18 lane 3
run
hash
origin c[5]
origin 5 depth 2
origin 18
origin 2 depth 1
goto origin 12
why
origin 99
back
hash
origin shared.f32[0]
origin c[0] depth
origin c[0] depth 0
origin depth 3
origin c
origin c[5000]
goto origin 8
goto origin 3
origin r20 lane 5 depth 2
set var c[5] = 1
origin 1
origin c[5]
