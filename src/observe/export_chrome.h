/* export_chrome.h - the lives of CTAs in Trace Event JSON. Private to src/observe. */
#ifndef WARPSTEP_EXPORT_CHROME_H
#define WARPSTEP_EXPORT_CHROME_H

#include "export.h"

/* Begin an event of the file: a comma goes before all but the first. */
void chrome_event(struct exporter *x);

/* CTAs as they were in the cycle before; freed by chrome_lives_close(). */
struct chrome_lives;
struct chrome_lives *chrome_lives_open(struct exporter *x);
/* A CTA came or left in this cycle; then, once all records of the cycle are seen: what CTAs do now. */
void chrome_lives_record(struct exporter *x, struct chrome_lives *l, const struct record *r);
void chrome_lives_look(struct exporter *x, struct chrome_lives *l);
void chrome_lives_close(struct exporter *x, struct chrome_lives *l);

#endif
