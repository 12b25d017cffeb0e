/*
 * figures.c - loads and configurations of the paper at hand, values of their runs, and the usual figures made of them.
 */
#include "reproduce.h"

const struct paper *paper;
bool quick;

#define MAX_WORD 256

/* The next of words with blanks (or other ends) between, into out; false after the last. */
static bool next_word(const char **at, const char *ends, char out[MAX_WORD])
{
	size_t n;

	*at += strspn(*at, ends);
	n = strcspn(*at, ends);
	if (n >= MAX_WORD)
		fail("too long a word: %s", *at);
	memcpy(out, *at, n);
	out[n] = 0;
	*at += n;
	return n > 0;
}

bool names_have(const struct names *in, const char *name)
{
	for (u32 i = 0; i < in->n; i++)
		if (!strcmp(in->name[i], name))
			return true;
	return false;
}

void names_add(struct names *to, const char *name)
{
	if (names_have(to, name))
		return;
	if (to->n == ARRAY_LEN(to->name))
		fail("too many loads");
	to->name[to->n++] = xstrdup(name);
}

static void names_remove(struct names *from, const char *name)
{
	for (u32 i = 0; i < from->n; i++) {
		if (strcmp(from->name[i], name))
			continue;
		memmove(&from->name[i], &from->name[i + 1], (from->n - i - 1) * sizeof(from->name[0]));
		from->n--;
	}
}

void table_each(const char *path, void (*f)(void *self, char **word, u32 n), void *self)
{
	char *text, *word[32];
	struct error e;
	size_t length;

	if (file_read(path, 1u << 20, &text, &length, &e))
		fail("%s", e.message);
	for (char *line = text, *rest; line && *line; line = rest) {
		u32 n = 0;

		rest = strchr(line, '\n');
		if (rest)
			*rest++ = 0;
		if (*line == '#')
			continue;
		for (char *w = strtok(line, " \t,"); w && n < ARRAY_LEN(word); w = strtok(NULL, " \t,"))
			word[n++] = w;
		if (n)
			f(self, word, n);
	}
	free(text);
}

struct table_loads {
	u32 column;
	const char *prefix;
	struct names *to;
};

static void table_loads_line(void *self, char **word, u32 n)
{
	struct table_loads *t = self;

	if (!t->column || (t->column < n && !strncmp(word[t->column], t->prefix, strlen(t->prefix))))
		names_add(t->to, word[0]);
}

void table_loads(const char *path, u32 column, const char *prefix, struct names *to)
{
	table_each(path, table_loads_line, &(struct table_loads){column, prefix, to});
}

struct names loads_of_whole(const char *set)
{
	struct names to = {0};
	char word[MAX_WORD];

	while (next_word(&set, " ", word)) {
		if (*word == '-')
			names_remove(&to, word + 1);
		else if (!paper->loads || !paper->loads(word, &to))
			names_add(&to, word);
	}
	return to;
}

struct names loads_of(const char *set)
{
	struct names all = loads_of_whole(set), few = {0}, kept = {0};
	const char *at = paper->quick.loads;
	char word[MAX_WORD];

	if (!quick || !at)
		return all;
	while (next_word(&at, " ", word))
		names_add(&few, word);
	for (u32 i = 0; i < all.n; i++)
		if (names_have(&few, all.name[i]) || strchr(all.name[i], '/'))
			names_add(&kept, all.name[i]);
	return kept;
}

/* Commands with ; between, as lines, argument in the place of %s. */
static void add_commands(struct text *t, const char *commands, const char *argument)
{
	for (const char *c = commands; *c; c++) {
		if (c[0] == '%' && c[1] == 's') {
			text_add(t, "%s", argument);
			c++;
		} else if (*c == ';') {
			text_add(t, "\n");
			c += strspn(c + 1, " ");
		} else {
			text_add(t, "%c", *c);
		}
	}
	if (*commands)
		text_add(t, "\n");
}

/* The commands of one word of a configuration. */
static void add_word(struct text *t, char *word)
{
	char *colon = strchr(word, ':'), *equals = strchr(word, '='), *point = strchr(word, '.');

	if (colon && !equals)
		*colon = 0;
	for (u32 i = 0; i < paper->words; i++) {
		if (strcmp(paper->word[i].name, word))
			continue;
		add_commands(t, paper->word[i].commands, colon ? colon + 1 : "");
		return;
	}
	if (!equals)
		fail("%s: no configuration '%s'", paper->name, word);
	if (!point || point > equals) {
		text_add(t, "policy %s\n", word);
	} else {
		*equals = 0;
		text_add(t, "set %s %s\n", word, equals + 1);
	}
}

/* All commands of a run. */
static char *commands_of(const char *load, const char *config, const char *script)
{
	struct text t = {0};
	char word[MAX_WORD];

	if (load && strchr(load, '/'))
		text_add(&t, "source %s.scn\n", load);
	else if (load)
		text_add(&t, "source %s/%s.scn\n", paper->folder, load);
	text_add(&t, "set engine.threads 1\n");
	if (paper->base)
		add_commands(&t, paper->base, "");
	while (next_word(&config, " ", word))
		add_word(&t, word);
	text_add(&t, "%s%s", load ? "restart\n" : "", script);
	return t.s;
}

const struct run *run_script(const char *load, const char *config, const char *script)
{
	char *label = xasprintf("%s under %s", load ? load : paper->name, *config ? config : "nothing");
	char *commands = commands_of(load, config, script);
	const struct run *r = run_asked(label, commands);

	free(label);
	free(commands);
	return r;
}

const char *run_text(const char *load, const char *config, const char *script)
{
	const struct run *r = run_script(load, config, script);

	return r ? r->printed : NULL;
}

double run_number(const char *load, const char *config, const char *script, u32 i)
{
	const char *text = run_text(load, config, script);

	for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1) {
		char *end;
		double x = strtod(line, &end);

		if (end != line && *end == '\n' && !i--)
			return x;
	}
	if (text)
		fail("%s under %s: too few numbers are printed", load ? load : paper->name, config);
	return NAN;
}

double stat_of(const struct run *r, const char *name)
{
	const json_t *v = json_object_get(r->values, name);

	if (!v)
		fail("a run has no statistic '%s'", name);
	return json_number_value(v);
}

/* Is of a run of this load only the beginning wanted? */
static bool is_cut(const char *load)
{
	return quick && paper->quick.cycles && !strchr(load, '/');
}

double value(const char *load, const char *config, const char *names)
{
	char script[64] = "run\n", word[MAX_WORD];
	const struct run *r;
	double sum = 0;

	if (paper->stands_for)
		config = paper->stands_for(load, config);
	if (is_cut(load))
		snprintf(script, sizeof(script), "goto %u\n", paper->quick.cycles);
	r = run_script(load, config, script);
	while (r && next_word(&names, "+", word))
		sum += stat_of(r, word);
	return r ? sum : NAN;
}

double cycles(const char *load, const char *config)
{
	double n = value(load, config, "cycle");

	return is_cut(load) ? 1e6 * n / value(load, config, "inst.thread") : n;
}

/* What a mean over loads is made of. */
struct gathered {
	u32 n;
	double sum, logs, inverses, most, least;
};

static void gather(struct gathered *g, double x)
{
	g->most = g->n && g->most > x ? g->most : x;
	g->least = g->n && g->least < x ? g->least : x;
	g->sum += x;
	g->logs += log(x);
	g->inverses += 1 / x;
	g->n++;
}

/* Speedups of a configuration over another. */
static struct gathered speedups(const struct ours *o)
{
	struct gathered g = {0};

	EACH_LOAD (load, o->loads)
		gather(&g, cycles(load, o->over) / cycles(load, o->config));
	return g;
}

double gain(const struct ours *o)
{
	struct gathered g = speedups(o);
	double mean = o->number == GEOMETRIC  ? exp(g.logs / g.n)
		      : o->number == HARMONIC ? g.n / g.inverses
					      : g.sum / g.n;

	return 100 * (mean - 1);
}

double gain_most(const struct ours *o)
{
	return speedups(o).most;
}

/* Mean over the loads of names over per under a configuration, in percent; where per is 0, 0. */
static double share_under(const struct ours *o, const char *config)
{
	struct gathered g = {0};

	EACH_LOAD (load, o->loads) {
		double all = value(load, config, o->per), part = value(load, config, o->names);

		gather(&g, all == 0 ? 0 : part / all);
	}
	return 100 * g.sum / g.n;
}

double share(const struct ours *o)
{
	return share_under(o, o->config);
}

double share_more(const struct ours *o)
{
	return share_under(o, o->config) - share_under(o, o->over);
}

static struct gathered values(const struct ours *o)
{
	struct gathered g = {0};

	EACH_LOAD (load, o->loads)
		gather(&g, value(load, o->config, o->names));
	return g;
}

double mean(const struct ours *o)
{
	struct gathered g = values(o);

	return o->number * g.sum / g.n;
}

double least_percent(const struct ours *o)
{
	return 100 * values(o).least;
}

double times(const struct ours *o)
{
	struct gathered g = {0};

	EACH_LOAD (load, o->loads) {
		double over = value(load, o->over, o->names), ours = value(load, o->config, o->names);

		if (over != 0)
			gather(&g, ours / over);
	}
	return g.sum / g.n;
}

double more(const struct ours *o)
{
	return 100 * (times(o) - 1);
}

/* A CSV file, a line for each load: sums of statistics of its runs. */
void columns_write(const struct file *f, FILE *to)
{
	char column[MAX_WORD], name[MAX_WORD], config[MAX_WORD], names[MAX_WORD];
	const char *at = f->columns;

	fprintf(to, "load");
	while (next_word(&at, ";", column)) {
		const char *part = column;

		next_word(&part, "|", name);
		fprintf(to, ",%s", name);
	}
	fprintf(to, "\n");
	EACH_LOAD (load, f->loads) {
		fprintf(to, "%s", load);
		for (at = f->columns; next_word(&at, ";", column);) {
			const char *part = column;

			next_word(&part, "|", name);
			next_word(&part, "|", config);
			next_word(&part, "|", names);
			fprintf(to, ",%.12g", value(load, config, names));
		}
		fprintf(to, "\n");
	}
}
