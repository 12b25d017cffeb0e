#! -q --size 80x24 scenarios/faults/race.scn
present
lesson next
screen dump
answer 3
lesson next
screen dump
present off
screen dump
