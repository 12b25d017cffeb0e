#! -q -j scenarios/vecadd.scn
step 0
effects load at 600 check
