# gen.awk - the PTX of one row of benches.txt on standard output: awk -v want=NAME [-v whole=1] -f gen.awk benches.txt
#
# The kernel runs its row's body, repeated, as often as the row has passes, and keeps each warp's %clock64 from before and after the
# last pass: the caches are warm then, unless there is one pass. Registers that a row names by number begin with a value that the
# assembler cannot know, and all are stored if the argument `a` is 12345, which it never is: nothing can be left out.
#
# An assembler moves arithmetic past a clock that is read behind it. whole: the repeated statements are a loop that is gone through once, which
# it cannot know, and the registers are stored whatever `a` is; they stay between the clocks, and the loop's own branch is counted.

BEGIN { FS = "[ \t]*[|][ \t]*" }
/^[ \t]*(#|$)/ { next }
$1 == want { block = $6; emit($7, $8, $9, $10); found = 1; exit }
END { if (!found) { print "gen.awk: no bench `" want "'" > "/dev/stderr"; exit 1 } }

# text with # as the chain's number and <K> as i * K
function instance(text, i,    k) {
	gsub(/#/, i % 8, text)
	while (match(text, /<[0-9]+>/)) {
		k = substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, 1, RSTART - 1) i * k substr(text, RSTART + RLENGTH)
	}
	return text
}

# statements, one a line
function lines(text) {
	gsub(/;[ \t]*/, ";\n\t", text)
	gsub(/:[ \t]+/, ":\n\t", text)
	sub(/[ \t\n;]*$/, ";", text)
	if (text != ";")
		print "\t" text
}

# the numbers of the registers of a kind that text names, into list
function named(text, kind, list,    n, seen, found) {
	n = 0
	while (match(text, "%" kind "[0-9]+")) {
		found = substr(text, RSTART + 2, RLENGTH - 2)
		if (!(found in seen))
			list[n++] = found
		seen[found]
		text = substr(text, RSTART + RLENGTH)
	}
	return n
}

# registers of a kind: each begins as its number and `a` (load), or is stored (load 0)
function registers(text, kind, load,    list, n, i) {
	n = named(text, kind, list)
	for (i = 0; i < n; i++)
		if (!load)
			printf "\tst.global.%s [%%out+%d], %%%s%s;\n", stored[kind], 8 * where++, kind, list[i]
		else if (kind == "r")
			printf "\tadd.u32 %%r%s, %%a, %s;\n", list[i], list[i]
		else
			printf "\tadd.u32 %%t, %%a, %s;\n\tcvt.%s.u32 %%%s%s, %%t;\n", list[i], from[kind], kind, list[i]
}

function every(text, load,    k, kinds, n) {
	n = split("r f d l", kinds, " ")
	for (k = 1; k <= n; k++)
		registers(text, kinds[k], load)
}

function head(text) {
	modern = text ~ /cp\.async|mma\.|bf16|redux/
	print ".version 7.0\n.target sm_" (modern ? 80 : 70) "\n.address_size 64\n"
	if (text ~ /constants/)
		print ".const .align 128 .b8 constants[2048];\n"
	print ".visible .entry bench(.param .u64 p_out, .param .u64 p_buf, .param .u32 p_a)" (whole ? "\n.maxntid " block : "") "\n{"
	print "\t.reg .pred %p<8>, %again, %never;\n\t.reg .b16 %h<8>;\n\t.reg .b32 %r<64>, %t, %thread, %lane, %a, %pass;"
	if (whole)
		print "\t.reg .pred %on;\n\t.reg .b32 %turn;"
	print "\t.reg .f32 %f<64>;\n\t.reg .f64 %d<32>;\n\t.reg .b64 %l<32>, %out, %buf, %start, %stop, %at;"
	if (text ~ /shared/)
		print "\t.shared .align 128 .b8 shared[8192];"
	print "\tld.param.u64 %out, [p_out];\n\tld.param.u64 %buf, [p_buf];\n\tld.param.u32 %a, [p_a];"
	print "\tmov.u32 %thread, %tid.x;\n\tmov.u32 %lane, %laneid;\n\tmov.u32 %pass, 0;"
}

# where this warp's two clocks go: out + 16 * (ctaid * warps + tid / 32)
function tail(text) {
	print "\tmov.u32 %t, %ctaid.x;\n\tmov.u32 %pass, %ntid.x;\n\tmad.lo.u32 %t, %t, %pass, %thread;\n\tshr.u32 %t, %t, 5;"
	print "\tmul.wide.u32 %at, %t, 16;\n\tadd.u64 %at, %out, %at;"
	print "\tsetp.ne.u32 %never, %lane, 0;\n\t@%never bra KEEP;\n\tst.global.u64 [%at], %start;\n\tst.global.u64 [%at+8], %stop;"
	print "KEEP:"
	if (!whole)
		print "\tsetp.ne.u32 %never, %a, 12345;\n\t@%never bra DONE;"
	else
		print "\tmov.u64 %out, %buf;"
	every(text, 0)
	print "DONE:\n\tret;\n}"
}

function emit(n, passes, init, body,    i, text, parts, last) {
	stored["r"] = "u32"; stored["f"] = "f32"; stored["d"] = "f64"; stored["l"] = "u64"
	from["f"] = "rn.f32"; from["d"] = "rn.f64"; from["l"] = "u64"
	last = split(body, parts, /[ \t]*;;[ \t]*/)
	for (i = 0; i < (n < 8 ? n : 8); i++)
		text = text instance(init " " body, i) " "
	head(text)
	every(text, 1)
	print "AGAIN:"
	lines(init ";")
	print "\tbar.sync 0;\n\tmov.u64 %start, %clock64;"
	if (whole)
		print "\tmov.u32 %turn, 0;\nWHOLE:"
	for (i = 0; i < n; i++)
		lines(instance(parts[1] ";", i))
	if (last > 1)
		lines(parts[2] ";")
	if (whole && match(parts[2], /%r[0-9]+/)) # what has been added up there must have come: (a >> 1) is 0
		print "\tshr.u32 %t, %a, 1;\n\tand.b32 %t, %t, " substr(parts[2], RSTART, RLENGTH) ";\n\tadd.u32 %turn, %turn, %t;"
	if (whole)
		print "\tadd.u32 %turn, %turn, 1;\n\tsetp.lt.u32 %on, %turn, %a;\n\t@%on bra WHOLE;"
	print "\tmov.u64 %stop, %clock64;"
	print "\tadd.u32 %pass, %pass, 1;\n\tsetp.lt.u32 %again, %pass, " passes ";\n\t@%again bra AGAIN;"
	tail(text)
}
