/* kept.h - what panes.c and kept.c share. */
#ifndef WARPSTEP_KEPT_H
#define WARPSTEP_KEPT_H

#include "pane.h"

/* The parts that every view of a session has. */
void view_of(struct session *s, struct pane_view *v);
/* What the panes keep of a session that is another's copy, to be its `panes`; and free that. */
void *panes_new(void);
void panes_drop(void *kept);
/* The order of a pane's rows from now on; NULL or "": its own. */
void pane_keep_sort(struct session *s, enum pane_id id, const char *column);

#endif
