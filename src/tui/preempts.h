/* preempts.h - what panes tell of CTAs that make room: requests and rows of the ledger. Private to src/tui. */
#ifndef WARPSTEP_TUI_PREEMPTS_H
#define WARPSTEP_TUI_PREEMPTS_H

#include "sheet.h"

extern const char *const preempts_way[]; /* names of enum ledger_way */

/* Is there anything to tell: somebody says how CTAs make room, or some have? */
bool preempts_told(const struct pane_view *v);
/* A line below the list: the newest requests, those that began in one cycle for one kernel: how many SMs, whether they
 * are reached, by which ways. */
void preempts_last(struct sheet *s, const struct pane_view *v);

#endif
