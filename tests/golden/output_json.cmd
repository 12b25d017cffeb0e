#! -n -q -j scenarios/roots.scn
step 409
info output
