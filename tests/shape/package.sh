# long: assembles the manual for the package
# make dist and make deb: the archive has the files of the last commit; the package installs into a root that has nothing but its
# dependencies, the program there finds what came with it, and nothing stays when it is removed.
. tests/tap
git rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: no git repository, so no archive"; exit 77; }
version=$(sed -n 's/^VERSION := //p' Makefile)
MAKEFLAGS= make dist >/dev/null
holds "an archive" [ $? -eq 0 ]
sum=$(sha256sum <"build/warpstep-$version.tar.gz")
sleep 1
MAKEFLAGS= make dist >/dev/null
holds "... the same a second later" [ "$(sha256sum <"build/warpstep-$version.tar.gz")" = "$sum" ]
tar tzf "build/warpstep-$version.tar.gz" | grep -v '/$' | sed "s|^warpstep-$version/||" | sort >"$LOG/archive"
git -c core.quotepath=off ls-tree -r --name-only HEAD | sort >"$LOG/tracked"
holds "... of all files of the commit" cmp "$LOG/archive" "$LOG/tracked"

for program in dpkg dpkg-deb dpkg-shlibdeps strip objdump; do
	command -v $program >/dev/null || { echo "skipped: $program is missing (dpkg-dev)"; exit $failed; }
done
MAKEFLAGS= make --no-print-directory deb >"$LOG/deb.txt" 2>&1
holds "a package" [ $? -eq 0 ]
deb=$(tail -n 1 "$LOG/deb.txt")
sum=$(sha256sum <"$deb")
MAKEFLAGS= make deb >/dev/null 2>&1
holds "... the same when it is made again" [ "$(sha256sum <"$deb")" = "$sum" ]
root=$PWD/$LOG/root
rm -rf "$root" && mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
dpkg-deb -f "$deb" Depends | tr ',' '\n' | awk '{ print $1 }' | sort -u >"$LOG/depends"
# What the program is linked with comes from these packages and no others.
needed=$(objdump -p "$WARPSTEP" | awk '$1 == "NEEDED" { print $2 }')
ldd "$WARPSTEP" | awk -v needed="$needed" 'BEGIN { split(needed, n); for (i in n) is[n[i]] } $1 in is { last = split($3, part, "/"); print part[last - 1] "/" part[last] }' | while read -r library; do
	dpkg -S "*/$library" 2>/dev/null | sed -n '1s/:.*//p'
done | sort -u >"$LOG/linked"
holds "it depends on what it is linked with" cmp "$LOG/depends" "$LOG/linked"
in_root() { dpkg --root="$root" --force-not-root --force-script-chrootless --log=/dev/null "$@" 2>&1; }
: >"$root/var/lib/dpkg/status"
in_root -i "$deb" >"$LOG/refused"
holds "it is not set up without its dependencies" grep -q 'depends on libc6' "$LOG/refused"
in_root --purge warpstep >/dev/null
rm -rf "$root/usr" "$root"/var/lib/dpkg/*-old
xargs dpkg-query -s <"$LOG/depends" 2>/dev/null | awk '/^Status:/ { print "Status: install ok installed"; next } /^(Depends|Pre-Depends|Breaks|Conflicts):/ { next } { print }' >"$root/var/lib/dpkg/status"
in_root -i "$deb" >"$LOG/installed"
holds "it is installed where they are" [ $? -eq 0 ]
holds "... as it was packed" sh -c "cd '$root' && md5sum --quiet -c var/lib/dpkg/info/warpstep.md5sums"
holds "the program runs there" sh -c "cd / && '$root/usr/bin/warpstep' -n -q -b -e 'gpu a100' -e 'info settings gpu.sms' -e quit | grep -w 108"
[ "$(cd / && "$root/usr/bin/warpstep" -V)" = "$("$WARPSTEP" -V)" ]
report "... and is this one" $?
for page in warpstep.1 warpstep-scenario.5 warpstep-sweeps.7; do
	holds "the manual has $page" gzip -t "$root/usr/share/man/man${page##*.}/$page.gz"
done
holds "completion for bash" grep -q 'complete -F _warpstep warpstep' "$root/usr/share/bash-completion/completions/warpstep"
holds "completion for zsh" grep -q '#compdef warpstep' "$root/usr/share/zsh/vendor-completions/_warpstep"
none "every scenario that stands in the tree" "$(git ls-tree -r --name-only HEAD scenarios | while read -r f; do [ -e "$root/usr/share/warpstep/$f" ] || echo "$f"; done | head -n 5)"
in_root --purge warpstep >"$LOG/removed"
holds "it is removed" [ $? -eq 0 ]
none "... with all its files" "$(find "$root/usr" -mindepth 1 2>/dev/null | head -n 5)"
exit $failed
