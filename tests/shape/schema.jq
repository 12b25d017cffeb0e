# What of a line does not obey man/warpstep.schema.json ($schema), a line of text each: the words of JSON Schema that stand there, and no
# more (its rules of allOf, one for each command, are followed by name); then what a result has that stands nowhere there.
# Of an array that is long, its first and last elements: the rest is made by the same lines.
def some: if length > 300 then .[:150] + .[-150:] else . end;
def is($name): type == $name or ($name == "integer" and type == "number" and floor == .);
def errors($s):
  . as $v |
  if $s["$ref"] then errors($schema["$defs"][$s["$ref"][8:]]) else
    (if $s.type then select([$s.type] | flatten | any(. as $t | $v | is($t)) | not) | " is \(type), not \($s.type)" else empty end),
    (if $s | has("const") then select($v != $s.const) | " is not \($s.const)" else empty end),
    (if type == "object" and ($s.required or $s.properties or ($s | has("additionalProperties"))) then
      (($s.required // [])[] | select(. as $k | $v | has($k) | not) | " has no \(.)"),
      (keys_unsorted[] as $k | ($s.properties[$k] // $s.additionalProperties) as $of |
        if $of == false then " has \($k)" elif $of then .[$k] | errors($of) | ".\($k)\(.)" else empty end)
    else empty end),
    (if type == "array" and $s.items then some[] | errors($s.items) | "[]\(.)" else empty end),
    (if $s.oneOf then [$s.oneOf[] as $one | [errors($one)]] | select(map(select(. == [])) | length != 1) | " is none of the kinds: \(.)" else empty end)
  end;
def undeclared($s):
  if type == "object" and ($s.properties or $s.additionalProperties) then
    keys_unsorted[] as $k | ($s.properties[$k] // $s.additionalProperties) as $of |
      if $of then .[$k] | undeclared($of) | ".\($k)\(.)" else ".\($k) is not in the schema" end
  elif type == "array" and $s.items then some[] | undeclared($s.items) | "[]\(.)"
  else empty end;
errors($schema),
(select(.result) | .cmd as $cmd | $schema["$defs"]["command \($cmd)"] as $of | .result |
  (if $of then errors($of) else empty end, undeclared($of // {"properties": {}})) | "\($cmd)\(.)")
