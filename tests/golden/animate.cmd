#! -q scenarios/default.scn
animate 60 for 3
animate for 2
undo
animate
animate 0 for 1
animate 61 for 1
animate 5 for
animate 5 for 0
animate 5 times 3
animate 5 for 3 times
break 7
animate 60 for 100
delete
while inst.warp < 20
while inst.warp < 20
print inst.warp
while nonsense
break 70
while inst.warp < 1000
delete
while 1
animate 60 for 2
animate 60 by 20 for 50
animate back by 30 for 60
animate by 0 for 3
animate back by 500 for 5000
quit
