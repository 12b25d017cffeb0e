/*
 * cxx_name.h - names of C++ functions for people.
 */
#ifndef WARPSTEP_CXX_NAME_H
#define WARPSTEP_CXX_NAME_H

#include "base.h"

/* The qualified name of a function with its template arguments: img::scale<float,4> of _ZN3img5scaleIfLi4EEEvPT_S1_
 * (Itanium C++ ABI, 5.1); with `parameters` their types behind it, by which overloads differ, but for templates. What
 * is not mangled, or not in this way, stays as it is. xmalloc'ed. */
char *cxx_name(const char *mangled, bool parameters);

#endif
