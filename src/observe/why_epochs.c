/*
 * why_epochs.c - what policy maestro does with an SM: its role, how far the epoch is, what was decided of what, and how
 * fast the two kernels are there, by what SMs of their own issue. With more than two kernels, of which pair the SM is.
 */
#include "epochs.h"
#include "why_parts.h"

/* How fast a kernel is in the SM. */
static void add_speed(const struct why *w, u32 k, struct text *out)
{
	u64 launch = maestro_state(w->m).kernel[k].launch - 1;
	double slowdown = epochs_slowdown(w->sim, w->sm, k);

	if (slowdown > 0)
		text_add(out, "%s%s %.2f", out->len ? ", " : "", safe_text(w->sim->program->launch[launch].name),
			 slowdown);
}

void why_epochs(struct why *w)
{
	struct text line = {0};
	const struct maestro *own;

	if (!epochs_run(w->m))
		return;
	own = maestro_state(w->m).own;
	text_add(&line, "SM %u ", w->sm);
	if (own->kernels > 2) {
		text_add(&line, "runs CTAs of ");
		epochs_pair(w->sim, (u32)maestro_state(w->m).sm[w->sm].pair, &line);
		text_add(&line, " and ");
	}
	epochs_role(w->sim, w->sm, &line);
	text_add(&line, "; ");
	epochs_phase(w->sim, &line);
	why_number(why_say(w, 1, "role", "%s", line.s), "role", maestro_state(w->m).sm[w->sm].role);
	text_clear(&line);
	for (u32 k = 0; k < own->kernels; k++)
		add_speed(w, k, &line);
	if (line.len)
		why_say(w, 1, "slowdown", "slowdown on this SM in this epoch, relative to SMs of their own: %s",
			line.s);
	text_clear(&line);
	epochs_options(w->m, &line);
	if (line.len && own->kernels > 2) {
		text_add(&line, "; of ");
		epochs_pair(w->sim, own->last, &line);
	}
	if (line.len)
		why_number(why_say(w, 1, "decision", "decision of epoch %u: %s", own->epochs, line.s), "decided",
			   own->decided);
	text_free(&line);
}
