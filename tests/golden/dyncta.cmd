#! -q --trust tests/laws/dyncta.scn
break event throttle if sm == 1 as moved
continue
break event pause if sm == 0 as paused
delete moved
continue
info ctas
show ctas 80x24
show ctas 40x12
why warp 10
why cta 14
why sm 0
why sm 3
break event resume if sm == 0 as resumed
continue
continue
reverse-continue
reverse-continue
reverse-continue
delete paused
delete resumed
break event gate
break event ungate
continue
show kernels 80x8
focus sm 2
show ctas 80x12
info sms
why sm 2
continue
reverse-continue
reverse-continue
print sm[1].dyncta.most - sm[1].dyncta.less
print sm[1].bounds[0].limit - 1
print gpu.dyncore.g_act
delete
spark dyncta.n
set time.zoom 8
run
show timeline 80x14
stats dync*
stats power.*
stats sm.util
quit
