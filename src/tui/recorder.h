/* recorder.h - the records of the newest cycles (recorder.c). */
#ifndef WARPSTEP_RECORDER_H
#define WARPSTEP_RECORDER_H

#include "session_data.h"

struct cycle_record {
	u64 cycle; /* cycles complete after it */
	struct record record;
};
struct recorder;

/* Records of the cycles up to now, the oldest first; *slot is made when it is NULL. */
const struct cycle_record *recorder_read(struct recorder **slot, const struct session *s, u32 *n);
/* The machine is gone; and for good. */
void recorder_close(struct recorder *r);
void recorder_free(struct recorder *r);
/* Where the session keeps its recorder. */
struct recorder **panes_recorder(struct session *s);

#endif
