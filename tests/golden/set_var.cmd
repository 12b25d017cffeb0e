#! -q --keep-going scenarios/vecadd.scn
set var a[9999] = 77
goto 300
set var b[9999] = a[9999] / 2
reverse-step 10
print b[9999] == 38.5
step 10
print b[9999] == 38.5
set var b[9999] = 1
undo
print b[9999] == 38.5
run
print c[9999]
set var = 3
set var c
help set var
