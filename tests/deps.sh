#!/bin/sh
# Install the Debian packages named as arguments that are missing: as root, through sudo without a password,
# or by printing the one command that does it.
if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "make deps: not a Debian system; install what these packages hold: $*"
	exit 0
fi

missing=
for package in "$@"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	become=
elif sudo -n true 2>/dev/null; then
	become="sudo -n"
else
	echo "make deps: packages are missing; run: sudo apt-get install$missing" >&2
	exit 1
fi
echo "make deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$become apt-get -qq update && $become apt-get -qq -y install --no-install-recommends $missing >/dev/null
