/* origin_kept.h - the tree of origins that was shown last. */
#ifndef WARPSTEP_ORIGIN_KEPT_H
#define WARPSTEP_ORIGIN_KEPT_H

#include "session.h"

struct origin;

extern const struct session_part origin_part;
/* NULL: there is none, or it is about another run. */
struct origin *origin_kept(const struct session *s);

#endif
