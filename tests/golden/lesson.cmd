#! --plain scenarios/faults/race.scn
run
goto 400
with lat.int 20 -- step 500
why
undo
source scenarios/faults/conflict.scn
define peek
  run
end
peek
print out[3]
hint
hint
answer soon
answer 1,216
step 2
lesson next
lesson back
step
lesson
answer 700
why
lesson next
restart
give up
lesson next
lesson again
run
lesson report
