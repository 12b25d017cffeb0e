#! -q scenarios/histogram256.scn
# an atomic's lane
watch bins[7]
continue
continue
delete
break atomic
continue
info stop
