# edited.sh SOURCE PTX: stands for an editor and a compiler, which make turn2.cu of turn.cu.
cp tests/compare/turn2.cu "$1"
sed 's/"turn2.cu"/"turn.cu"/' tests/compare/turn2.ptx >"$2"
