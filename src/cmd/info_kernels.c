/* info_kernels.c - info kernels: the launches, in order, and how far each is. */
#include "info.h"
#include "machine.h"

static const char *const state_name[] = {"waiting", "running", "done"};

/* A number of x, y, z as "4x4" or "16". */
static void info_kernels_add_shape(struct columns *c, const u32 n[3])
{
	char text[48];

	if (n[2] > 1)
		snprintf(text, sizeof(text), "%ux%ux%u", n[0], n[1], n[2]);
	else if (n[1] > 1)
		snprintf(text, sizeof(text), "%ux%u", n[0], n[1]);
	else
		snprintf(text, sizeof(text), "%u", n[0]);
	columns_text(c, text);
}

/* One row. */
static void info_kernels_row(struct columns *c, struct session *s, u32 i)
{
	const struct launch *l = &s->program.launch[i];
	const struct launch_run *run = (struct launch_run *)machine_gpu_section(s->sim.m, SECTION_LAUNCH) + i;

	columns_row(c, i, safe_text(l->name));
	info_kernels_add_shape(c, l->grid);
	info_kernels_add_shape(c, l->block);
	columns_row(c, l->regs, l->shared, run->state < ARRAY_LEN(state_name) ? state_name[run->state] : "-",
		    run->next_cta, run->finished, l->ctas, run->iteration, run->issued, sim_launch_cycles(&s->sim, i));
}

/* info kernels */
static void info_kernels_show(struct session *s)
{
	struct columns c;
	u32 n = min_u32(s->program.nlaunch, s->sim.m->section[SECTION_LAUNCH].count);

	sim_sync(&s->sim);
	columns_open(&c, s,
		     "kernel name grid block regs shared_bytes state dispatched retired ctas iteration issued cycles");
	for (u32 i = 0; i < n; i++)
		info_kernels_row(&c, s, i);
	columns_close(&c, "kernels", "no kernel is launched");
}

const struct info info_kernels = {
	.name = "kernels",
	.doc = "launches: shape, resources, progress",
	.needs_machine = true,
	.show = info_kernels_show,
};
