#!/bin/sh
# The release binary is hardened: what the compiler and the linker were asked for (Makefile, HARDEN) is in the file.
. tests/tap
command -v readelf >/dev/null || { echo "readelf (binutils) is missing"; exit 77; }
case $BUILD in
*/release) ;;
*) echo "the sanitizers' build is not hardened"; exit 77 ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
readelf -W -h -l -d "$WARPSTEP" >"$work/parts"
readelf -W --dyn-syms "$WARPSTEP" >"$work/symbols"

holds "its place in memory is chosen anew each time (PIE)" grep -q 'Type: *DYN' "$work/parts"
holds "what the loader has relocated is read-only (RELRO)" grep -q 'GNU_RELRO' "$work/parts"
holds "all of it, before the program begins (BIND_NOW)" grep -qE 'BIND_NOW|FLAGS_1.*NOW' "$work/parts"
holds "the stack holds no code" grep -qE 'GNU_STACK .* RW +0x' "$work/parts"
holds "nothing is both written and run" sh -c '! grep -qE "^ *LOAD .* (RWE|R?WE) " "$1"' sh "$work/parts"
holds "arrays on the stack are guarded" grep -q '__stack_chk_fail' "$work/symbols"
holds "copies know how much room there is (_FORTIFY_SOURCE)" grep -qE '__(mem|str|.*printf)[a-z]*_chk' "$work/symbols"
exit $failed
