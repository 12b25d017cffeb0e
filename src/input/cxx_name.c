/*
 * cxx_name.c - the name of a C++ function as its source has it, from the mangled one (Itanium C++ ABI, 5.1).
 *
 * Only what kernels are called is read: namespaces, classes, template arguments, types of parameters. A name that
 * cannot be read whole (operators, constructors, local classes, decltype) stays as it is. Text comes out of a fixed
 * room and nesting is bounded: names are those of any file.
 */
#include "cxx_name.h"

#define CXX_LENGTH 200	     /* bytes of a name that is made, at most */
#define CXX_SUBSTITUTIONS 40 /* parts of a name that later parts may stand for */
#define CXX_DEPTH 24	     /* types within types */

struct cxx {
	const char *at;
	u32 depth, nsub;
	bool bad;
	char sub[CXX_SUBSTITUTIONS][CXX_LENGTH];
};

/* A part of the name. */
struct cxx_part {
	char s[CXX_LENGTH];
};

static void cxx_type(struct cxx *c, struct cxx_part *out);

/* Take a letter or two if they come next. */
static bool cxx_takes(struct cxx *c, const char *s)
{
	size_t n = strlen(s);

	if (strncmp(c->at, s, n))
		return false;
	c->at += n;
	return true;
}

/* Put text behind a part. */
static void cxx_put(struct cxx *c, struct cxx_part *p, const char *s)
{
	size_t n = strlen(p->s), more = strlen(s);

	if (n + more >= sizeof(p->s))
		c->bad = true;
	else
		memcpy(p->s + n, s, more + 1);
}

/* Later parts may stand for this one. */
static void cxx_remember(struct cxx *c, const struct cxx_part *p)
{
	if (c->nsub == CXX_SUBSTITUTIONS)
		c->bad = true;
	else
		memcpy(c->sub[c->nsub++], p->s, sizeof(p->s));
}

/* A length and as many letters. */
static void cxx_source_name(struct cxx *c, struct cxx_part *p)
{
	char name[CXX_LENGTH], *end;
	unsigned long n = *c->at >= '1' && *c->at <= '9' ? strtoul(c->at, &end, 10) : 0;

	if (!n || n >= sizeof(name) || n > strlen(end)) {
		c->bad = true;
		return;
	}
	memcpy(name, end, n);
	name[n] = '\0';
	c->at = end + n;
	cxx_put(c, p, strncmp(name, "_GLOBAL__N_", 11) ? name : "(anonymous)");
}

/* Behind an S: an earlier part, by its number in base 36, or one of the library's names. */
static void cxx_substitution(struct cxx *c, struct cxx_part *p)
{
	static const struct {
		char letter;
		const char *name;
	} library[] = {{'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"}};
	bool first = true;
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_LEN(library); i++)
		if (*c->at == library[i].letter) {
			c->at++;
			cxx_put(c, p, library[i].name);
			return;
		}
	for (; *c->at != '_'; c->at++) {
		bool digit = *c->at >= '0' && *c->at <= '9';

		if ((!digit && (*c->at < 'A' || *c->at > 'Z')) || n > CXX_SUBSTITUTIONS) {
			c->bad = true;
			return;
		}
		n = n * 36 + (u32)(digit ? *c->at - '0' : *c->at - 'A' + 10);
		first = false;
	}
	n += !first;
	c->at++;
	if (n < c->nsub)
		cxx_put(c, p, c->sub[n]);
	else
		c->bad = true;
}

/* A number as a template argument, behind an L: true, -3, 4; of another type than these, with it: (mode)2. */
static void cxx_literal(struct cxx *c, struct cxx_part *p)
{
	bool truth = cxx_takes(c, "b"), plain = !truth && *c->at && strchr("cahstijlmxy", *c->at);
	struct cxx_part type = {""};
	char number[24] = "";
	size_t n;

	if (plain)
		c->at++;
	if (!plain && !truth) {
		cxx_type(c, &type);
		cxx_put(c, p, "(");
		cxx_put(c, p, type.s);
		cxx_put(c, p, ")");
	}
	if (cxx_takes(c, "n"))
		cxx_put(c, p, "-");
	n = strspn(c->at, "0123456789");
	if (!n || n >= sizeof(number) || c->at[n] != 'E') {
		c->bad = true;
		return;
	}
	memcpy(number, c->at, n);
	c->at += n + 1;
	if (truth)
		cxx_put(c, p, *number == '0' ? "false" : "true");
	else
		cxx_put(c, p, number);
}

/* Arguments up to their E, with commas between. */
static void cxx_arguments(struct cxx *c, struct cxx_part *p, bool *any)
{
	while (!c->bad && !cxx_takes(c, "E")) {
		struct cxx_part one = {""};

		c->bad = ++c->depth > CXX_DEPTH;
		if (cxx_takes(c, "J"))
			cxx_arguments(c, p, any);
		else if (cxx_takes(c, "L"))
			cxx_literal(c, &one);
		else
			cxx_type(c, &one);
		c->depth--;
		if (!*one.s)
			continue; /* a list of its own has put its parts */
		cxx_put(c, p, *any ? "," : "");
		cxx_put(c, p, one.s);
		*any = true;
	}
}

/* <...> behind a name, if there are template arguments. */
static bool cxx_template(struct cxx *c, struct cxx_part *p)
{
	bool any = false;

	if (!cxx_takes(c, "I"))
		return false;
	cxx_put(c, p, "<");
	cxx_arguments(c, p, &any);
	cxx_put(c, p, ">");
	return true;
}

/* Parts between N and E. Each but the whole name can be meant later; of a type the whole, too. */
static void cxx_nested(struct cxx *c, struct cxx_part *p, bool type)
{
	while (*c->at && strchr("rVK", *c->at))
		c->at++;
	while (!c->bad) {
		bool known = false;

		if (*c->at == 'I') {
			cxx_template(c, p);
		} else if (cxx_takes(c, "St")) {
			cxx_put(c, p, "std");
			known = true;
		} else if (!*p->s && cxx_takes(c, "S")) {
			cxx_substitution(c, p);
			known = true;
		} else {
			cxx_put(c, p, *p->s ? "::" : "");
			cxx_takes(c, "L"); /* of internal linkage */
			cxx_source_name(c, p);
		}
		if (cxx_takes(c, "E")) {
			if (type)
				cxx_remember(c, p);
			return;
		}
		if (!known)
			cxx_remember(c, p);
	}
}

/* A name that is not nested, with its arguments. */
static void cxx_plain(struct cxx *c, struct cxx_part *p, bool type)
{
	if (cxx_takes(c, "St"))
		cxx_put(c, p, "std::");
	cxx_takes(c, "L");
	cxx_source_name(c, p);
	if (*c->at == 'I' || type)
		cxx_remember(c, p);
	if (cxx_template(c, p)) /* nothing that is read refers to a function's */
		cxx_remember(c, p);
}

/* The builtin type of a letter, NULL: none has it. */
static const char *cxx_builtin(struct cxx *c)
{
	static const struct {
		const char *code, *name;
	} type[] = {{"v", "void"},	   {"w", "wchar_t"},
		    {"b", "bool"},	   {"c", "char"},
		    {"a", "signed char"},  {"h", "unsigned char"},
		    {"s", "short"},	   {"t", "unsigned short"},
		    {"i", "int"},	   {"j", "unsigned int"},
		    {"l", "long"},	   {"m", "unsigned long"},
		    {"x", "long long"},	   {"y", "unsigned long long"},
		    {"f", "float"},	   {"d", "double"},
		    {"DF16_", "_Float16"}, {"Dn", "decltype(nullptr)"}};

	for (u32 i = 0; i < ARRAY_LEN(type); i++)
		if (cxx_takes(c, type[i].code))
			return type[i].name;
	return NULL;
}

/* A type that is none of the builtin ones: made of another, or with a name. */
static void cxx_compound(struct cxx *c, struct cxx_part *out)
{
	static const struct {
		const char *code, *mark;
	} made[] = {{"P", "*"}, {"R", "&"}, {"O", "&&"}, {"K", " const"}, {"V", " volatile"}};

	for (u32 i = 0; i < ARRAY_LEN(made); i++)
		if (cxx_takes(c, made[i].code)) {
			cxx_type(c, out);
			cxx_put(c, out, made[i].mark);
			cxx_remember(c, out);
			return;
		}
	if (cxx_takes(c, "N")) {
		cxx_nested(c, out, true);
	} else if (*c->at == 'S' && c->at[1] != 't') {
		c->at++;
		cxx_substitution(c, out);
		if (cxx_template(c, out))
			cxx_remember(c, out);
	} else {
		cxx_plain(c, out, true);
	}
}

static void cxx_type(struct cxx *c, struct cxx_part *out)
{
	const char *builtin = c->bad ? NULL : cxx_builtin(c);

	if (++c->depth > CXX_DEPTH)
		c->bad = true;
	if (builtin)
		cxx_put(c, out, builtin);
	else if (!c->bad)
		cxx_compound(c, out);
	c->depth--;
}

/* The types of the parameters, to the end of the name; v alone: it has none. */
static void cxx_parameters(struct cxx *c, struct cxx_part *p)
{
	bool none = !strcmp(c->at, "v");

	cxx_put(c, p, "(");
	for (u32 i = 0; *c->at && !c->bad && !none; i++) {
		struct cxx_part type = {""};

		cxx_type(c, &type);
		cxx_put(c, p, i ? "," : "");
		cxx_put(c, p, type.s);
	}
	cxx_put(c, p, ")");
}

char *cxx_name(const char *mangled, bool parameters)
{
	struct cxx c = {.at = mangled};
	struct cxx_part name = {""}, bare;

	if (!cxx_takes(&c, "_Z"))
		return xstrdup(mangled);
	if (cxx_takes(&c, "N"))
		cxx_nested(&c, &name, false);
	else
		cxx_plain(&c, &name, false);
	bare = name;
	if (!strchr(name.s, '<')) /* the parameters of templates stand for their arguments: they are not read */
		cxx_parameters(&c, &name);
	return xstrdup(c.bad ? mangled : parameters ? name.s : bare.s);
}
