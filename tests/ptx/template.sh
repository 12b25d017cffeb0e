# --template: what it prints for a file with structs, shared memory and pointers of all types is a scenario that runs.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Kernel local divides by its last argument, which the template leaves 0.
for file in families75 families100 families_clang opencl textures; do
	"$WARPSTEP" --template "tests/ptx/$file.ptx" >"$work/$file.scn" || { echo "not ok - $file: status $?"; exit 1; }
	cp "tests/ptx/$file.ptx" "$work"
	sed -i "s|^module .*|module $file.ptx|; s/block 128/block 32/; /^launch prints/d; /^launch barriers/d; /^launch local /s/ 0\$/ 32/" "$work/$file.scn"
	out=$("$WARPSTEP" -n -q -b "$work/$file.scn" 2>&1 </dev/null) || { echo "not ok - $file: $(echo "$out" | head -n 3)"; exit 1; }
	echo "ok - $file"
done
for want in '{u32:0,u32:0,u64:0,u64:0,f32:0,u32:0,k9_p0_32,' 'buffer k3_p2 u64' 'buffer k3_p4 f64' 'shared 4096 args k5_p0 k5_p1'; do
	grep -qF "$want" "$work/families100.scn" || { echo "not ok - families100 has no $want"; exit 1; }
	echo "ok - $want"
done
for want in 'texture k0_p4 k0_p4_texels 1d-layered 256,16 f32 ' 'texture k1_p2 k1_p2_texels 3d 16,16,16 f32 surface'; do
	grep -qF "$want" "$work/textures.scn" || { echo "not ok - textures has no $want"; exit 1; }
	echo "ok - $want"
done
