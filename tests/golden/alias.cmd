#! -q scenarios/default.scn
alias
alias look = info
alias where_to = look subcores
where_to
look checkpoints nonsense
alias far = goto
far 40
far 50 nonsense
alias two = step 2
two
alias listing = commands
break 60
listing 1
  echo "at sixty"
end
continue
alias step = next
alias end = next
alias zz = nonsense
alias a/b = step
alias q w e
alias nothing
alias nothing =
alias ste = step 3
alias s2 = ste
alias ste = s2
ste
define mine
  look checkpoints
end
mine
alias mine = step
define where_to
end
alias where_to =
where_to
alias
quit
