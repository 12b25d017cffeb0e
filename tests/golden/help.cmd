#! -q /dev/null
help step
help launch
help xyzzy
step
