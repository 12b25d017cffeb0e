#! -q scenarios/default.scn
goto 400
ask "How many CTAs have begun?" cta.started
4
ask "In what status is warp 0?" warp[0].status
 FETCH 
ask "In what status is warp 0?" warp[0].status
sleeping
ask "How many warp instructions a cycle?" ipc
0.921
ask "How many warp instructions a cycle?" ipc
0.9
ask "How many warp instructions a cycle?" 2.0
1.991
ask "How many warp instructions a cycle?" 2.0
1.98
ask "How many warp instructions a cycle?" 2.0
2x
ask "Nobody answers?" ipc

ask "Without an expression"
ask "Unknown?" nonsense
ask "The input ends" cta.started
