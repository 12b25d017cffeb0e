#! -q tests/ptx/spill.scn
#~ /^ *([5-9][0-9]|[1-3][0-9][0-9]) /d
info kernel few
run
print mem.spill_stores
print mem.spill_loads
hash
