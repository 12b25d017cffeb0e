#! -n -q scenarios/multi/ways.scn
show preempts
policy partition=even preempt=switch
restart
break preempt switch
break partition reached
continue
show preempts
show kernels
print gpu.requests
print request[1].ctas
print ledger[1].latency[2]
continue
show preempts 60x12
reverse-continue
delete
break preempt flush
policy preempt=flush
restart
continue
show preempts 120
show kernels 120
reverse-step
reverse-continue
delete
break preempt drain late
set chimera.bound 10000
policy preempt=drain
restart
continue
continue
continue
reverse-continue
info breakpoints
break partition changed
reverse-continue
break preempt late drain
break partition chnged
delete
run
show preempts
