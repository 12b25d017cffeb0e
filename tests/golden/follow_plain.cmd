#! -q --plain -e 'gpu tiny' -e 'set preempt.ctas 4' scenarios/vecadd.scn
next l1dmiss
follow load
preempt flush
follow
next hop
