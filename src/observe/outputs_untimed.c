/* outputs_untimed.c - what a run without timing prints, kept as it comes, and put in order of launch, CTA and warp. */
#include "ops.h"
#include "outputs.h"

#define MOST_BYTES (16u << 20) /* of records and their text */

/* A call of one lane is kept. */
static void keep(struct outputs_untimed *o, const struct front_env *env, const struct inst *in, u32 lane)
{
	size_t bytes;
	struct print_result p;
	struct output_record *r;

	front_print(env, in, lane, &p);
	bytes = sizeof(*r) + p.length;
	if (o->bytes + bytes > MOST_BYTES) {
		o->lost++;
		return;
	}
	o->call = array_grow(o->call, o->n, sizeof(*o->call));
	r = xmalloc(bytes);
	*r = (struct output_record){.launch = (u32)(env->launch - env->program->launch),
				    .cta = env->cta,
				    .pc = (u32)(in - env->launch->kernel->inst),
				    .thread = env->warp * WARP_LANES + lane,
				    .sm = NONE16,
				    .warp = (u16)env->warp,
				    .lane = (u8)lane,
				    .failed = in->op == OP_ASSERT,
				    .problem = p.problem,
				    .length = (u16)p.length,
				    .value = p.value};
	memcpy(r + 1, p.text, p.length);
	o->call[o->n] = (struct untimed_call){.record = r, .iteration = o->ear.iteration, .number = o->n};
	o->n++;
	o->bytes += bytes;
}

/* functional_ear.print */
static void hear(struct functional_ear *ear, const struct front_env *env, const struct inst *in, u32 mask)
{
	struct outputs_untimed *o = (void *)((u8 *)ear - offsetof(struct outputs_untimed, ear));

	for (u32 left = mask; left; left &= left - 1)
		keep(o, env, in, (u32)__builtin_ctz(left));
}

void outputs_untimed_open(struct outputs_untimed *o)
{
	*o = (struct outputs_untimed){.ear = {.print = hear}};
}

/* By launch, iteration, CTA, warp, then as they came. */
static int compare(const void *a, const void *b)
{
	const struct untimed_call *x = a, *y = b;
	const struct output_record *p = x->record, *q = y->record;

	return ORDER_BY({p->launch, q->launch}, {x->iteration, y->iteration}, {p->cta, q->cta}, {p->warp, q->warp},
			{x->number, y->number});
}

void outputs_untimed_sort(struct outputs_untimed *o)
{
	if (o->n)
		qsort(o->call, o->n, sizeof(*o->call), compare);
}

void outputs_untimed_close(struct outputs_untimed *o)
{
	for (u32 i = 0; i < o->n; i++)
		free(o->call[i].record);
	free(o->call);
}
