#! -q /dev/null
help step
help launch
help synthetic
help stages
help time
help stall
help breakpoints
help occupancy
help xyzzy
step
