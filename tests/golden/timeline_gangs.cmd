#! -q scenarios/vws/split.scn
# slices of a warp of 32: gangs drawn as one, which part at a branch; each slice by itself; a sub-core
goto 3000
show timeline 80x14
goto 6110
show timeline 80x14
set time.rows slices
show timeline 60x10
set time.rows subcore
show timeline 60x8
set time.rows gangs
set time.zoom 2
set style.signs ascii
show timeline 60x12
