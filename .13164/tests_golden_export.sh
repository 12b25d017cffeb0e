ok 1 - vecadd 0-2641: the machine has not moved
ok 2 - vecadd 0-2641: kanata
ok 3 - vecadd 0-2641: chrome
ok 4 - vecadd 0-2641: csv
ok 5 - vecadd 0-2641: events
ok 6 - default 0-25080: the machine has not moved
ok 7 - default 0-25080: kanata
ok 8 - default 0-25080: chrome
ok 9 - default 0-25080: csv
ok 10 - default 0-25080: events
ok 11 - reduce 0-7307: the machine has not moved
ok 12 - reduce 0-7307: kanata
ok 13 - reduce 0-7307: chrome
ok 14 - reduce 0-7307: csv
ok 15 - reduce 0-7307: events
ok 16 - bfs 500-1500: the machine has not moved
ok 17 - bfs 500-1500: kanata
ok 18 - bfs 500-1500: chrome
ok 19 - bfs 500-1500: csv
ok 20 - bfs 500-1500: events
ok 21 - shuffle 333-900: the machine has not moved
ok 22 - shuffle 333-900: kanata
ok 23 - shuffle 333-900: chrome
ok 24 - shuffle 333-900: csv
ok 25 - shuffle 333-900: events
ok 26 - no such format
ok 27 - no such format: no file
ok 28 - no cycles
ok 29 - no cycles: no file
ok 30 - beyond the end
ok 31 - beyond the end: no file
ok 32 - a word
ok 33 - a word: no file
ok 34 - no number
ok 35 - no number: no file
ok 36 - nothing after a word
ok 37 - nothing after a word: no file
ok 38 - columns of another
ok 39 - columns of another: no file
ok 40 - no such statistic
ok 41 - no such statistic: no file
ok 42 - no such directory
ok 43 - no such directory: no file
ok 44 - a directory
ok 45 - a directory: no file
ok 46 - a limit
ok 47 - a limit: no file
ok 48 - a limit of seconds
ok 49 - a limit of seconds: no file
ok 50 - a file of commands may not write
ok 51 - a file that was there stays after an error
ok 52 - an example worked out by hand
