/*
 * reload.h - the files of the stage are read again, and a machine of them takes the place of the session's.
 */
#ifndef WARPSTEP_RELOAD_H
#define WARPSTEP_RELOAD_H

#include "session.h"

/* What both versions come to. */
struct reloaded {
	bool whole;	  /* both were run to their ends; else Ctrl-C or a limit came before, or nothing is launched */
	u64 cycles[2];	  /* before, now */
	bool finished[2]; /* no fault, deadlock or livelock */
	struct judged judged[2]; /* the scenario's checks */
	bool waited;		 /* changes waited for a restart: they count now, in both */
	bool placed;		 /* the machine stands where the focused warp was, by source line */
	char place[96];		 /* "tile.cu:17", the line of it now; empty: the warp was at none */
};
/* Stops, focus and settings stay; positions, checkpoints and what undo could take back do not. An error: a file cannot
 * be read, or a launch fits no more; all is as it was. */
enum status session_reload(struct session *s, struct reloaded *out, struct error *e);

#endif
