#! -q --plain scenarios/matmul.scn
# sentences, one side after the other
compare lat.int=20
compare why
