ok 1 - spin beside another
ok 2 - walk beside another
ok 3 - memory is as the kernel before leaves it
ok 4 - a kernel that shares nothing is not slowed down, at any time
ok 5 - the machine stays
