# changes.awk - kernels as they are and with a change, each a scenario in the folder ROOM: awk -v root=DIR -v room=DIR -f changes.awk
# tests/silicon/whole.txt scenarios/labs/*.scn tests/shape/advice/cases.txt. Of a lab its kernel (LAB.0.given) and its versions
# (LAB.1.short ...), but the lab in which the kernel waits for ever, and both with work for a whole GPU; of a case of advice the kernel as it is
# (CASE.0.before) and changed (CASE.1.after ...).
function write_scenario(name, lines) {
	printf "# %s\n%s", name, lines >(room "/" name ".scn")
	close(room "/" name ".scn")
}

function close_lab(    v, module) {
	for (v = 0; v < versions && lab !~ /deadlock/; v++) {
		module = "module " root "/scenarios/labs/" file[v] "\n"
		write_scenario("lab-" lab "." v "." kind[v], body module launches)
		if (lab in whole)
			write_scenario("whole-" lab "." v "." kind[v], module whole[lab])
	}
}

function close_case(    v) {
	for (v = 0; v < versions && name != ""; v++)
		write_scenario("advice-" name "." v (v ? ".after" : ".before"), (module ? module : "module " root "/tests/shape/advice/advice.ptx\n") body change[v] "\n")
}

FILENAME ~ /whole/ && /^lab/ { lab = $2; next }
FILENAME ~ /whole/ && !/^#/ { whole[lab] = whole[lab] $0 "\n"; next }

FNR == 1 && FILENAME ~ /labs/ {
	close_lab()
	lab = FILENAME
	gsub(/.*\/|\.scn$/, "", lab)
	body = launches = ""
	versions = 0
}
FILENAME ~ /labs/ && /^module/ { file[0] = $2; kind[0] = "given"; versions = 1 }
FILENAME ~ /labs/ && /^version/ { file[versions] = $3; kind[versions++] = $2 }
FILENAME ~ /labs/ && /^(buffer|kernel|var|let|repeat|param)/ { body = body $0 "\n" }
FILENAME ~ /labs/ && /^launch/ { launches = launches $0 "\n" }

FNR == 1 && FILENAME ~ /cases/ { close_lab(); versions = 0 }
FILENAME !~ /cases/ || /^(#|$|gpu|set|check)/ { next }
/^case/ { close_case(); name = $2; body = module = ""; versions = 0; next }
/^module/ { module = "module " root "/" $2 "\n"; next }
/^before/ { sub(/^before/, "launch"); change[0] = $0; versions = 1; next }
/^after/ { sub(/^after [^ ]* /, ""); change[versions++] = "launch " $0; next }
/^again/ { next }
{ body = body $0 "\n" }
END { close_case() }
