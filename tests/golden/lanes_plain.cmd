#! -q --plain --keep-going scenarios/vws/split.scn
# in sentences, what changed too
goto 300
show registers
stepi 4
show registers
data lanes[3]
data as hex
show data
