#! -q scenarios/default.scn
# each event of a cycle is one line; a stop between them stops
dprintf ctastart if cta < 3, "at %d: %s %2d|%-3d|%03d|%x|%#x", $cycle, cta, cta, cta, cta, cta + 10, cta + 10
dprintf cycle 40, "IPC %5.3f %% %g %e\t\"x\" \\n", ipc, ipc, ipc
dprintf matmul16 if warp == 0 && sm == 0, "%s in kernel %d", warp[0].status, kernel
dprintf if inst.warp > 20, "%+d", inst.warp
info breakpoints
break 150
continue
reverse-continue
continue
goto 0
goto 150
restart
disable 1
ignore 2 1
delete 3
continue
restart
until $cycle >= 50
# what is wrong
dprintf 100, "%q"
dprintf 100, "%d"
dprintf 100, "%lq", ipc
dprintf 100, "x", ipc
dprintf 100, "%d", nonsense
dprintf 100, "%d", lanes
dprintf 100, "%d %d", ipc,, ipc
dprintf 100, "%d", ipc,
dprintf 100, "%d" ipc
dprintf 100, "%d
dprintf 100
dprintf "x"
dprintf nonsense, "x"
break 300
info breakpoints
quit
