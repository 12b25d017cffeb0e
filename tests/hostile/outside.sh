#!/bin/sh
# A file that lies outside is not read, and nothing is said of it: whether it is there, is a folder or may be read, a line that
# names it says the same. A trace's list leads to files of its own folder, links followed, unless --trust was given.
seed=$PWD/tests/fuzz/seeds/trace-copies
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0
mkdir -p "$work/in" "$work/out/folder"
cd "$work" || exit 1
for file in there there.gpu there.scn there.ptx secret; do echo 'echo a secret' >out/$file; done
cp "$seed" out/kernel-1.traceg
echo kernel-1.traceg >out/there.g
chmod 000 out/secret
ln -s ../out in/away
for file in there there.gpu folder secret missing; do ln -s "../out/$file" "in/to-$file"; done
ln -s to-missing in/to-to-missing

# result NAME STATUS: one test.
result() {
	number=$((number + 1))
	if [ "$2" = 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1: $(head -c 400 said | tr '\n' ' ')"
		failed=1
	fi
}

# say LINE NAME: what the program says to a scenario of that line, NAME taken out of it; the status first.
say() {
	printf 'gpu tiny\n%s\n' "$1" >in/x.scn
	"$WARPSTEP" -n -b in/x.scn </dev/null >said 2>&1
	printf '%s ' $?
	sed -e "s|$2|NAME|g" said
}

# same WHAT LINE NAMES...: the line, in which @ stands for the name, says the same of each, and is refused.
same() {
	what=$1 line=$2 first=
	shift 2
	for name; do
		now=$(say "${line%%@*}$name${line#*@}" "$name")
		case $now in 0*) result "$what: $name is refused" 1 ;; *secret*) result "$what: nothing of $name" 1 ;; esac
		first=${first:-$now}
		[ "$now" = "$first" ]
		result "$what: the same of $name" $?
	done
}

for line in 'buffer a u8[4] file @' 'module @' 'source @' 'gpu ./@' 'trace @' 'trace list.g cubin @'; do
	for at in ../out "away" "./away/../../out"; do
		same "$line" "$line" $at/there $at/folder $at/secret $at/missing $at/there/x $at/missing/x
	done
	same "$line by a link" "$line" to-there to-folder to-secret to-missing to-to-missing
	[ "$line" = 'gpu ./@' ] || same "$line from the root" "$line" "$work/out/there" "$work/out/missing" /dev/tty /nowhere/x
done

# Lists of traces: each names a link to a file outside, to a file that is not, to a folder, to itself; and names with a path.
list() { printf '%s\n' "$1" >in/list.g; say 'trace list.g' "$1"; }
for target in ../out/kernel-1.traceg ../out/missing ../out/folder ../out/secret kernel-1.traceg /dev/zero away/kernel-1.traceg; do
	for end in '' .xz .gz; do
		rm -f in/kernel-1.traceg*
		ln -s "$target" "in/kernel-1.traceg$end"
		now=$(list kernel-1.traceg)
		first=${first_list:=$now}
		case $now in 2*"no file in the list's directory"*) [ "$now" = "$first" ] ;; *) false ;; esac
		result "a list's kernel$end that is a link to $target" $?
	done
done
rm -f in/kernel-1.traceg*
for name in kernel/../../out/kernel-1.traceg kernel-1/x; do
	[ "$(list $name)" = "$(list kernel/nowhere)" ]
	result "a list that names $name" $?
done

# What lies in the folder is read, by a link within it too; with --trust all is.
mkdir in/below
cp "$seed" in/below/one
ln -s below/one in/kernel-1.traceg
case $(list kernel-1.traceg) in 0*) true ;; *) false ;; esac
result 'a link within the folder is followed' $?
ln -sf ../out/kernel-1.traceg in/kernel-1.traceg
timeout 300 "$WARPSTEP" -n -b --trust in/x.scn </dev/null >said 2>&1
result 'with --trust one that leads out is followed' $?
timeout 300 "$WARPSTEP" -n -b in/list.g </dev/null >said 2>&1
[ $? = 2 ]
result 'a list that was named is held to its folder, too' $?
timeout 300 "$WARPSTEP" -n -b out/there.g </dev/null >said 2>&1
result 'one whose files lie there is read' $?
exit $failed
