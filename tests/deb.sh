#!/bin/sh
# tests/deb.sh VERSION ROOT OUT - make a Debian package in OUT of what was installed below ROOT/usr. The same files give the same package.
version=$1 root=$2 out=$3
for program in dpkg-deb dpkg-shlibdeps strip; do
	command -v $program >/dev/null || { echo "make deb: $program is missing (packages dpkg-dev, binutils)" >&2; exit 1; }
done
architecture=$(dpkg --print-architecture) || exit 1
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
doc=$root/usr/share/doc/warpstep
rm -rf "$root/DEBIAN" && mkdir -p "$root/DEBIAN" "$root/debian" "$doc" || exit 1
strip --strip-unneeded "$root/usr/bin/warpstep" || exit 1
find "$root/usr/share/man" -type f ! -name '*.gz' -exec gzip -9n {} +
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: warpstep

Files: *
Copyright: the authors of warpstep
License: GPL-3+
 warpstep is free software under the GNU General Public License, version 3 or later.
 Debian systems have its text in /usr/share/common-licenses/GPL-3.
END
cat >"$root/debian/control" <<END
Source: warpstep

Package: warpstep
Architecture: any
END
depends=$(cd "$root" && dpkg-shlibdeps -O usr/bin/warpstep 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
rm -rf "$root/debian"
[ -n "$depends" ] || { echo "make deb: dpkg-shlibdeps finds no packages that warpstep depends on" >&2; exit 1; }
cat >"$root/DEBIAN/control" <<END
Package: warpstep
Version: $version
Architecture: $architecture
Maintainer: the authors of warpstep <warpstep@localhost>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Suggests: parallel, gnuplot-nox, slurm-client
Section: devel
Priority: optional
Description: cycle-level simulator of GPU streaming multiprocessors
 warpstep runs kernels (PTX) and traces on a simulated GPU that is driven
 like a debugger, forwards and backwards: breakpoints, panes, statistics,
 and the reason of every stall. Policies of eight publications are built in.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/warpstep_${version}_$architecture.deb" >/dev/null || exit 1
echo "$out/warpstep_${version}_$architecture.deb"
