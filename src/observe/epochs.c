/*
 * epochs.c - what GPU Maestro does and has decided, in words: for `break epoch`, `why`, panes.
 *
 * Slowdowns are those by which it decides (policy_maestro.h): what SMs of a kernel's own issue of it, over what this SM
 * does.
 */
#include "epochs.h"

static const char *const option_name[OPTION_COUNT] = {"separate SMs", "unchanged", "one more CTA", "one fewer CTA"};

bool epochs_run(const struct machine *m)
{
	return policy_one(m, POLICY_partition) == &scheme_maestro && maestro_state(m).own->phase != PHASE_OFF;
}

/* The name of one of the two kernels of a pair. */
static const char *name_of(const struct sim *sim, u32 pair, u32 k)
{
	return safe_text(sim->program->launch[maestro_launch(maestro_state(sim->m).kernel, pair, k)].name);
}

void epochs_pair(const struct sim *sim, u32 pair, struct text *out)
{
	text_add(out, "%s", name_of(sim, pair, 0));
	if (maestro_launch(maestro_state(sim->m).kernel, pair, 1) != NONE32)
		text_add(out, " and %s", name_of(sim, pair, 1));
}

void epochs_role(const struct sim *sim, u32 sm, struct text *out)
{
	struct maestro_state s = maestro_state(sim->m);
	const struct maestro_sm *x = &s.sm[sm];
	u32 pair = (u32)x->pair;

	if (x->role == ROLE_DEDICATED)
		text_add(out, "is dedicated to %s", name_of(sim, pair, x->kernel));
	else if (x->role == ROLE_FOLLOWER)
		text_add(out, "follows");
	else
		text_add(out, "tries one %s CTA of %s", x->role == ROLE_MORE ? "more" : "fewer",
			 name_of(sim, pair, s.own->trial));
}

void epochs_phase(const struct sim *sim, struct text *out)
{
	const struct maestro *own = maestro_state(sim->m).own;
	u64 now = machine_gpu(sim->m)->cycle;

	if (own->phase == PHASE_UNTRIED) {
		text_add(out, "no trial runs: no pair of kernels has %u SMs", MAESTRO_LEAST_SMS);
		return;
	}
	if (own->kernels > 2) {
		epochs_pair(sim, own->turn, out);
		text_add(out, " are measured now: ");
	}
	if (own->phase == PHASE_MOVING)
		text_add(out, "CTAs have been moving to the new partition since cycle %llu", own->since);
	else
		text_add(out, "epoch %u began in cycle %llu: %llu of %u cycles", own->epochs + 1, own->since,
			 now - min_u64(now, own->since), sim->m->config.maestro_epoch);
}

void epochs_decision(const struct sim *sim, u32 launch, u32 ctas, u32 before, struct text *out)
{
	const char *trial = safe_text(sim->program->launch[launch].name);

	if (ctas)
		text_add(out, "%u CTA%s of %s", ctas, ctas == 1 ? "" : "s", trial);
	else
		text_add(out, "separate SMs for each kernel");
	if (ctas == before)
		text_add(out, ", as before");
	else if (before)
		text_add(out, ", before %u%s%s", before, ctas ? "" : " of ", ctas ? "" : trial);
	else
		text_add(out, ", before separate SMs");
}

/* How good an option is, by what is looked for. */
static void add_option(const struct machine *m, u32 i, struct text *out)
{
	struct maestro_state maestro = maestro_state(m);
	const struct maestro_option *x = &maestro.option[i];
	double worth = m->config.maestro_objective == OBJECTIVE_STP ? maestro_stp(x) : maestro_antt(x);

	text_add(out, worth < 1000 ? "%s %.3f" : "%s over 1000", option_name[i], worth);
}

void epochs_options(const struct machine *m, struct text *out)
{
	struct maestro_state s = maestro_state(m);
	const char *between = "; ";

	if (!s.option[s.own->decided].first)
		return;
	text_add(out, m->config.maestro_objective == OBJECTIVE_STP ? "STP " : "ANTT ");
	add_option(m, s.own->decided, out);
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		if (i == s.own->decided || !s.option[i].first)
			continue;
		text_add(out, "%s", between);
		add_option(m, i, out);
		between = ", ";
	}
}

u32 epochs_kernel(const struct machine *m, u32 launch)
{
	struct maestro_state s = maestro_state(m);

	for (u32 k = 0; k < s.own->kernels; k++)
		if (s.kernel[k].launch == launch + 1ULL)
			return k;
	return NONE32;
}

double epochs_alone(const struct machine *m, u32 k)
{
	struct maestro_state maestro = maestro_state(m);
	const struct maestro_kernel *kernel = &maestro.kernel[k];

	return kernel->cycles ? (double)kernel->issued / (double)kernel->cycles : 0;
}

double epochs_slowdown(const struct sim *sim, u32 sm, u32 k)
{
	struct maestro_state s = maestro_state(sim->m);
	u64 now = machine_gpu(sim->m)->cycle, cycles = now - min_u64(now, s.own->since), issued;

	if (s.own->phase != PHASE_MEASURING || !s.kernel[k].cycles || s.sm[sm].pair != k / 2)
		return 0;
	issued = maestro_issued(sim->m, sm, k % 2);
	return issued ? epochs_alone(sim->m, k) * (double)cycles / (double)issued : 0;
}
