/* above.h - everything above the session: what session_open is given by a program that has all of it. */
#ifndef WARPSTEP_ABOVE_H
#define WARPSTEP_ABOVE_H

#include "session.h"

extern const struct session_above all_above;

#endif
