# record.awk - the trace that a kernel of a cubin would leave, made of its words (words.awk) and of the way that its warps go.
#
# usage: awk -v kernel=NAME -v binary=86 -v way="FROM-TO[xTIMES] ..." [-v warps=N] -f record.awk opcodes.txt WORDS
# PCs are hexadecimal, each pair included; the default is everything to the first EXIT. A word whose opcode is not in opcodes.txt is a
# NOP. All predicates are true: what is guarded by a negated one runs no lanes. Addresses: a line of 128 bytes for each warp and record. Tracer version 5.

function hex(s,    v) { for (v = 0; length(s); s = substr(s, 2)) v = v * 16 + index("0123456789abcdef", substr(s, 1, 1)) - 1; return v }
NF == 0 || $1 == "#" { next }
NF == 4 { name[$1] = $2; result[$1] = $3; sources[$1] = $4; next }
$1 == kernel {
	pc = hex($2)
	op[pc] = $5; form[pc] = $6; reg[pc, "d"] = $7; reg[pc, "a"] = $8; reg[pc, "low"] = $9; reg[pc, "c"] = $10; size[pc] = $11
	mask[pc] = $12 ? "00000000" : "ffffffff"
	last = pc
	if ($5 in name && name[$5] == "EXIT" && !end) end = pc
}

# the register of a source, empty: it is none
function register(pc, which) {
	if (which == "a") return "R" reg[pc, "a"]
	if (which == "s" || ((which == "b" || which == "f") && form[pc] == 1)) return "R" reg[pc, "low"]
	if (which == "b" && (form[pc] == 2 || form[pc] == 3 || form[pc] == 7)) return "R" reg[pc, "c"]
	if (which == "c" && (form[pc] == 1 || (form[pc] >= 4 && form[pc] <= 6))) return "R" reg[pc, "c"]
	return ""
}
# the bytes of an access
function width(pc) { return size[pc] < 4 ? 2 ^ int(size[pc] / 2) : 2 ^ (size[pc] - 2) }
# the word at a PC as a record
function record(pc, warp,    text, n, list, i, s, which, bytes, where) {
	if (!(op[pc] in name)) { line[records++] = sprintf("%04x %s 0 NOP 0 0 0", pc, mask[pc]); return }
	which = sources[op[pc]]
	for (i = 1; i <= length(which); i++) {
		s = register(pc, substr(which, i, 1))
		if (s != "") { list = list " " s; n++ }
	}
	where = which ~ /[gh]/
	bytes = where ? width(pc) : 0
	text = name[op[pc]]
	if (where && bytes > 4) text = text "." 8 * bytes
	text = sprintf("%04x %s %s %s %d%s %d", pc, mask[pc], result[op[pc]] == "d" ? "1 R" reg[pc, "d"] : "0", text, n, list, bytes)
	if (where) text = text sprintf(" 1 0x%s%06x %d 0", which ~ /g/ ? "7f0000" : "", which ~ /g/ ? (records * warps + warp) * 512 : warp * 512, bytes)
	else text = text " 0"
	line[records++] = text
}
END {
	if (!warps) warps = 1
	if (!binary) binary = 86
	if (way == "") way = sprintf("0-%x", end)
	printf "-kernel name = %s\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (%d,1,1)\n-shmem = 16384\n-nregs = 64\n", kernel, 32 * warps
	printf "-binary version = %d\n-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n-local mem base_addr = 0x00007e1000000000\n", binary
	printf "-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask ...\n\n#BEGIN_TB\n\nthread block = 0,0,0\n"
	steps = split(way, step, " ")
	for (w = 0; w < warps; w++) {
		records = 0
		for (i = 1; i <= steps; i++) {
			parts = split(step[i], part, /[-x]/)
			for (t = parts > 2 ? part[3] : 1; t > 0; t--)
				for (pc = hex(part[1]); pc <= hex(part[2]) && pc <= last; pc += 16) record(pc, w)
		}
		printf "\nwarp = %d\ninsts = %d\n", w, records
		for (i = 0; i < records; i++) print line[i]
	}
	print "\n#END_TB"
}
