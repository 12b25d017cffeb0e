#! -j scenarios/vecadd.scn
step 5
set gpu.sms
set lat.int 3
policy
print a[2]
echo two words
expect 1 == 2
nonsense
buffer
run
undo
stats cta.*
check c formula a[i] + b[i]
help step
quit 9
