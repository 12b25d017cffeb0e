# The texts of sources: string literals of C with their neighbors joined, words of lessons and manual pages. Prints KIND<TAB>FILE:LINE<TAB>TEXT.
# KIND: row (of a table, which must stand alone), text.
function flush() {
	if (held != "" && held ~ /[A-Za-z][A-Za-z]+[^A-Za-z%]*[ ][^%]*[A-Za-z][A-Za-z]/)
		print kind "\t" from "\t" held
	held = ""
}
FNR == 1 { flush(); comment = 0; mode = FILENAME ~ /\.(c|h|def)$/ ? "c" : FILENAME ~ /\.(scn|gpu)$/ ? "scn" : FILENAME ~ /\.in$/ ? "roff" : "md"; fence = 0; table = FILENAME ~ /tables\// }
mode == "c" {
	line = $0
	if (line ~ /^[ \t]*#[ \t]*(include|pragma)/)
		next
	while (line != "") {
		if (comment) {
			end = index(line, "*/")
			if (!end)
				next
			line = substr(line, end + 2)
			comment = 0
			continue
		}
		if (match(line, /^[ \t]+/)) {
			line = substr(line, RLENGTH + 1)
		} else if (substr(line, 1, 2) == "/*") {
			comment = 1
			line = substr(line, 3)
		} else if (substr(line, 1, 2) == "//") {
			break
		} else if (match(line, /^"([^"\\]|\\.)*"/)) {
			if (held == "") {
				from = FILENAME ":" FNR
				kind = table || before ~ /\.(doc|summary) *=$/ ? "row" : "text"
			}
			held = held substr(line, 2, RLENGTH - 2)
			if (held == "")
				held = " "
			line = substr(line, RLENGTH + 1)
		} else if (match(line, /^'([^'\\]|\\.)+'/)) {
			flush()
			line = substr(line, RLENGTH + 1)
		} else {
			if (line !~ /^\\$/)
				flush()
			match(line, /^[^"'\/ \t]+|^./)
			before = before " " substr(line, 1, RLENGTH)
			if (length(before) > 40)
				before = substr(before, length(before) - 40)
			line = substr(line, RLENGTH + 1)
		}
	}
	next
}
mode == "scn" {
	sub(/^[ \t]+/, "")
	if ($0 ~ /^(#|note|ask|hint|wrong|reveal|choice|part) /)
		print "text\t" FILENAME ":" FNR "\t" $0
	next
}
mode == "roff" {
	if ($0 ~ /^\.\\"/ || $0 ~ /^@/)
		next
	if ($0 ~ /^\.(PP|TP|SH|SS|IP|RS|RE|TH|nf|fi|EX|EE|LP|P|br|sp)/) {
		if ($0 ~ /^\.(nf|EX)/)
			fence = 1
		if ($0 ~ /^\.(fi|EE)/)
			fence = 0
		flush()
		next
	}
	if (fence)
		next
	line = $0
	sub(/^\.(B|I|BR|BI|IB|IR|RB|RI|SM|R) */, "", line)
	gsub(/\\f[BIRP]|\\&/, "", line)
	gsub(/\\-/, "-", line)
	if (held == "") {
		from = FILENAME ":" FNR
		kind = "text"
	}
	held = held (held == "" ? "" : " ") line
	next
}
{
	if ($0 ~ /^```/) {
		fence = !fence
		flush()
		next
	}
	if (fence || $0 ~ /^    /)
		next
	if ($0 ~ /^ *$/ || $0 ~ /^[#|-]/)
		flush()
	if (held == "") {
		from = FILENAME ":" FNR
		kind = "text"
	}
	held = held (held == "" ? "" : " ") $0
}
END { flush() }
