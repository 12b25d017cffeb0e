# Statistics of a window, "name value" a line: those after it less those before it.
FNR == 1 { file++ }
file == 1 { before[$1] = $2; next }
$2 ~ /^-?[0-9]+$/ { print $1, $2 - before[$1] }
