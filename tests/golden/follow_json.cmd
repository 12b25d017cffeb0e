#! -q -j -e 'gpu tiny' scenarios/vecadd.scn
next l1dmiss
follow load
next hop
