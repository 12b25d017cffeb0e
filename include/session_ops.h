/* session_ops.h - everything above the session: what session_open is given by a program that has all of it. */
#ifndef WARPSTEP_SESSION_OPS_H
#define WARPSTEP_SESSION_OPS_H

#include "session.h"

extern const struct session_ops all_session_ops;

#endif
