/*
 * extent.h - memory as a stretch of elements: a buffer, the shared memory of a CTA, the local memory of a lane; what
 * pane `data` and `dump` look at.
 */
#ifndef WARPSTEP_EXTENT_H
#define WARPSTEP_EXTENT_H

#include "expr.h"

enum extent_kind { EXTENT_NONE, EXTENT_BUFFER, EXTENT_SHARED, EXTENT_LOCAL };

struct extent {
	u8 kind;	    /* enum extent_kind */
	u8 type;	    /* enum value_type of the elements that were named; VALUE_U32 where that said none */
	u32 buffer;	    /* of EXTENT_BUFFER: its number in the program */
	u32 sm, warp, lane; /* of the others: whose */
	u64 bytes;	    /* that there are now */
};

/* What a text names: a buffer (`a`), memory of the focused or another warp (`shared`, `warp[5].local`, with .TYPE; of
 * `lane` where it is local), a place in either as `print` takes it (`a[3]`, `local.f32[7][0]`), or an address in a
 * buffer. *at: the byte of it that is meant; *whole: it was named without an element. Columns of errors are relative to
 * text. */
enum status extent_named(struct session *s, const char *text, u32 lane, struct extent *out, u64 *at, bool *whole,
			 struct error *e);
/* The buffer that holds an address, as an extent; *at: the byte of it. False: none does. */
bool extent_address(const struct session *s, u64 address, struct extent *out, u64 *at);
/* Bytes that it has now; 0: it is not there. */
u64 extent_bytes(const struct session *s, const struct extent *x);
/* n bytes from byte `at` on, of the machine that s has; false: they are not all there. */
bool extent_read(const struct session *s, const struct extent *x, u64 at, u8 *out, u32 n);
/* The element at byte `at`, seen as a type, as `print` and `set var` name it. */
void extent_place(const struct session *s, const struct extent *x, u8 type, u64 at, struct text *out);

#endif
