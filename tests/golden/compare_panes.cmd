#! -q scenarios/matmul.scn
show compare 60x4
compare order=lrr
goto 900
show compare 80x14
show tracks 80x20
show difference 80x12
set compare.by instructions
show difference 80x6
back
show compare 60x8
compare end
show difference 60x4
