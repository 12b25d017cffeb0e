#! -q --plain scenarios/vecadd.scn
effects load at 600
