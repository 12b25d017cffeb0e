module tests/ptx/named.ptx
info modules
info module tests/ptx/named.ptx
buffer a f32[256] fill 3
buffer b f32[256] fill 2
launch add grid 2 block 128 args a b
launch img::scale<float,4> grid 2 block 128 args a 2
launch _ZN3img5scaleIfLi4EEEvPT_S1_ grid 1 block 64 args b 1 as again
break img::scale<float,4>
run
info kernels
stats lines img::scale<float,4>
launch fill(int*) grid 1 block 32 args a
launch fill grid 1 block 32 args a
goto kernel _Z3addPfPKf
goto kernel img::scale<float,4>
info elf a
info elf scale
stats lines sca
