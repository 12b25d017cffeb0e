# A small part of `make differ`: programs that were kept, some random ones on two machines each, and every form of an instruction
# over a few values.
# more: a part of make differ
. tests/tap
differ=$BUILD/tests/diff

for kind in hand "file tests/diff/corpus/late.ptx" "ops -q" "run -s 1 -n 16 -v 2 -o $LOG/differ"; do
	# shellcheck disable=SC2086
	said=$($differ $kind)
	report "differ ${kind%% -o*}" $? "$(echo "$said" | grep -v '^ok' | head -n 5 | tr '\n\t' '  ')"
done
exit $failed
