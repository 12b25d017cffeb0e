#! -q -e 'gpu fermi' -e 'set gpu.sms 1' -e 'set sm.ctas 2' -e 'set sm.contexts 96' -e 'set sm.residents 16' -e 'set vt.virtual 2' -e 'policy cta=vt' scenarios/vecadd.scn
break swap out
break swap in
continue
continue
why cta 0
continue
continue
reverse-continue
why warp 0
info ctas
why cta 3
why cta 2
goto 900
why cta 0
why cta 99
why cta x
why cat 3
break swap sideways
break swap
break ctaready
continue
print sm[0].cta[0].pending
print sm[0].ready
delete
run
stats vt.*
# a policy that can change nothing on this machine says so when the machine is made
set sm.residents 0
set sm.contexts 0
restart
set sm.unlimited on
restart
set sm.unlimited off
set sm.residents 64
restart
