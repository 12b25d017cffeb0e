#! -q /dev/null
help step
help launch
help xyzzy
help layout floor
help info control
step
