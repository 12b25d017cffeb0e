/* cmd_launch.c - launch: a kernel, its grid and blocks, its arguments, when and how often. */
#include "complete.h"

#include "launch_args.h"
#include "arguments.h"
#include "synth.h"

#include <errno.h>
#include <stddef.h>

/* A launch being read: its words, the place in them, and which options were given. */
struct reader {
	struct session *s;
	const struct args *a;
	u32 at; /* token to read next */
	struct scene_launch *out;
	bool has_args;
	u32 given; /* bit set of rows of option_row */
};

/* X[,Y[,Z]]: blanks may stand behind the commas. */
static enum status cmd_launch_read_dims(struct reader *r, u32 dim[3], const u32 most[3], const char *what,
					struct error *e)
{
	const struct token *t = &r->a->token[r->at];
	u32 n = 0;

	dim[1] = dim[2] = 1;
	for (;;) {
		const char *at = r->at < r->a->ntokens ? r->a->token[r->at].s : "";
		char *end;

		do {
			unsigned long long v;

			errno = 0;
			v = strtoull(at, &end, 0);
			if (n == 3 || end == at || *at < '0' || *at > '9' || (*end && *end != ','))
				return usage_at(e, t->column, "'%s' is not a %s size (X or X,Y or X,Y,Z)",
						r->at < r->a->ntokens ? token_shown(t->s) : "", what);
			if (!v || errno || v > most[n])
				return usage_at(e, t->column, "%s %s: %.20s is out of range (1 to %u)", what,
						(const char *const[]){"x", "y", "z"}[n], at, most[n]);
			dim[n++] = (u32)v;
			at = end + 1;
		} while (*end && *at);
		r->at++;
		if (!*end)
			return STATUS_OK;
	}
}

static enum status cmd_launch_read_grid(struct reader *r, struct error *e)
{
	static const u32 most[3] = {0x7fffffff, 65535, 65535};
	u32 *g = r->out->launch.grid, column = r->a->token[r->at - 1].column;
	enum status st = cmd_launch_read_dims(r, g, most, "grid", e);

	if (!st && (u64)g[0] * g[1] > 0x7fffffff / g[2])
		return usage_at(e, column, "grid %u,%u,%u: too many CTAs (limit: 2147483647)", g[0], g[1], g[2]);
	return st;
}

static enum status cmd_launch_read_block(struct reader *r, struct error *e)
{
	static const u32 most[3] = {1024, 1024, 64};
	const struct kernel *k = r->out->launch.kernel;
	u32 *b = r->out->launch.block, column = r->a->token[r->at - 1].column, threads, limit = 1;
	enum status st = cmd_launch_read_dims(r, b, most, "block", e);

	threads = st ? 0 : b[0] * b[1] * b[2];
	if (threads > 1024)
		return usage_at(e, column, "block %u,%u,%u: %u threads are too many (limit: 1024)", b[0], b[1], b[2],
				threads);
	for (u32 i = 0; i < 3; i++)
		limit *= k->maxntid[i] ? k->maxntid[i] : 1;
	if (k->maxntid[0] && threads > limit)
		return usage_at(e, column, "%s: %u threads per block are too many (.maxntid: %u)", safe_text(k->name),
				threads, limit);
	return st;
}

/* A whole number from least to most at the reader's place. */
static enum status cmd_launch_read_number(struct reader *r, u64 least, u64 most, u64 *out, struct error *e)
{
	const struct token *t = &r->a->token[r->at];
	char *end;

	errno = 0;
	*out = strtoull(t->s, &end, 0);
	if (end == t->s || *end || *t->s < '0' || *t->s > '9' || errno || *out < least || *out > most)
		return usage_at(e, t->column, "'%s' is out of range (a whole number from %llu to %llu)",
				token_shown(t->s), least, most);
	r->at++;
	return STATUS_OK;
}

static enum status cmd_launch_read_args(struct reader *r, struct error *e)
{
	r->has_args = true;
	return launch_args(r->s, r->a, &r->at, &r->out->launch, e);
}

static enum status cmd_launch_read_shared(struct reader *r, struct error *e)
{
	u64 n;
	enum status st = cmd_launch_read_number(r, 0, 1 << 20, &n, e);

	r->out->launch.dynamic_shared += (u32)n;
	return st;
}

static enum status cmd_launch_read_regs(struct reader *r, struct error *e)
{
	u32 column = r->a->token[r->at].column, needs = r->out->launch.kernel->regs;
	u64 n;
	enum status st = cmd_launch_read_number(r, 1, MAX_REGS, &n, e);

	if (!st && n < needs)
		return usage_at(e, column, "%s: needs at least %u registers per thread (`regs` can only give more)",
				safe_text(r->out->launch.kernel->name), needs);
	r->out->launch.regs = r->out->regs = (u32)n;
	return st;
}

static enum status cmd_launch_read_as(struct reader *r, struct error *e UNUSED)
{
	free(r->out->launch.name);
	r->out->launch.name = xstrdup(r->a->token[r->at++].s);
	return STATUS_OK;
}

/* N,N,...: how fast it is with 1, 2, ... CTAs on an SM. */
static enum status cmd_launch_read_curve(struct reader *r, struct error *e)
{
	const struct token *t = &r->a->token[r->at++];
	struct launch *l = &r->out->launch;
	const char *at = t->s;
	char *end;

	do {
		unsigned long v = strtoul(at, &end, 10);

		if (end == at || *at < '0' || *at > '9' || (*end && *end != ',') || !v || v > 10000)
			return usage_at(e, t->column,
					"'%s' is not a curve (numbers from 1 to 10000, separated by commas)",
					token_shown(t->s));
		if (l->points == LAUNCH_POINTS)
			return usage_at(e, t->column, "curve: too many points (limit: %u, one for each CTA of an SM)",
					LAUNCH_POINTS);
		l->curve[l->points++] = (u16)v;
		at = end + 1;
	} while (*end);
	return STATUS_OK;
}

/* A time: kept as text, since the clock may be set later; it must be one now. zero: the option of which
 * it may not be 0, NULL: it may. */
static enum status cmd_launch_read_time(struct reader *r, char **out, const char *zero, struct error *e)
{
	const struct token *t = &r->a->token[r->at++];
	enum status st;
	u64 cycles;

	st = session_time(r->s, t->s, &cycles, e);
	if (!st && zero && !cycles)
		st = error_set(e, STATUS_USAGE, "%s: the time must be above 0", zero);
	if (st) {
		e->column = t->column;
		return st;
	}
	*out = xstrdup(t->s);
	return STATUS_OK;
}

static enum status cmd_launch_read_at(struct reader *r, struct error *e)
{
	return cmd_launch_read_time(r, &r->out->at, NULL, e);
}
static enum status cmd_launch_read_every(struct reader *r, struct error *e)
{
	return cmd_launch_read_time(r, &r->out->every, "every", e);
}
static enum status cmd_launch_read_deadline(struct reader *r, struct error *e)
{
	return cmd_launch_read_time(r, &r->out->deadline, "deadline", e);
}

static enum status cmd_launch_read_restart(struct reader *r, struct error *e UNUSED)
{
	r->out->launch.restart = true;
	return STATUS_OK;
}

static enum status cmd_launch_read_while(struct reader *r, struct error *e)
{
	return launch_loop(r->s, r->a, &r->at, &r->out->launch.loop, e);
}

/* The options: what follows each and what it does; how it is read, or, without `read`, the number it is, from least to
 * most, and where in the launch it goes; `alone`: nothing need follow it. */
static const struct option {
	const char *name, *value, *doc;
	enum status (*read)(struct reader *r, struct error *e);
	bool alone;
	u32 least, most;
	size_t at; /* of a u32 in struct launch */
} option_row[] = {
	{"grid", "X[,Y[,Z]]", "CTAs of the grid", .read = cmd_launch_read_grid},
	{"block", "X[,Y[,Z]]", "threads of a CTA", .read = cmd_launch_read_block},
	{"args", "...", "arguments of the kernel", .read = cmd_launch_read_args, .alone = true},
	{"shared", "BYTES", "dynamic shared memory per CTA", .read = cmd_launch_read_shared},
	{"regs", "N", "registers per thread, at least as many as the kernel needs", .read = cmd_launch_read_regs},
	{"as", "NAME", "name of the launch (default: that of the kernel)", .read = cmd_launch_read_as},
	{"stream", "N", "stream; launches of different streams may overlap (default 0)", .most = 1023,
	 .at = offsetof(struct launch, stream)},
	{"at", "TIME", "time of the launch", .read = cmd_launch_read_at},
	{"every", "TIME", "period of a launch that is repeated", .read = cmd_launch_read_every},
	{"sms", "N", "number of SMs requested, for policy partition=even or partition=smart", .least = 1, .most = 256,
	 .at = offsetof(struct launch, sms)},
	{"deadline", "TIME",
	 "time after its release at which an instance (`every`, `sms`) that has not ended is killed",
	 .read = cmd_launch_read_deadline},
	{"restart", "", "repetition of the stream, with its buffers reset, until all other streams have ended once",
	 .read = cmd_launch_read_restart, .alone = true},
	{"priority", "N", "priority in the dispatch of CTAs, larger numbers first (default 0)", .most = 1023,
	 .at = offsetof(struct launch, priority)},
	{"alone", "PERCENT", "percentage of issue slots used in an isolated run, for policies kernel-fair and smkw",
	 .least = 1, .most = 100, .at = offsetof(struct launch, alone)},
	{"curve", "N,N,...", "speed with 1, 2, ... CTAs on an SM, for policy ws", .read = cmd_launch_read_curve},
	{"while", "CONDITION",
	 "host loop: launch again while BUFFER[INDEX] OP VALUE, read after each launch, is true, up to N launches in all (`max N`); `reset BUFFER` zeroes a buffer before each launch",
	 .read = cmd_launch_read_while},
};

const char *launch_word(u32 i)
{
	return i < ARRAY_LEN(option_row) ? option_row[i].name : NULL;
}

/* The row of a word; the number of rows: it is no option. */
static u32 cmd_launch_option(const char *word)
{
	u32 i = 0;

	while (i < ARRAY_LEN(option_row) && strcmp(word, option_row[i].name))
		i++;
	return i;
}

bool launch_keyword(const char *word)
{
	return cmd_launch_option(word) < ARRAY_LEN(option_row);
}

/* A word that is no option: all there are. */
static enum status cmd_launch_refuse_word(const struct token *t, struct error *e)
{
	char known[256];
	size_t n = 0;

	for (u32 i = 0; i < ARRAY_LEN(option_row) && n < sizeof known; i++)
		n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", option_row[i].name);
	return usage_at(e, t->column, "'%s' is not an option of `launch` (options: %s)", token_shown(t->s), known);
}

/* An option that is a number goes where its row says. */
static enum status cmd_launch_read_u32(struct reader *r, const struct option *o, struct error *e)
{
	u64 n;
	enum status st = cmd_launch_read_number(r, o->least, o->most, &n, e);

	if (!st)
		*(u32 *)((char *)&r->out->launch + o->at) = (u32)n;
	return st;
}

/* One option and its words. */
static enum status cmd_launch_read_option(struct reader *r, struct error *e)
{
	const struct token *t = &r->a->token[r->at];
	u32 i = cmd_launch_option(t->s);
	const struct option *o = &option_row[i];

	if (i == ARRAY_LEN(option_row))
		return cmd_launch_refuse_word(t, e);
	if (r->given >> i & 1)
		return usage_at(e, t->column, "'%s' is given twice", t->s);
	r->given |= 1u << i;
	r->at++;
	if (r->at == r->a->ntokens && !o->alone)
		return usage_at(e, t->column, "missing value after '%s'", t->s);
	return o->read ? o->read(r, e) : cmd_launch_read_u32(r, o, e);
}

/* What must be there is there; the rest of the launch follows from it. */
static enum status cmd_launch_complete(struct reader *r, struct error *e)
{
	struct launch *l = &r->out->launch;
	const struct kernel *k = l->kernel;

	if (!l->grid[0] || !l->block[0])
		return error_set(e, STATUS_USAGE,
				 "%s: missing %s (usage: `launch NAME grid X[,Y[,Z]] block X[,Y[,Z]] args ...`)",
				 safe_text(k->name), l->grid[0] ? "block" : "grid");
	if (r->out->deadline && (!r->out->every || !l->sms))
		return error_set(e, STATUS_USAGE,
				 "%s: a deadline needs '%s' (it counts from each release, with N SMs requested)",
				 safe_text(k->name), r->out->every ? "sms N" : "every TIME");
	if (r->out->deadline && k->grid_sync)
		return error_set(
			e, STATUS_USAGE,
			"%s: synchronizes its grid, so 'deadline' is not allowed (a killed instance would leave the grid's barrier half full)",
			safe_text(k->name));
	if (r->out->deadline && l->loop.present)
		return error_set(e, STATUS_USAGE, "%s: 'deadline' and 'while' cannot be combined", safe_text(k->name));
	if (l->restart && (r->out->every || l->loop.present))
		return error_set(e, STATUS_USAGE,
				 "%s: '%s' and 'restart' cannot be combined (each sets how often the launch runs)",
				 safe_text(k->name), r->out->every ? "every" : "while");
	if (!r->has_args && k->nparam)
		return launch_refuse(k, "missing args", 0, e);
	if (!r->has_args)
		l->param = xcalloc(1, k->param_bytes + 8u);
	if (!r->has_args)
		l->loop.iteration_param = ~0u;
	launch_prepare(l);
	if (k->synth && k->synth->context && l->warps * WARP_LANES * l->regs * 4 + l->shared > k->synth->context)
		return error_set(e, STATUS_USAGE,
				 "%s: registers and shared memory of a CTA have %u bytes, more than its context of %u",
				 safe_text(k->name), l->warps * WARP_LANES * l->regs * 4 + l->shared,
				 k->synth->context);
	return STATUS_OK;
}

/* Free what a refused launch holds. */
static void cmd_launch_reader_free(struct scene_launch *l)
{
	launch_free(&l->launch);
	free(l->at);
	free(l->every);
	free(l->deadline);
}

/* Another kernel for a launch, which takes the same arguments. */
static enum status cmd_launch_change_entry(struct session *s, const struct token *t, struct launch *l, struct error *e)
{
	const struct kernel *k = scene_kernel(s, t->s, e), *was = l->kernel;
	bool same = k && k->front == was->front && k->nparam == was->nparam;
	struct text wants = {0};

	if (!k) {
		e->column = t->column;
		return STATUS_USAGE;
	}
	for (u32 i = 0; i < k->nparam && same; i++)
		same = k->param[i].size == was->param[i].size && k->param[i].offset == was->param[i].offset;
	launch_signature(&wants, k);
	if (!same)
		error_at(e, STATUS_USAGE, NULL, 0, t->column, "%s does not take the arguments of %s", wants.s,
			 safe_text(was->name));
	text_free(&wants);
	l->kernel = k;
	return same ? STATUS_OK : STATUS_USAGE;
}

enum status launch_change(struct session *s, const struct token *word, struct launch *l, struct error *e)
{
	static const char *const may[] = {"entry",  "grid", "block",	"shared", "regs",
					  "stream", "sms",  "priority", "alone"};
	const struct token line[2] = {word[0], word[1]};
	const struct args a = {.token = line, .ntokens = 2};
	struct scene_launch one = {.launch = *l};
	struct reader r = {.s = s, .a = &a, .out = &one};
	enum status st;
	u32 i = 0;

	while (i < ARRAY_LEN(may) && strcmp(may[i], word[0].s))
		i++;
	if (i == ARRAY_LEN(may))
		return usage_at(e, word[0].column,
				"'%s' cannot be changed in a launch (entry, grid, block, shared, regs, stream, sms, "
				"priority and alone can)",
				token_shown(word[0].s));
	if (!strcmp(word[0].s, "shared"))
		one.launch.dynamic_shared = 0;
	st = strcmp(word[0].s, "entry") ? cmd_launch_read_option(&r, e)
					: cmd_launch_change_entry(s, &word[1], &one.launch, e);
	for (u32 d = 0; d < 3; d++)
		one.launch.tid[d] = NULL;
	one.launch.warp_mask = NULL;
	if (!st) {
		launch_prepare(&one.launch);
		*l = one.launch;
	}
	return st;
}

static enum status cmd_launch_run(struct session *s, const struct args *a, struct error *e)
{
	struct scene_launch l = {0};
	struct reader r = {.s = s, .a = a, .at = a->rest, .out = &l};
	enum status st = STATUS_OK;

	l.launch.kernel = scene_kernel(s, a->arg[0].text, e);
	if (!l.launch.kernel) {
		e->column = e->line ? e->column : a->arg[0].column;
		return STATUS_USAGE;
	}
	if (l.launch.kernel->front == FRONT_TRACE)
		return usage_at(e, a->arg[0].column,
				"%s: kernel of a trace (`trace` has launched it as it was recorded)",
				safe_text(l.launch.kernel->name));
	l.launch.regs = l.launch.kernel->regs;
	while (!st && r.at < a->ntokens)
		st = cmd_launch_read_option(&r, e);
	if (!st)
		st = cmd_launch_complete(&r, e);
	if (st) {
		cmd_launch_reader_free(&l);
		return st;
	}
	if (!l.launch.name)
		l.launch.name = xstrdup(l.launch.kernel->name);
	l.file = a->file ? xstrdup(a->file) : NULL;
	l.line = a->line_number;
	*scene_add_launch(s) = l;
	if (s->stale)
		session_print(s, "takes effect at restart\n");
	return STATUS_OK;
}

/* The options, for help. */
static void cmd_launch_rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(option_row); i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s%s%s", option_row[i].name, *option_row[i].value ? " " : "",
			 option_row[i].value);
		help_row(out, name, 15, option_row[i].doc);
	}
}

const struct command command_launch = {
	.name = "launch",
	.group = "setup",
	.summary = "add a kernel launch: grid, blocks, arguments, when and how often",
	.details =
		"NAME is a kernel of a loaded module as its source has it (scale, img::scale<float,4>, fill(int*)), its symbol, or\n"
		"an unambiguous part of its name. Arguments are numbers, buffers (their addresses), textures (their handles),\n"
		"`iteration` (the iteration of a host loop), {TYPE:VALUE,...} for a struct, or `shared BYTES` for an OpenCL\n"
		"pointer to shared memory. They are converted to the parameters' types. Launches run one after the other, unless\n"
		"`stream`, `at` or `every` lets them overlap. Times are in cycles or have a unit (1ms, 200us). `regs` raises the number of registers, for experiments with occupancy. Options:",
	.rows = cmd_launch_rows,
	.examples =
		"launch matmul16 grid 4,4 block 16,16 args a b c 64\n"
		"launch rt grid 15 block 256 every 1ms sms 15 deadline 215us\n"
		"launch bfs grid 8 block 128 args row edge level over 1000 iteration while over[0] != 0 max 100 reset over",
	.flags = COMMAND_SETUP,
	.run = cmd_launch_run,
	.arg = {{"NAME", ARG_WORD, .doc = "kernel", .complete = complete_kernel},
		{"grid X[,Y[,Z]] block X[,Y[,Z]] [args ...] [OPTION ...]", ARG_REST,
		 .doc = "grid, block, arguments and options", .complete = complete_launch}},
};
