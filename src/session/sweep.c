/*
 * sweep.c - the axes, points and measures that a file declares (sweep.h).
 */
#include "sweep.h"

#include "paths.h"
#include "rights.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

const struct sweep_kind sweep_kind_table[] = {
#define SWEEPKIND(n, l, f, d) {.name = n, .line = l, .files = f, .doc = d},
#include "sweepkinds.def"
#undef SWEEPKIND
};
const u32 sweep_kind_rows = ARRAY_LEN(sweep_kind_table);

struct sweep *sweep_of(struct session *s)
{
	if (!s->sweep)
		s->sweep = xcalloc(1, sizeof(*s->sweep));
	return s->sweep;
}

static void axis_free(struct sweep_axis *x)
{
	lines_free(x->value, x->n);
	free(x->name);
	*x = (struct sweep_axis){0};
}

/* The newest measure goes. */
static void measure_drop(struct sweep *w)
{
	free(w->measure[--w->nmeasures].name);
	free(w->measure[w->nmeasures].expr);
}

void sweep_free(struct sweep *w)
{
	for (u32 i = 0; w && i < w->naxes; i++)
		axis_free(&w->axis[i]);
	while (w && w->nmeasures)
		measure_drop(w);
	if (w) {
		free(w->except);
		free(w->measure);
	}
	free(w);
}

const struct sweep_kind *sweep_kind_find(const char *name)
{
	for (u32 i = 0; i < sweep_kind_rows; i++)
		if (!strcmp(sweep_kind_table[i].name, name))
			return &sweep_kind_table[i];
	return NULL;
}

/* --- values --- */

static bool has_value(const struct sweep_axis *x, const char *value)
{
	for (u32 i = 0; i < x->n; i++)
		if (!strcmp(x->value[i], value))
			return true;
	return false;
}

/* One more value, xmalloc'ed, of the word t. */
static enum status add_value(struct sweep_axis *x, const struct token *t, char *value, struct error *e)
{
	if (x->n == SWEEP_VALUES || has_value(x, value)) {
		usage_at(e, t->column,
			 x->n == SWEEP_VALUES ? "sweep %s: more than 10,000 values (at '%s')"
					      : "sweep %s: value '%s' is there twice",
			 token_shown(x->name), token_shown(value));
		free(value);
		return STATUS_USAGE;
	}
	x->value = array_grow(x->value, x->n, sizeof(*x->value));
	x->value[x->n++] = value;
	return STATUS_OK;
}

/* A..B as numbers; false: the word is something else. */
static bool range(const char *word, i64 *from, i64 *to)
{
	const char *dots = strstr(word, "..");
	char *end, *last = NULL;

	*from = strtoll(word, &end, 10);
	*to = dots ? strtoll(dots + 2, &last, 10) : 0;
	return dots && end == dots && end != word && last != dots + 2 && !*last;
}

static enum status add_range(struct sweep_axis *x, const struct token *t, i64 from, i64 to, struct error *e)
{
	enum status st = STATUS_OK;

	if (to < from || (u64)to - (u64)from >= SWEEP_VALUES)
		return usage_at(e, t->column, "'%s': B is out of range (from A to A + %u)", token_shown(t->s),
				SWEEP_VALUES - 1);
	for (u64 k = 0; k <= (u64)to - (u64)from && !st; k++)
		st = add_value(x, t, xasprintf("%lld", (i64)((u64)from + k)), e);
	return st;
}

/* May the file that a word names be read? */
static enum status may_read(struct session *s, const struct token *t, struct error *e)
{
	char *path = path_resolve(s, t, false, e);

	free(path);
	return path ? STATUS_OK : STATUS_USAGE;
}

/* The folder that a pattern's names lie in, up to its first wildcard, may be read? */
static enum status may_match(struct session *s, const struct token *t, struct error *e)
{
	char *fixed = xstrndup(t->s, strcspn(t->s, "*?[")), *slash = strrchr(fixed, '/');
	struct token folder = *t;
	enum status st;

	if (slash)
		*slash = '\0';
	folder.s = !slash ? "." : *fixed ? fixed : "/";
	st = may_read(s, &folder, e);
	free(fixed);
	return st;
}

/* The files that a pattern matches, in the order of their names. */
static enum status add_files(struct session *s, struct sweep_axis *x, const struct token *t, struct error *e)
{
	enum status st = may_match(s, t, e);
	char *pattern = path_join(rights_now(s)->dir, t->s);
	size_t skip = *t->s == '/' ? 0 : strlen(pattern) - strlen(t->s);
	glob_t found = {0};

	if (!st && (glob(pattern, 0, NULL, &found) || !found.gl_pathc))
		st = usage_at(e, t->column, "sweep %s: no file matches '%s'", token_shown(x->name), token_shown(t->s));
	for (size_t i = 0; !st && i < found.gl_pathc; i++)
		st = add_value(x, t, xstrdup(found.gl_pathv[i] + skip), e);
	globfree(&found);
	free(pattern);
	return st;
}

static enum status add_word(struct session *s, struct sweep_axis *x, const struct token *t, struct error *e)
{
	i64 from, to;

	if (x->kind && x->kind->files && !t->quoted && strpbrk(t->s, "*?["))
		return add_files(s, x, t, e);
	if (x->kind && x->kind->files && may_read(s, t, e))
		return STATUS_USAGE;
	if (!x->kind && range(t->s, &from, &to))
		return add_range(x, t, from, to, e);
	return add_value(x, t, xstrdup(t->s), e);
}

/* --- axes --- */

static u32 axis_find(const struct sweep *w, const char *name)
{
	for (u32 i = 0; i < w->naxes; i++)
		if (!strcmp(w->axis[i].name, name))
			return i;
	return NONE32;
}

/* Letters, digits and _, no digit first: $NAME ends where it does. */
static bool is_variable(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isalnum((u8)*c) && *c != '_')
			return false;
	return isalpha((u8)*name);
}

/* What a name means: a kind, a setting, or a variable. */
static enum status axis_name(struct sweep_axis *x, const struct token *t, struct error *e)
{
	const char *today = t->s;
	struct error unknown;
	int id;

	x->kind = sweep_kind_find(t->s);
	id = x->kind ? -1 : setting_find(t->s, &unknown);
	if (id >= 0)
		today = setting_table[id].name;
	else if (!x->kind && !is_variable(t->s))
		return usage_at(e, t->column, "sweep: %s", unknown.message);
	if (id >= 0 && setting_table[id].flags & (FLAG_HOST | FLAG_VIEW))
		return usage_at(e, t->column, "sweep: %s changes no result", today);
	x->variable = !x->kind && id < 0;
	x->name = xstrdup(today);
	return STATUS_OK;
}

enum status sweep_add(struct session *s, const struct token *name, const struct token *value, u32 n, struct error *e)
{
	struct sweep *w = sweep_of(s);
	struct sweep_axis x = {0};
	enum status st = axis_name(&x, name, e);

	if (!st && !n)
		st = usage_at(e, name->column, "sweep %s: missing values", token_shown(x.name));
	for (u32 i = 0; i < n && !st; i++)
		st = add_word(s, &x, &value[i], e);
	if (!st && axis_find(w, x.name) != NONE32)
		st = usage_at(e, name->column, "sweep: %s varies already (give all values in one line)",
			      token_shown(x.name));
	if (!st && w->naxes == SWEEP_AXES)
		st = usage_at(e, name->column, "sweep: more than %u lines", SWEEP_AXES);
	if (!st && w->chosen[w->naxes] >= x.n)
		st = usage_at(e, name->column, "sweep %s: the point has value %u of %u", token_shown(x.name),
			      w->chosen[w->naxes] + 1, x.n);
	if (!st)
		w->axis[w->naxes++] = x;
	else
		axis_free(&x);
	if (st || sweep_size(w) <= SWEEP_POINTS)
		return st;
	sweep_drop(w);
	return usage_at(e, name->column, "sweep: more than %u points", SWEEP_POINTS);
}

void sweep_drop(struct sweep *w)
{
	axis_free(&w->axis[--w->naxes]);
}

struct sweep_mark sweep_mark(const struct session *s)
{
	const struct sweep *w = s->sweep;

	return w ? (struct sweep_mark){w->naxes, w->nexcepts, w->nmeasures, w->has_baseline} : (struct sweep_mark){0};
}

void sweep_truncate(struct session *s, struct sweep_mark to)
{
	struct sweep *w = s->sweep;

	while (w && w->naxes > to.naxes)
		sweep_drop(w);
	while (w && w->nmeasures > to.nmeasures)
		measure_drop(w);
	if (w) {
		w->nexcepts = to.nexcepts;
		w->has_baseline = to.nbaselines;
	}
}

void sweep_line(const struct sweep_axis *x, u32 i, struct text *out)
{
	struct text word = {0};

	if (x->variable)
		return;
	if (x->kind && !x->kind->files)
		text_add(&word, "%s", x->value[i]);
	else
		word_add_quoted(&word, x->value[i]);
	if (x->kind)
		text_add(out, "%.*s%s", (int)(strlen(x->kind->line) - 2), x->kind->line, word.s);
	else
		text_add(out, "set %s %s", x->name, word.s);
	text_free(&word);
}

enum status sweep_pairs(const struct sweep *w, const struct token *token, u32 n, struct sweep_part *out,
			struct error *e)
{
	memset(out, 0xff, sizeof(*out));
	for (u32 i = 0; i < n; i += 2) {
		u32 x = w ? axis_find(w, token[i].s) : NONE32, v = 0;

		if (x == NONE32)
			return usage_at(e, token[i].column, "'%s': no line above sweeps that", token_shown(token[i].s));
		if (i + 1 == n)
			return usage_at(e, token[i].column, "missing value of %s", token_shown(token[i].s));
		while (v < w->axis[x].n && strcmp(w->axis[x].value[v], token[i + 1].s) != 0)
			v++;
		if (v == w->axis[x].n)
			return usage_at(e, token[i + 1].column, "'%s' is not a value of %s above",
					token_shown(token[i + 1].s), token_shown(token[i].s));
		if (out->value[x] != NONE32)
			return usage_at(e, token[i].column, "%s is there twice", token_shown(token[i].s));
		out->value[x] = v;
	}
	return STATUS_OK;
}

/* The variable that a text behind $ names, NONE32: none. */
static u32 variable_at(const struct sweep *w, const char *name, size_t left)
{
	for (u32 i = 0; i < w->naxes; i++) {
		size_t n = strlen(w->axis[i].name);

		if (w->axis[i].variable && n <= left && !strncmp(name, w->axis[i].name, n) &&
		    (n == left || (!isalnum((u8)name[n]) && name[n] != '_')))
			return i;
	}
	return NONE32;
}

char *sweep_put(struct sweep *w, const char *line, size_t length)
{
	struct text out = {0};
	bool any = false;

	if (!memchr(line, '$', length))
		return NULL;
	for (size_t i = 0; i < length; i++) {
		u32 x = line[i] == '$' ? variable_at(w, line + i + 1, length - i - 1) : NONE32;

		if (x == NONE32) {
			text_addn(&out, line + i, 1);
			continue;
		}
		text_add(&out, "%s", w->axis[x].value[w->chosen[x]]);
		w->axis[x].used = any = true;
		i += strlen(w->axis[x].name);
	}
	if (!any)
		text_free(&out);
	return out.s;
}

/* --- points --- */

u64 sweep_size(const struct sweep *w)
{
	u64 n = 1;

	for (u32 i = 0; i < w->naxes && n <= SWEEP_POINTS; i++)
		n *= w->axis[i].n;
	return n;
}

void sweep_point(const struct sweep *w, u64 i, u32 value[SWEEP_AXES])
{
	memset(value, 0, SWEEP_AXES * sizeof(*value));
	for (u32 x = w->naxes; x-- > 0;) {
		value[x] = (u32)(i % w->axis[x].n);
		i /= w->axis[x].n;
	}
}

bool sweep_in(const struct sweep *w, const struct sweep_part *part, const u32 value[SWEEP_AXES])
{
	for (u32 i = 0; i < w->naxes; i++)
		if (part->value[i] != NONE32 && part->value[i] != value[i])
			return false;
	return true;
}

bool sweep_excepts(const struct sweep *w, const u32 value[SWEEP_AXES])
{
	for (u32 i = 0; i < w->nexcepts; i++)
		if (sweep_in(w, &w->except[i], value))
			return true;
	return false;
}

void sweep_words(const struct sweep *w, const u32 value[SWEEP_AXES], struct text *out)
{
	for (u32 i = 0; i < w->naxes; i++)
		text_add(out, "%s%s %s", i ? ", " : "", safe_text(w->axis[i].name),
			 safe_text(w->axis[i].value[value[i]]));
}
