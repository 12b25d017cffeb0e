#!/bin/sh
# Bad inputs: each must end with its status and say exactly its line. WARPSTEP_GOLDENS=write writes cases.txt anew.
#
# A case of cases.txt is
#   --- NAME | STATUS | OPTIONS
#   the scenario x.scn, in which \NNN stands for a byte; no lines: there is no scenario
#   === the first line on standard error
cd "$(dirname "$0")" || exit 1
here=$PWD
root=$(cd ../.. && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp "$root"/scenarios/kernels/vecadd.ptx "$root"/scenarios/kernels/matmul.ptx "$root"/scenarios/kernels/rotate.ptx "$work"
printf '1234567' >"$work/seven.bin"
printf 'source loop.scn\n' >"$work/loop.scn"
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "long line " }' >"$work/long.scn"
printf '__global__ void f() {}\n' >"$work/kernel.cu"
printf '\177ELF\002\001' >"$work/kernel.cubin"
mkdir "$work/sub"
printf 'gpu tiny\n' >"$work/outside.scn"
printf 'source ../outside.scn\n' >"$work/sub/escape.scn"
ln -s /etc/passwd "$work/sub/passwd"
printf 'buffer a u8[4] file passwd\n' >"$work/sub/link.scn"
number=0 failed=0

# Run the case that has been read; $1: what it should have said.
check_case() {
	number=$((number + 1))
	scenario=
	if [ -n "$text" ]; then
		printf '%b' "$text" >x.scn
		scenario=x.scn
	fi
	eval "timeout 600 \"$WARPSTEP\" -b $options $scenario" </dev/null >out 2>err
	got_status=$?
	got=
	IFS= read -r got <err
	if [ "$WARPSTEP_GOLDENS" = write ]; then
		printf -- '--- %s | %s | %s\n%s=== %s\n\n' "$name" "$got_status" "$options" "${text:+$text$newline}" "$got" >>cases.txt
	elif [ "$got_status" = "$status" ] && [ "$got" = "$1" ]; then
		echo "ok $number - $name"
	else
		printf 'not ok %s - %s: status %s, not %s, or said: %s\n' "$number" "$name" "$got_status" "$status" "$got"
		failed=1
	fi
}

text= newline='
'
cd "$work" || exit 1
while IFS= read -r line; do
	case $line in
	'--- '*)
		line=${line#--- }
		name=${line%% |*} rest=${line#*| }
		status=${rest%% |*} options=${rest#*|}
		options=${options# }
		text=
		;;
	'=== '* | '===') check_case "${line#=== }" ;;
	'') ;;
	*) text=${text:+$text$newline}$line ;;
	esac
done <"$here/cases.txt"
[ "$WARPSTEP_GOLDENS" = write ] && cp cases.txt "$here/cases.txt"
exit $failed
