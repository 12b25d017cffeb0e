#! -j --keep-going -n -q -e "gpu ws4" scenarios/bfs.scn
goto 1500
show gangs 80x8
policy gang=bgto
restart
goto 1200
show gangs 60x8
filter gangs single
show gangs 60x8
