#! -j -e 'compile "sh tests/compare/edited %i %o"' $(cp tests/compare/turn.* "$work")"$work/turn.scn"
history runs
run
reload
history runs
compare run 1 stats cycle
compare run 7
