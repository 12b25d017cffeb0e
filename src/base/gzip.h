/* gzip.h - a stream that compresses into another. Private to src/base. */
#ifndef WARPSTEP_GZIP_H
#define WARPSTEP_GZIP_H

#include "base.h"

/* What is written to the stream goes to `to` in the gzip format; fclose() writes its end and closes `to`. NULL with
 * errno: `to` stays open. */
FILE *gzip_over(FILE *to);

#endif
