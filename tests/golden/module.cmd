#! -q /dev/null
info module tests/golden/parts.ptx
info module tests/ptx/opencl.ptx
info module tests/ptx/no_such_file.ptx
info module
info module README.md
info module tests/ptx/opencl.ptx now
module tests/golden/parts.ptx
launch samples grid 1 block 32 args 0
launch recurs grid 1 block 32 args 0
launch s grid 1 block 32 args 0
module tests/ptx/opencl.ptx
buffer out s32[4]
launch rotate_each grid 1 block 1 args out 5 6
launch rotate_each grid 1 block 1 args out shared x shared 8
launch rotate_each grid 1 block 1 args out shared 2000000 shared 8
launch rotate_each grid 1 block 1 args out shared 12 shared
launch rotate_each grid 1 block 1 shared 100 args out shared 12 shared 8
info kernels
info modules
info kernel samples
