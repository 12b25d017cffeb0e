#! -q --keep-going scenarios/reduce.scn
# the first buffer, where nothing was chosen; shared memory of the focused warp's CTA, what a step changed
goto 1300
show data 80x8
data shared
watch shared[3]
continue
delete
show data 80x12
step 40
show data 80x12
reverse-step 40
show data 40x10
# other types, hexadecimal, every width
data as hex
data as u8
show data 60x16
show data 120x8
show data 200x10
data as s16
data +row
show data 80x8
data as hex
data as f64
data -page
show data 80x8
# a place, an address, an element that is seen as another type; another CTA's
data a[4100]
show data 100x10
data a + 8
data as u64
data follow
data back
data partial[3] as f32
show data 80x6
data warp[9].shared.s32[5]
show data 80x6
focus warp 12
data shared.s32[1]
show data 80x6
show data 12x3
data local
show data 80x4
data
run
data shared
show data 60x4
data nosuch
data a as f16
data reg[0][0]
data +far
help data
