#!/bin/sh
# The texts that a PTX file names are read below its folder and where `directory` allows, and nothing is said of others; the name of a
# file is a name, whatever is in it.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0
cd "$work" || exit 1
mkdir in out in/below
echo '// a secret line' >out/there.cu
echo '// a line beside it' >in/beside.cu
echo '// a line below it' >in/below/below.cu
ln -s ../out in/away
ln -s ../out/there.cu in/link.cu
ln -s ../out/other.cu in/dead.cu

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

# ptx NAME FILE: a kernel whose lines are NAME's.
ptx() {
	cat >"$2" <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry k()
{
	.loc 1 1 1
	ret;
}
.file 1 "$1"
END
}

# say OPTIONS...: what `list` and the pane say.
say() {
	timeout 300 "$WARPSTEP" -n -b --size 200x40 "$@" -e 'list 1' </dev/null >said 2>&1
	timeout 300 "$WARPSTEP" -n -b --size 200x40 "$@" -e 'show source' </dev/null >>said 2>&1
	sed -e '/^host\./d' -e "s|$name|NAME|g" -e 's|[a-z]*\.cu|FILE|g' said
}
scenario() { printf 'gpu tiny\n%smodule k.ptx\nlaunch k grid 1 block 32\n' "$1" >in/x.scn; }

scenario ''
for name in beside.cu below/below.cu "$work/in/beside.cu" "/nowhere/beside.cu"; do
	ptx "$name" in/k.ptx
	say in/x.scn >/dev/null
	grep -q 'a line be' said
	result "$name beside or below the PTX is shown" $?
done
for name in ../out/there.cu "$work/out/there.cu" away/there.cu link.cu below/../../out/there.cu; do
	ptx "$name" in/k.ptx
	say in/x.scn >first
	! grep -q 'a secret' said && grep -q 'cannot read the file' said
	result "$name is not shown" $?
	say in/k.ptx -e 'launch k grid 1 block 32' >/dev/null
	! grep -q 'a secret' said
	result "$name is not shown of a PTX that is opened by itself" $?
	name=$(echo "$name" | sed 's/there/other/; s/link/dead/')
	ptx "$name" in/k.ptx
	say in/x.scn >second
	diff first second >said
	result "$name, which is not there, says the same" $?
done
name=/etc/passwd
ptx "$name" in/k.ptx
say in/x.scn >/dev/null
! grep -q root: said
result "$name is not shown" $?

name=$work/out/there.cu
ptx "$name" in/k.ptx
say in/x.scn -e 'directory out' >/dev/null
grep -q 'a secret' said
result "a directory that was typed allows it" $?
say --trust in/x.scn >/dev/null
grep -q 'a secret' said
result "--trust does" $?
for dir in ../out away "$work/out" ..; do
	scenario "directory $dir
"
	say in/x.scn >/dev/null
	! grep -q 'a secret' said && grep -q 'outside the directory' said
	result "a scenario may not say directory $dir" $?
done

# Names: a file is opened whatever it is called, and its session is saved and brought back.
ptx beside.cu k.ptx
n=0
for name in "it's.ptx" 'a "b".ptx' "k.ptx'
log out.log
info '.ptx" 'back\slash.ptx' '# none.ptx' 'tab	.ptx' '$arg0.ptx' ' .ptx'; do
	n=$((n + 1))
	cp k.ptx "$name"
	timeout 300 "$WARPSTEP" -n -b -e 'info modules' -e 'launch k grid 1 block 32' -e 'save session saved.scn' "$name" </dev/null >said 2>&1
	result "a file with a strange name is opened ($n)" $?
	timeout 300 "$WARPSTEP" -n -b -x saved.scn -e 'launch k grid 1 block 32' -e run </dev/null >said 2>&1
	result "... and its session again ($n)" $?
	timeout 300 "$WARPSTEP" --template "$name" >plain.scn 2>said &&
		timeout 300 "$WARPSTEP" -n -b --trust -e 'info modules' plain.scn </dev/null >said 2>&1
	result "... and the skeleton that is made for it ($n)" $?
	rm "$name"
done
[ ! -e out.log ]
result "nothing in a name is run" $?
mkdir 'a "folder"'
cp k.ptx 'a "folder"'
(cd 'a "folder"' && timeout 300 "$WARPSTEP" -n -b -e 'launch k grid 1 block 32' -e 'save session ../saved.scn' k.ptx </dev/null >../said 2>&1 &&
	timeout 300 "$WARPSTEP" -n -b --trust -x ../saved.scn -e 'info modules' </dev/null >../said 2>&1)
result "a folder's name may have quotes" $?
exit $failed
