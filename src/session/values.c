/* values.c - numbers as users write them, as bytes of a type, and back. */
#include "values.h"

#include <errno.h>
#include <math.h>

int value_type_find(const char *name)
{
	static const char *const alias[][2] = {{"b8", "u8"},   {"b16", "u16"}, {"b32", "u32"},	 {"b64", "u64"},
					       {"i32", "s32"}, {"i64", "s64"}, {"float", "f32"}, {"double", "f64"}};

	for (u32 i = 0; i < ARRAY_LEN(alias); i++)
		if (!strcmp(alias[i][0], name))
			name = alias[i][1];
	return value_type_named(name);
}

const u8 number_width[3] = {8, 11, 12};

const char *word_text(u8 format, u32 bits, char out[16])
{
	float real;

	memcpy(&real, &bits, sizeof(real));
	if (format == NUMBER_FLOAT)
		snprintf(out, 16, "%.6g", (double)real);
	else if (format == NUMBER_DECIMAL)
		snprintf(out, 16, "%d", (i32)bits);
	else
		snprintf(out, 16, "%08x", bits);
	return out;
}

/* Is a type of integers signed? */
static bool type_signed(u8 type)
{
	return type == VALUE_S8 || type == VALUE_S16 || type == VALUE_S32 || type == VALUE_S64;
}

/* A real number of a type: decimal, hexadecimal, inf or nan. */
static enum status real_parse(u8 type, const char *text, u8 *out, struct error *e)
{
	char *end;
	double real;

	errno = 0;
	real = strtod(text, &end);
	if (end == text || *end || text[0] == ' ')
		return error_set(e, STATUS_USAGE, "'%s' is not a number of type %s", token_shown(text),
				 value_type_name[type]);
	if (isinf(type == VALUE_F32 ? (double)(float)real : real) && !strpbrk(text, "iI"))
		return error_set(e, STATUS_USAGE, "'%s' does not fit type %s", token_shown(text),
				 value_type_name[type]);
	value_store(type, real, 0, out);
	return STATUS_OK;
}

/* Does a whole number, magnitude and sign, fit an integer type? */
static bool integer_fits(u8 type, u64 magnitude, bool negative)
{
	u32 bits = value_type_size[type] * 8;
	u64 top = 1ULL << (bits - 1);

	if (!type_signed(type))
		return (!negative || !magnitude) && (bits == 64 || magnitude >> bits == 0);
	return negative ? magnitude <= top : magnitude < top;
}

enum status value_parse(u8 type, const char *text, u8 *out, struct error *e)
{
	bool negative = text[0] == '-';
	const char *digits = text + (negative || text[0] == '+');
	u64 magnitude;
	char *end;

	if (type == VALUE_F32 || type == VALUE_F64)
		return real_parse(type, text, out, e);
	errno = 0;
	magnitude = strtoull(digits, &end, 0);
	if (end == digits || *end || *digits < '0' || *digits > '9')
		return error_set(e, STATUS_USAGE, "'%s' is not an integer (type %s)", token_shown(text),
				 value_type_name[type]);
	if (errno == ERANGE || !integer_fits(type, magnitude, negative))
		return error_set(e, STATUS_USAGE, "'%s' does not fit type %s", token_shown(text),
				 value_type_name[type]);
	magnitude = negative ? 0 - magnitude : magnitude;
	memcpy(out, &magnitude, value_type_size[type]);
	return STATUS_OK;
}

void value_store(u8 type, double real, i64 integer, u8 *out)
{
	float single = (float)real;

	if (type == VALUE_F32)
		memcpy(out, &single, sizeof(single));
	else if (type == VALUE_F64)
		memcpy(out, &real, sizeof(real));
	else
		memcpy(out, &integer, value_type_size[type]);
}
