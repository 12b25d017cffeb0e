# set-up from typed commands: blocks, expansion, policies, settings, launches that are pending
gpu tiny
set gpu.sms
set sm.wa 16
set sm.wa
policy
policy lrr assign=rr
policy
policy default
module scenarios/kernels/vecadd.ptx
repeat i 0..2
  repeat j 1..1
    buffer v$i$j f32[128] iota $i
  end
end
launch vec grid 1 block 128 args v01 v11 v21 128
finally
  check v21 formula v01[i] + v11[i]
  expect cta.finished == 1
end
print v11[3]
run
check v21 formula 2 * i + 1
check v21 formula 2 * i tolerance 0.5
expect cta.finished + 1 == 3 - 1
expect cta.finished << 1 == 4
set lat.int 7
set sm.warps 8
set sm.warps
buffer late f32[4] fill 2.5
restart
set sm.warps
print late[3]
step 10
set lat.int 9
set lat.int
undo
set lat.int
with lat.int 3 -- set lat.int
with sm.warps 4 -- step
undo
undo
run --functional
check v21 formula v01[i] + v11[i]
run
dump v21 /dev/null
define look
  step $arg0
  echo $argc words: $arg0 and $arg1
end
document look
Step, then say so.
end
help look
goto 0
look 5 more
echo "a\tb" 'c # d' # comment
note "a note"
source scenarios/nothing.scn
symbol nothing = 1
gpu monolithic
# a preset for the next machine, while this one stands
goto 10
gpu volta
info settings sm.sub*
explain sm.subcores
restart
info settings sm.sub*
# what a preset chooses of schemes is what `policy default` goes back to
gpu fermi
restart
policy order=two-level
policy default
policy
gpu vws
undo
policy order=two-level
policy default
policy
gpu i-vws
restart
policy gang=none order=lrr
policy default cta=vt
policy
quit
