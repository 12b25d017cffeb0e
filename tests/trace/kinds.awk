# kinds.awk - the trace of a kernel that repeats a row of kinds.txt: awk -v want=KIND -v threads=N -v times=N -v ctas=N -f kinds.awk kinds.txt
#
# All warps have the same records and end with an EXIT; there is no loop and no divergence. A CTA of less than 32 threads is a warp
# of its first lanes.

BEGIN { FS = "[ \t]*[|][ \t]*" }
/^[ \t]*(#|$)/ { next }
$1 == want { kernel($1, $2, $4, $5); found = 1; exit }
END { if (!found) { print "kinds.awk: no kind `" want "'" > "/dev/stderr"; exit 1 } }

# base and stride of the addresses that a mark names, for accesses of so many bytes
function place(mark, bytes, i, cta, w,    warp) {
	warp = cta * warps + w
	if (mark == "@shared" || mark == "@same")
		return sprintf("0x%x %d", w * 32 * bytes, mark == "@same" ? 0 : bytes)
	if (mark == "@miss")
		return sprintf("0x7f%010x %d", (i * ctas * warps + warp) * 32 * bytes, bytes)
	if (mark == "@put")
		return sprintf("0x7f8%09x %d", (i * ctas * warps + warp) * 32 * bytes, bytes)
	if (mark == "@all")
		return sprintf("0x7e8%09x %d", (i * warps + w) * 32 * bytes, bytes)
	if (mark == "@hit")
		return sprintf("0x7f%010x %d", warp * 32 * bytes, bytes)
	if (mark == "@lane")
		return sprintf("0x7f%010x 128", warp * 4096)
	if (mark == "@warp")
		return sprintf("0x7f%010x 0", warp * 128)
	return "0x7f0000000000 " (mark == "@line" ? bytes : 0)
}

# a record of a warp, complete
function record(text, i, cta, w,    n, field, k) {
	gsub(/#/, "R" 16 + 4 * (i % chains), text)
	n = split(text, field, " ")
	text = sprintf("%04x %s", pc, mask)
	for (k = 1; k <= n; k++)
		text = text " " (field[k] ~ /^@/ ? place(field[k], field[k - 2], i, cta, w) : field[k])
	pc += 16
	return text
}

function warp_records(head, heads, part, parts, cta, w,    i, k) {
	pc = 0
	printf "\nwarp = %d\ninsts = %d\n", w, heads + parts * times + 1
	for (k = 1; k <= heads; k++)
		print record(head[k], 0, cta, w)
	for (i = 0; i < times; i++)
		for (k = 1; k <= parts; k++)
			print record(part[k], i, cta, w)
	print record("0 EXIT 0 0 0", 0, cta, w)
}

function kernel(name, version, first, body,    heads, parts, head, part, cta, w) {
	warps = int((threads + 31) / 32)
	chains = warps > 16 ? 4 : 16
	mask = threads < 32 ? sprintf("%08x", 2 ^ threads - 1) : "ffffffff"
	heads = split(first, head, /;[ \t]*/)
	parts = split(body, part, /;[ \t]*/)
	printf "-kernel name = %s\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n", name, ctas, threads
	printf "-shmem = %d\n-nregs = %d\n-binary version = %d\n", body ~ /LDS|STS|ATOMS/ ? 512 * warps : 0, 16 + 4 * chains, version
	printf "-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n-local mem base_addr = 0x00007e1000000000\n"
	printf "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask ...\n\n"
	for (cta = 0; cta < ctas; cta++) {
		printf "\n#BEGIN_TB\n\nthread block = %d,0,0\n", cta
		for (w = 0; w < warps; w++)
			warp_records(head, heads, part, parts, cta, w)
		printf "\n#END_TB\n"
	}
}
