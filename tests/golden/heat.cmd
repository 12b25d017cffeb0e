#! -q scenarios/default.scn
set stats.lines on
step 1500
show code 100x14
reverse-step 700
show code 100x14
