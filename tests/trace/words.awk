# words.awk - the instructions of a cubin, decoded without a line of warpstep's own code: od -An -v -tu1 CUBIN | awk -f words.awk [-v kernel=NAME]
#
# One line for each word of a section .text.NAME: kernel, PC, control bits (B, R, W, Y, S, as `info control` writes them), reuse bits,
# bits 0 to 8 (opcode) and 9 to 11 (form), the registers in bits 16, 24, 32 and 64, bits 73 to 75 (size of an access), and
# 15 (the guard is negated).
# Places: CuAssembler (CuControlCode), NAK (sm70_encode.rs).

{ for (i = 1; i <= NF; i++) byte[n++] = $i }

# n bytes at an offset, the lowest first
function number(at, size,    v) { for (v = 0; size--;) v = v * 256 + byte[at + size]; return v }
# n bits of the word at an offset, from a first one on
function bits(at, first, count,    k, v) {
	for (k = count; k--;) v = v * 2 + int(byte[at + int((first + k) / 8)] / 2 ^ ((first + k) % 8)) % 2
	return v
}
function name(at,    s) { for (s = ""; byte[at]; at++) s = s sprintf("%c", byte[at]); return s }
function counter(c) { return c < 6 ? c : "-" }
function control(at,    k, mask) {
	for (k = 0; k < 6; k++) mask = mask (bits(at, 116 + k, 1) ? k : "-")
	return sprintf("B%s:R%s:W%s:%s:S%02d", mask, counter(bits(at, 113, 3)), counter(bits(at, 110, 3)), bits(at, 109, 1) ? "-" : "Y", bits(at, 105, 4))
}

END {
	table = number(40, 8)
	names = number(table + 64 * number(62, 2) + 24, 8)
	for (s = 0; s < number(60, 2); s++) {
		head = table + 64 * s
		section = name(names + number(head, 4))
		if (section !~ /^[.]text[.]/ || (kernel && section != ".text." kernel)) continue
		code = number(head + 24, 8)
		for (pc = 0; pc < number(head + 32, 8); pc += 16) {
			at = code + pc
			printf "%s %04x %s %d %03x %d %d %d %d %d %d %d\n", substr(section, 7), pc, control(at), bits(at, 122, 3), bits(at, 0, 9), bits(at, 9, 3),
				byte[at + 2], byte[at + 3], byte[at + 4], byte[at + 8], bits(at, 73, 3), bits(at, 15, 1)
		}
	}
}
