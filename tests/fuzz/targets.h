/*
 * targets.h - what the fuzzers feed: a command script, a PTX text, an expression; sessions.h and traces.h have more.
 * Used by the fuzzers (fuzz_*.c) and by tests/unit/test_fuzz.c, which replays the inputs in tests/fuzz/crashes.
 *
 * Deviations from a real sitting: nothing is written, files are read below scenarios/ only (guard.h), runs end at
 * FUZZ_CYCLES, and inputs that merely ask for much memory or many repetitions are passed over.
 */
#ifndef WARPSTEP_FUZZ_TARGETS_H
#define WARPSTEP_FUZZ_TARGETS_H

#include "guard.h"

#include "ptx.h"
#include "expr.h"
#include "lang.h"
#include "policy.h"
#include "settings.h"
#include "trace.h"
#include "session_ops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUZZ_CYCLES 2000

/* The stage on which commands and expressions play. */
static const char fuzz_scene[] =
	"gpu tiny\nmodule kernels/vecadd.ptx\nbuffer a f32[64] iota\nbuffer b f32[64] iota 5\nbuffer c f32[64]\n"
	"launch vecadd grid 2 block 32 args a b c 64\n";

/* A session in which nothing that is said is shown. */
static inline void fuzz_session_open(struct session *s)
{
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	session_open(s, &all_session_ops);
	s->out = nowhere;
	s->batch = true;
	s->max_cycles = FUZZ_CYCLES;
}

/* The same with the stage set. */
static inline void fuzz_open(struct session *s)
{
	struct error e = {0};

	fuzz_session_open(s);
	if (command_run_line(s, fuzz_scene, "scenarios/fuzz.scn", 1, &e))
		die("the stage of the fuzzers: %s", e.message);
}

/* Does an input name a number that only costs memory or time? Those of more than eleven digits are refused early. */
static inline bool fuzz_costs(const char *text)
{
	u32 most = strstr(text, "repeat") || strstr(text, "define") || strstr(text, "functional") ? 2 : 5, run = 0;

	for (; *text; text++) {
		run = isxdigit((u8)*text) || *text == 'x' ? run + 1 : 0;
		if (run > most && run < 12 && isdigit((u8)text[1 - (int)run]))
			return true;
		if (isdigit((u8)*text) && strchr("eEkMG", text[1]) && text[1])
			return true;
	}
	return false;
}

/* Run an input as the lines of a scenario. */
static inline void fuzz_command(const u8 *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct session s;
	struct error e = {0};

	if (!fuzz_costs(text)) {
		fuzz_open(&s);
		s.json = size && data[size - 1] % 4 == 0;
		command_run_line(&s, text, "scenarios/fuzz.scn", 1, &e);
		session_close(&s);
	}
	free(text);
}

/* A warp of kernel `k` with a buffer of 4096 bytes for every pointer; pointers and numbers are all that parameters
 * hold. */
static inline void fuzz_launch(struct program *p, const struct kernel *k)
{
	struct launch *l = xcalloc(1, sizeof(*l));
	u64 address = STORE_GLOBAL_BASE;

	p->buffer = xcalloc(1, sizeof(*p->buffer));
	p->buffer[0] = (struct buffer){
		.name = xstrdup("b"), .type = VALUE_U8, .count = 4096, .address = address, .bytes = 4096};
	p->nbuffer = 1;
	p->global_bytes = 4096;
	*l = (struct launch){.kernel = k,
			     .name = xstrdup(k->name),
			     .grid = {1, 1, 1},
			     .block = {WARP_LANES, 1, 1},
			     .regs = max_u32(k->regs, 1),
			     .dynamic_shared = 64,
			     .param = xcalloc(k->param_bytes + 1, 1)};
	for (u32 i = 0; i < k->nparam; i++)
		memcpy(l->param + k->param[i].offset, &address, min_u32(k->param[i].size, 8));
	launch_prepare(l);
	p->launch = l;
	p->nlaunch = 1;
}

/* Run a launch on a small machine; whether it ended well. */
static inline bool fuzz_simulate(const struct program *p, struct sim *s)
{
	struct policy_choice policy;
	struct config c;
	struct error e = {0};

	policy_default(&policy);
	config_default(&c);
	c.gpu_sms = 1;
	c.l2_bytes = 4096;
	if (sim_open(s, &c, &policy, p, &e))
		return false;
	for (u32 i = 0; i < 20000 && !sim_finished(s); i++) {
		sim_skip(s, 20000);
		sim_cycle(s);
	}
	return sim_finished(s) && !sim_faulted(s) && !sim_deadlocked(s);
}

/* What a kernel leaves in memory must be the same with and without timing. */
static inline void fuzz_run(struct program *p, const struct kernel *k)
{
	struct functional_result count;
	struct error e = {0};
	struct store st;
	struct sim sim;

	if (k->nreloc || kernel_context_bytes(k) > 1 << 20 || k->static_shared > 1 << 16 || k->param_bytes > 1 << 12)
		return;
	fuzz_launch(p, k);
	store_init(&st, 1, 1, p->global_bytes);
	memset(&sim, 0, sizeof(sim));
	if (!functional_run(p, &st, 500, &count, &e) && fuzz_simulate(p, &sim) && !k->reads_time &&
	    memcmp(store_page_read(&st, STORE_GLOBAL_BASE), store_page_read(&sim.store, STORE_GLOBAL_BASE), STORE_PAGE))
		die("a kernel left different memory with and without timing");
	sim_close(&sim);
	store_free(&st);
}

/* Load an input as PTX; run the first kernel of a module that is accepted. */
static inline void fuzz_ptx(const u8 *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct program p = {0};
	struct module *m = NULL;
	struct error e = {0};

	if (!ptx_load_text("fuzz.ptx", text, strlen(text), &m, &e)) {
		p.module = xcalloc(1, sizeof(*p.module));
		p.module[p.nmodule++] = m;
		if (m->nkernel)
			fuzz_run(&p, &m->kernel[0]);
		program_free(&p);
	} else if (!e.message[0]) {
		die("a module was refused without a word");
	}
	free(text);
}

/* Compile an input as an expression and evaluate it on a machine that has run a little. */
static inline void fuzz_expr(const u8 *data, size_t size)
{
	static struct session s;
	char *text = xstrndup((const char *)data, size);
	struct expr *x = NULL;
	struct text out = {0};
	struct error e = {0};
	struct value v;

	if (!s.lang) {
		fuzz_open(&s);
		if (command_run_line(&s, "step 300", "scenarios/fuzz.scn", 1, &e))
			die("the stage of the fuzzers: %s", e.message);
	}
	if (!expr_compile(&s, text, &x, &e)) {
		if (!expr_eval(&s, x, NULL, &v, &e))
			value_format(v, size ? "\0xduotfc"[data[0] % 8] : 0, &out);
		expr_free(x);
	} else if (!e.message[0]) {
		die("an expression was refused without a word");
	}
	text_free(&out);
	free(text);
}

#endif
