/*
 * outfile.h - files that are written: complete, or as they were (outfile.c); and what became of standard output.
 */
#ifndef WARPSTEP_OUTFILE_H
#define WARPSTEP_OUTFILE_H

#include "base.h"

/* OUTFILE_WHOLE: a temporary file becomes the file when it is closed; a signal that ends the program removes it.
 * OUTFILE_STREAM: the same of what is written over a long time; a signal makes it the file as far as it is written.
 * OUTFILE_APPEND: what is written is added to the file at once.
 * OUTFILE_GZIP: as OUTFILE_WHOLE, compressed. */
enum outfile_way { OUTFILE_WHOLE, OUTFILE_STREAM, OUTFILE_APPEND, OUTFILE_GZIP };

/* Open a file to write; NULL with errno. What is no regular file is written directly, whichever the way. */
FILE *outfile_open(const char *path, enum outfile_way way);
/* Something has been written to a file of outfile_open() or to standard output: its first error is kept. Returns that
 * errno, 0 if there was none. */
int outfile_note(FILE *f);
/* The same after a flush. */
int outfile_flush(FILE *f);
/* Close a file. It stands under its name if it is good and complete; else nothing has changed. Returns 0 or an errno.
 */
int outfile_close(FILE *f, bool good);
/* The error of a command that cannot write a file, as an errno of the above says. */
enum status outfile_failed(struct error *e, const char *path, int error);

/* Does a signal end a program that leaves it as it is? SIGXFSZ does not: outfile_guard() makes it an error of who
 * writes. */
bool signal_ends(int number);

/* From here on no end of the program leaves a temporary file, and a file that may not grow is an error of who writes.
 */
void outfile_guard(void);
/* The program is about to end: temporary files become files or go. A signal handler may call it. */
void outfile_settle(void);

#endif
