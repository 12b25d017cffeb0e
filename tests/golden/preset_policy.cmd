#! -n -q scenarios/collatz.scn
gpu i-vws
restart
step 100
policy
gpu ws4
restart
policy
step 100
gpu i-vws
policy order=lrr
policy
restart
policy
step 10
policy order=gto
policy
restart
policy
policy nosuch
