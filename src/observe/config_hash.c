/*
 * config_hash.c - what ran, in 64 bits: settings, policies, kernels, launches and inputs, written out and hashed.
 *
 * Settings of the host are left out: they never change a result.
 */
#include "control.h"
#include "schemes.h"
#include "stats.h"
#include "synth.h"
#include "trace.h"

#include <xxhash.h>

/* n bytes as their own hash. */
static void hash_bytes(struct text *t, const char *what, const void *bytes, u64 n)
{
	u64 h = bytes && n ? XXH3_64bits(bytes, n) : 0;

	text_add(t, "%s %llu %016llx\n", what, n, h);
}

/* Settings that the machine sees, those at their row's default left out so that a new one changes no hash, and so for
 * the policies. */
static void hash_settings(struct text *t, const struct session *s)
{
	const struct config *c = s->live ? sim_config(&s->sim) : &s->config;
	struct policy_choice p = s->policy;

	if (s->live)
		sim_get_policy(&s->sim, &p);
	for (int i = 0; i < SETTING_COUNT; i++)
		if (!(setting_table[i].flags & FLAG_HOST) && config_get(c, (enum setting_id)i) != setting_table[i].def)
			text_add(t, "%s=%u\n", setting_table[i].name, config_get(c, (enum setting_id)i));
	text_add(t, "policy ");
	policy_text(&p, true, t);
	text_add(t, "\n");
}

/* The numbers that make a synthetic kernel. */
static void hash_synth(struct text *t, const struct synth *y)
{
	text_add(t, "synth %u %u %u %u %u %u %u %u %llu %u %u %u %llx\n", y->body, y->iterations, y->iterations_spread,
		 y->distance, y->regs, y->shared, y->access, y->stride, y->footprint, y->diverge, y->barrier_every,
		 y->idempotent, y->base);
	if (y->time || y->context)
		text_add(t, "time %llu %u %u context %u\n", y->time, y->steps, y->stagger, y->context);
	for (int i = 0; i < CLASS_COUNT; i++) /* classes that came later: only where they are meant */
		if (i <= CLASS_FENCE || y->mix[i])
			text_add(t, "%u ", y->mix[i]);
}

/* A kernel's instructions and resources. */
static void hash_kernel(struct text *t, const struct kernel *k)
{
	text_add(t, "kernel %s %u %u %u %u %u\n", kernel_symbol(k), k->ninst, k->regs, k->preds, k->static_shared,
		 k->local_bytes);
	for (u32 i = 0; i < k->ninst; i++)
		text_add(t, "%s\n", kernel_text(k, i));
	hash_bytes(t, "imm", k->imm, (u64)k->nimm * sizeof(*k->imm));
	if (k->module)
		hash_bytes(t, "constants", k->module->constants, k->module->nconstants);
	if (k->synth)
		hash_synth(t, k->synth);
	if (k->trace)
		text_add(t, "trace %llu %016llx\n", k->trace->records, k->trace->hash);
	if (k->trace && k->trace->bits)
		hash_bytes(t, "control bits", k->trace->bits, k->ninst * sizeof(*k->trace->bits));
}

/* What is launched and when. */
static void hash_launch(struct text *t, const struct launch *l)
{
	text_add(t, "launch %u,%u,%u %u,%u,%u regs %u shared %u stream %u priority %u at %llu every %llu\n", l->grid[0],
		 l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->regs, l->shared, l->stream,
		 l->priority, l->at, l->every);
	if (l->sms)
		text_add(t, "sms %u deadline %llu\n", l->sms, l->deadline);
	if (l->restart)
		text_add(t, "restart\n");
	for (u32 i = 0; i < l->points; i++)
		text_add(t, "curve %u\n", l->curve[i]);
	if (l->alone)
		text_add(t, "alone %u\n", l->alone);
}

/* What a launch gives its kernel. */
static void hash_arguments(struct text *t, const struct launch *l)
{
	const struct host_loop *h = &l->loop;

	hash_bytes(t, "args", l->param, l->kernel->param_bytes);
	if (h->present)
		text_add(t, "loop %u %u %llx %lld %a %u %llx %llu %u\n", h->type, h->compare, h->address, h->value_int,
			 h->value_real, h->max, h->reset_address, h->reset_bytes, h->iteration_param);
}

/* What is to be hashed goes on; the text is used up. */
static void hash_on(XXH3_state_t *state, struct text *t)
{
	XXH3_64bits_update(state, t->s, t->len);
	text_clear(t);
}

/* Are two kernels the same, so that one text says both? */
static bool same_kernel(const struct kernel *a, const struct kernel *b)
{
	return a && (a == b || (a->trace && a->trace == b->trace));
}

/* All launches, each with its kernel. */
static void hash_launches(XXH3_state_t *state, const struct program *p, struct text *t)
{
	const struct kernel *last = NULL;
	struct text kernel = {0};

	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct kernel *k = p->launch[i].kernel;

		hash_launch(t, &p->launch[i]);
		if (!same_kernel(last, k)) {
			text_clear(&kernel);
			hash_kernel(&kernel, k);
		}
		last = k;
		text_addn(t, kernel.s, kernel.len);
		hash_arguments(t, &p->launch[i]);
		hash_on(state, t);
	}
	text_free(&kernel);
}

u64 session_config_hash(const struct session *s)
{
	const struct program *p = &s->program;
	XXH3_state_t *state = XXH3_createState();
	struct text t = {0};
	u64 h;

	XXH3_64bits_reset(state);
	hash_settings(&t, s);
	hash_on(state, &t);
	hash_launches(state, p, &t);
	for (u32 i = 0; i < p->nbuffer; i++) {
		const struct buffer *b = &p->buffer[i];

		text_add(&t, "buffer %s %s %llu %llx\n", b->name, value_type_name[b->type], b->count, b->address);
		hash_bytes(&t, "init", b->init, b->bytes);
		hash_on(state, &t);
	}
	h = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	text_free(&t);
	return h;
}
