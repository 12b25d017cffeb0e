ok 1 - a good scenario
ok 2 - its statistics are printed
ok 3 - a failing command
ok 4 - a missing file
ok 5 - an unknown option
ok 6 - a fault
ok 7 - says where
ok 8 - a wrong result
ok 9 - says the first element
ok 10 - a limit of cycles
ok 11 - is exact
ok 12 - a limit of seconds
ok 13 - and without timing
ok 14 - values that differ in their last digits
ok 15 - are shown with them
ok 16 - and 64 bits are unsigned in a buffer without sign
ok 17 - a struct that is too short
ok 18 - is refused with its size
ok 19 - quit with a status
ok 20 - the first failure stops a batch
ok 21 - and nothing is run after it
ok 22 - unless it keeps going, with the status of the first
ok 23 - on to the end
ok 24 - and its statistics
ok 25 - commands that move leave no run
ok 26 - the machine stays there
ok 27 - -x and -e in order
ok 28 - one comes first
ok 29 - a scenario that writes is refused
ok 30 - and wrote nothing
ok 31 - --trust lets it
ok 32 - and it wrote
ok 33 - -e may write
ok 34 - a scenario that reads above itself is refused
ok 35 - --trust lets it too
ok 36 - JSON
ok 37 - one object a line, nothing else
ok 38 - with the stop
ok 39 - and the command's result
ok 40 - JSON errors
ok 41 - have a place
ok 42 - a session is saved
ok 43 - and comes back to the same state
ok 44 - with its breakpoint
ok 45 - what prints, checkpoints and aliases are saved
ok 46 - as they were typed
ok 47 - and come back
ok 48 - they print
ok 49 - and are gone to
ok 50 - JSON of what prints
ok 51 - is a line of its own
ok 52 - a question is passed over in batch mode
ok 53 - with a note
ok 54 - but not a wrong one
ok 55 - an interrupt
ok 56 - the version
ok 57 - a template of a module
ok 58 - that launches its kernel
ok 59 - and runs
ok 60 - the manual's part on commands
ok 61 - the manual's part on settings
ok 62 - the manual's part on stats
ok 63 - the manual's part on events
ok 64 - the manual's part on schemes
ok 65 - the manual's part on options
ok 66 - bash completion
ok 67 - bash takes it
ok 68 - and offers what fits
ok 69 - presets are found
