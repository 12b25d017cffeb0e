#! -n -q scenarios/slow.scn
list
list
list
list -
list 3,6
list slow.cu:13
list slow
list other.cu:3
list 99
list 5,3
break slow.cu:5
break slow.cu:21
break slow.cu:99
continue
list
show source 80x20
show source 130x16
layout source
pane source
pane cursor +1
show source 80x12
pane cursor
pane cursor x
pane warps
pane cursor +1
set stats.lines on
show source 110x22
directory
directory kernels
