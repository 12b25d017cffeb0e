#! -q scenarios/matmul.scn
data c[7] as s16
set lat.fp32 9
reverse-step 40
undo
info settings lat.fp32
goto 1200
hash
