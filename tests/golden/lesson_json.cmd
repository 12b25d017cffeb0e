#! -j -q scenarios/faults/race.scn
lesson
step
hint
answer 3
lesson next
give up
lesson report
