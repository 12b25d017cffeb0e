#! -q
# elements of a u64 buffer above 2^63, in every form
gpu tiny
module tests/golden/parts.ptx
buffer big u64[4] fill 18446744073709551614
launch runs grid 1 block 32 args big
print big
print/x big
print/d big
print/t big[0]
print big[1]
print/d big[1]
print big[1] / 2
print big[1] > 1
print big[1] * 1.0
print 1e400
print 1 + 18446744073709551616
display/d big[3]
dprintf cycle 3, "%u %llu %d %lx %+d %.1f %20u|", big[0], big[0], big[0], big[0], big[0], big[0], big[0]
watch big[0]
continue
continue
check big formula 5
check big formula 18446744073709551614
buffer too f32[2] fill 1e39
buffer too f64[2] fill 1e400
expect big[0] == 18446744073709551615
quit
