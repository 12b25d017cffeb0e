#! --plain scenarios/labs/12-deadlock.scn
lesson check
answer b
answer a
hint
give up
lesson report
