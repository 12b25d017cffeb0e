#! -j scenarios/labs/02-pad.scn
answer a
answer c
answer b
lesson report
