/*
 * values.h - numbers of a buffer's type, as texts and as bytes.
 */
#ifndef WARPSTEP_VALUES_H
#define WARPSTEP_VALUES_H

#include "config.h"
#include "kernel.h"

/* A number of a type as bytes: out has value_type_size[type]. The error says what the type holds. */
enum status value_parse(u8 type, const char *text, u8 *out, struct error *e);
void value_store(u8 type, double real, i64 integer, u8 *out);
/* 32 bits of a register in a format (enum number_format), at most number_width[format] characters. */
const char *word_text(u8 format, u32 bits, char out[16]);
extern const u8 number_width[3];
int value_type_find(const char *name);

#endif
