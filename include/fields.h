/*
 * fields.h - structs declared from lists of fields, and tables of the same fields, by which their bytes have names: the
 * sections of the machine (machine.h) and what policies keep (schemes.h).
 */
#ifndef WARPSTEP_FIELDS_H
#define WARPSTEP_FIELDS_H

#include "base.h"

enum section_where { IN_GPU, IN_SM, IN_SLICE, IN_CHANNEL };
enum section_flag { SECTION_HASHED = 1, SECTION_SCRATCH = 2, SECTION_PLACES = 4 };
/* A list as a table of fields with names. */
enum field_type { FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64 };
struct field {
	const char *name;
	u8 type;
	u32 offset, count;
	const char *doc;
};
struct section_row {
	const char *path; /* "warp": named sm[S].warp[N].FIELD; IN_GPU ones stand alone */
	u8 where, flags;  /* enum section_where, enum section_flag */
	u32 size;
	const struct field *field;
	u32 nfields;
};
#define FIELD_TYPE_u8 FIELD_U8
#define FIELD_TYPE_u16 FIELD_U16
#define FIELD_TYPE_u32 FIELD_U32
#define FIELD_TYPE_u64 FIELD_U64
/* FIELD_TABLE(tag, LIST): the table tag_field of struct tag. A list does not name its struct: the first half of a
 * row has the struct, and takes the list's (type, name, doc) or (type, name, count, doc) for the second. */
/* clang-format off */
#define FIELD_TABLE(tag, LIST) \
	static const struct field tag##_field[] = {LIST(FIELD_SCALAR_OF(tag), FIELD_ARRAY_OF(tag))};
#define FIELD_SCALAR_OF(tag) {.offset = (u32)(size_t)&((struct tag *)0)->FIELD_SCALAR_ROW
#define FIELD_SCALAR_ROW(t, n, text) n, .name = #n, .type = FIELD_TYPE_##t, .count = 1, .doc = text},
#define FIELD_ARRAY_OF(tag) {.offset = (u32)(size_t)&((struct tag *)0)->FIELD_ARRAY_ROW
#define FIELD_ARRAY_ROW(t, n, c, text) n, .name = #n, .type = FIELD_TYPE_##t, .count = c, .doc = text},
/* clang-format on */
#define FIELD_SIZE(type, name, doc) +sizeof(type)
#define FIELD_ARRAY_SIZE(type, name, count, doc) +sizeof(type) * (count)

#define FIELD_MEMBER(type, name, doc) type name;
#define FIELD_ARRAY(type, name, count, doc) type name[count];

#endif
