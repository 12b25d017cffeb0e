/*
 * datum.h - a place of values that people ask about: an element of memory, a lane of a register or a predicate, with
 * the CTA and warp that it belongs to, wherever in the machine these are at another time.
 */
#ifndef WARPSTEP_DATUM_H
#define WARPSTEP_DATUM_H

#include "expr.h"

enum datum_kind { DATUM_GLOBAL, DATUM_SHARED, DATUM_LOCAL, DATUM_REGISTER, DATUM_PREDICATE };
struct datum {
	u8 kind;      /* enum datum_kind */
	u8 type;      /* enum value_type, for people */
	u8 lane;      /* registers, predicates, local memory */
	u8 words;     /* registers: 1, 2 of a pair */
	u32 index;    /* register, predicate */
	u32 bytes;    /* memory: 1 to 8 */
	u64 address;  /* memory: global address; offset in the CTA's shared memory, in the lane's frame */
	u32 sm, warp; /* where it is now: SM and context */
	u32 launch, cta, index_in_cta; /* whose it is; global memory: nobody's */
};

/* PLACE [lane N] as it is now: what expr_place() takes, and registers by their names (r12, d4 a pair, p0; warp[5].r12,
 * sm[0].warp[5].r12). Without `lane` it is lane 0. */
enum status datum_parse(struct session *s, const char *text, u32 column, struct datum *out, struct error *e);
/* Its name, for people. */
void datum_text(const struct session *s, const struct datum *x, struct text *out);
/* What a simulator holds there, as 64 bits; false: the warp or CTA is not there. */
bool datum_read(const struct sim *s, const struct datum *x, u64 *out);
/* Bits of a type as text. */
void datum_value(u8 type, bool hex, u64 bits, struct text *out);

#endif
