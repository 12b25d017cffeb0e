ok 1 - sitting 1 is saved
ok 2 - sitting 1 comes back as it was
ok 3 - sitting 1 shows the same panes
ok 4 - sitting 1 is saved alike
ok 5 - sitting 2 is saved
ok 6 - sitting 2 comes back as it was
ok 7 - sitting 2 shows the same panes
ok 8 - sitting 2 is saved alike
ok 9 - sitting 3 is saved
ok 10 - sitting 3 comes back as it was
ok 11 - sitting 3 shows the same panes
ok 12 - sitting 3 is saved alike
ok 13 - sitting 4 is saved
ok 14 - sitting 4 comes back as it was
ok 15 - sitting 4 shows the same panes
ok 16 - sitting 4 is saved alike
ok 17 - sitting 5 is saved
ok 18 - sitting 5 comes back as it was
ok 19 - sitting 5 shows the same panes
ok 20 - sitting 5 is saved alike
ok 21 - sitting 6 is saved
ok 22 - sitting 6 comes back as it was
ok 23 - sitting 6 shows the same panes
ok 24 - sitting 6 is saved alike
ok 25 - sitting 7 is saved
ok 26 - sitting 7 comes back as it was
ok 27 - sitting 7 shows the same panes
ok 28 - sitting 7 is saved alike
ok 29 - sitting 8 is saved
ok 30 - sitting 8 comes back as it was
ok 31 - sitting 8 shows the same panes
ok 32 - sitting 8 is saved alike
