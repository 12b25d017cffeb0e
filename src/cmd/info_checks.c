/*
 * info_checks.c - info checks: what the checks of the kernels have found up to here, each pair of instructions once.
 *
 * The place shown is that of the first time; `same` counts the writes that put there what was there already: such a
 * race shows nowhere in the results.
 */
#include "events.h"
#include "info.h"
#include "lines.h"
#include "settings.h"

/* Enter what an SM has found into the list, with what others found of the same kind. */
static u32 info_checks_enter(const struct session *s, struct finding *list, u32 n, const struct finding *x)
{
	u32 i = 0;

	while (i < n &&
	       !(list[i].kind == x->kind && list[i].space == x->space && list[i].pc == x->pc && list[i].pc2 == x->pc2 &&
		 s->program.launch[list[i].launch].kernel == s->program.launch[x->launch].kernel))
		i++;
	if (i == n) {
		list[n] = *x;
		return n + 1;
	}
	u64 count = list[i].count + x->count, same = list[i].same + x->same;

	if (x->cycle < list[i].cycle)
		list[i] = *x;
	list[i].count = count;
	list[i].same = same;
	return n;
}

/* In order of first appearance, then of place. */
static int info_checks_earlier(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	return memcmp(x, y, sizeof(*x));
}

/* "12 scale.cu:30: st.shared.f32 [r4], r2" */
static void info_checks_add_place(struct columns *c, const struct kernel *k, u32 pc)
{
	char line[128], text[320];

	if (pc == NONE32) {
		columns_text(c, "");
		return;
	}
	line_place(k, pc, line, sizeof(line));
	snprintf(text, sizeof(text), "%u %s%s%.160s", pc, line, line[0] ? ": " : "", info_text(k, pc));
	columns_text(c, text);
}

/* "CTA 3 warp 1 lane 4" */
static void info_checks_add_thread(struct columns *c, u32 cta, u32 thread)
{
	char text[64];

	snprintf(text, sizeof(text), "CTA %u warp %u lane %u", cta, thread / WARP_LANES, thread % WARP_LANES);
	columns_text(c, thread == 0xffff ? "" : text);
}

/* "b[12]" or "shared 48" */
static void info_checks_add_address(struct columns *c, const struct session *s, const struct finding *x)
{
	const struct buffer *b = x->space == SPACE_GLOBAL ? program_buffer_at(&s->program, x->address, NULL) : NULL;
	char text[160];

	if (b)
		snprintf(text, sizeof(text), "%.64s[%llu]", safe_text(b->name),
			 ((x->address - b->address) / max_u32(value_type_size[b->type], 1)));
	else
		snprintf(text, sizeof(text), "%s %llu", x->space == SPACE_SHARED ? "shared" : "address", x->address);
	columns_text(c, x->kind == FINDING_BARRIERS ? "" : text);
}

/* The table. */
static void info_checks_table(struct session *s, const struct finding *list, u32 n)
{
	struct columns c;

	columns_open(&c, s, "finding count same_value first kernel address thread at other_thread other");
	for (u32 i = 0; i < n; i++) {
		const struct finding *x = &list[i];
		const struct kernel *k = s->program.launch[x->launch].kernel;

		columns_row(&c, finding_name[x->kind], x->count, x->same, x->cycle + 1, safe_text(k->name));
		info_checks_add_address(&c, s, x);
		info_checks_add_thread(&c, x->cta, x->thread);
		info_checks_add_place(&c, k, x->pc);
		info_checks_add_thread(&c, x->cta2, x->thread2);
		info_checks_add_place(&c, k, x->pc2);
	}
	columns_close(&c, "findings", "nothing found so far");
}

/* info checks */
static void info_checks_show(struct session *s)
{
	u32 sms = sim_config(&s->sim)->gpu_sms, n = 0;
	struct finding *list;
	u64 dropped = 0;

	if (!(s->sim.shadow & (SHADOW_RACES | SHADOW_WRITTEN | SHADOW_BARRIERS))) {
		check_on(s, EVENT_RACE);
		check_on(s, EVENT_UNINITIALISED);
		check_on(s, EVENT_BARRIER_MIX);
	}
	list = xmalloc((u64)sms * MAX_FINDINGS * sizeof(*list));
	for (u32 i = 0; i < sms; i++) {
		const struct findings *f = shadow_findings(&s->sim, i);

		for (u32 k = 0; f && k < f->n; k++)
			n = info_checks_enter(s, list, n, &f->item[k]);
		dropped += f ? f->dropped : 0;
	}
	qsort(list, n, sizeof(*list), info_checks_earlier);
	info_checks_table(s, list, n);
	if (dropped)
		session_print(s, "%llu more findings at other instructions did not fit in the list\n", dropped);
	free(list);
}

const struct info info_checks = {
	.name = "checks",
	.doc = "findings of check.races, check.uninitialized and check.barriers",
	.needs_machine = true,
	.show = info_checks_show,
};
