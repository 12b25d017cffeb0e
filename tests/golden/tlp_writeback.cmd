#! -n -q scenarios/tlp/vt-writeback.scn
policy cta=vt
break swap out
continue
print sm[0].cta[0].pending
delete
break writeback if cta == 0
continue
print sm[0].cta[0].pending
print sm[0].warp[1].slot
why cta 0
continue
print sm[0].cta[0].pending
continue
print sm[0].cta[0].pending
show ctas
delete
run
stats rf.reads
stats rf.writes
policy default
restart
run
stats rf.reads
stats rf.writes
