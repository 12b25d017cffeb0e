#! -q --keep-going scenarios/faults/overflow.scn
run
show code 80x12
list overflow.cu:7
print value[9]
print value[9] / 8
print bin[0]
print bin[31]
info faults
