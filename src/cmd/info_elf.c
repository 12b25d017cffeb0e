/*
 * info_elf.c - info elf [KERNEL]: the program points by which policy elf knows the distance to the next load, their
 * scores, and what merging did to them; of all launched kernels, or of one.
 */
#include "info.h"
#include "arguments.h"
#include "machine.h"
#include "points.h"

static const char *const kind_name[] = {[POINT_LOAD] = "load", [POINT_BRANCH] = "branch", [POINT_JUMP] = "jump"};

/* The points that went into a load, "3, 7"; "-": none. */
static void info_elf_merged(struct columns *c, const struct points *p, u32 pc)
{
	struct text t = {0};

	for (u32 i = 0; i < p->nmerge; i++)
		if (p->merge[i].into == pc)
			text_add(&t, "%s%u", t.len ? ", " : "", p->merge[i].gone);
	columns_text(c, t.len ? t.s : NULL);
	text_free(&t);
}

/* One point. */
static void info_elf_row(struct columns *c, const struct kernel *k, const struct points *p, const struct point *x)
{
	columns_row(c, x->pc, kind_name[x->kind], x->score,
		    x->kind == POINT_LOAD ? NULL
		    : p->way[x->pc]	  ? "target"
					  : "next",
		    x->kind == POINT_LOAD ? NO_NUMBER : k->inst[x->pc].target);
	info_elf_merged(c, p, x->pc);
	columns_text(c, info_text(k, x->pc));
}

/* What merging did, step by step. */
static void info_elf_merges(struct session *s, const struct points *p)
{
	struct columns c;

	if (!p->nmerge)
		return;
	columns_open(&c, s, "step removed into distance score");
	for (u32 i = 0; i < p->nmerge; i++) {
		const struct point_merge *x = &p->merge[i];

		columns_row(&c, i + 1, x->gone);
		if (x->into == NONE32) {
			columns_row(&c, "dropped", NO_NUMBER, NO_NUMBER);
			continue;
		}
		columns_row(&c, x->into, x->distance, x->score);
	}
	columns_close(&c, "merges", "");
}

/* One kernel. */
static void info_elf_kernel(struct session *s, const struct kernel *k)
{
	struct points *p = points_under(k, sim_config(&s->sim));
	struct columns c;

	session_print(
		s,
		"%s: %u loads, %u branches (%u do not affect the distance): %u program points, %u after merging (elf.points %u, distances up to %u)\n",
		safe_text(k->name), p->loads, p->branches, p->useless, p->loads + p->branches - p->useless, p->n,
		sim_config(&s->sim)->elf_points, p->most);
	columns_open(&c, s, "pc kind score direction target merged instruction");
	for (u32 i = 0; i < p->n; i++)
		info_elf_row(&c, k, p, &p->point[i]);
	columns_close(&c, "points", "no program points: all warps are equally far from a load");
	info_elf_merges(s, p);
	points_free(p);
}

/* Is a launch's kernel that of one before it? */
static bool info_elf_again(const struct program *p, u32 launch)
{
	for (u32 i = 0; i < launch; i++)
		if (p->launch[i].kernel == p->launch[launch].kernel)
			return true;
	return false;
}

/* All kernels that are launched, one row each. */
static void info_elf_all(struct session *s)
{
	struct columns c;

	columns_open(&c, s, "kernel instructions loads branches useless found points dropped");
	for (u32 i = 0; i < s->program.nlaunch; i++) {
		const struct kernel *k = s->program.launch[i].kernel;
		struct points *p;

		if (info_elf_again(&s->program, i))
			continue;
		p = points_under(k, sim_config(&s->sim));
		columns_row(&c, safe_text(k->name), k->ninst, p->loads, p->branches, p->useless,
			    p->loads + p->branches - p->useless, p->n, p->dropped);
		points_free(p);
	}
	columns_close(&c, "kernels", "no kernel is launched");
}

/* info elf [KERNEL] */
static enum status info_elf_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct launch *l;
	const struct kernel *k;
	enum status st = ntokens ? info_alone(token + 1, ntokens - 1, e) : STATUS_OK;

	if (st)
		return st;
	if (!ntokens && s->program.nlaunch != 1) {
		info_elf_all(s);
		return STATUS_OK;
	}
	st = kernel_take(s, ntokens ? token->s : "0", ntokens ? token->column : 0, &k, &l, e);
	if (st)
		return st;
	info_elf_kernel(s, k);
	return STATUS_OK;
}

const struct info info_elf = {
	.name = "elf",
	.usage = "[KERNEL]",
	.doc = "program points of a kernel: the loads and branches from which the policy elf derives the distance to the next load",
	.needs_machine = true,
	.run = info_elf_run,
};
