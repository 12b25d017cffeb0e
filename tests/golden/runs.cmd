#! -q --plain -e 'compile "sh tests/compare/edited %i %o"' $(cp tests/compare/turn.* "$work")"$work/turn.scn"
run
reload
compare run 1
compare lines
history runs limits
