#! -q /dev/null
help step
help launch
help synthetic
help stages
help time
help nothing
step
