/*
 * info_maestro.c - info maestro: the kernels that policy maestro divides SMs between, what the last epoch has measured
 * of each way to do it, what was decided, and which SM has which role. With more than two kernels also the pairs: the
 * SMs of each, what it has come to, whose turn it is.
 */
#include "epochs.h"
#include "info.h"

/* Where it stands: moving or measuring, and since when. */
static void info_maestro_phase(struct session *s, const struct maestro_state *m)
{
	struct text t = {0};

	epochs_phase(&s->sim, &t);
	session_print(s, "%s", t.s);
	text_free(&t);
	session_print(s, "; decisions so far: %llu spatial, %llu equal shares, %llu other shares%s\n",
		      m->own->epochs_apart, m->own->epochs_even, m->own->epochs_other,
		      m->own->steady ? "; steady: the dedicated SMs follow, too" : "");
}

/* The kernels: CTAs wanted of each in an SM that follows, how fast they are alone, what kernels of that name came to.
 */
static void info_maestro_kernels(struct session *s, const struct maestro_state *m)
{
	const struct sched_view *v = sim_look(&s->sim, 0, 0);
	struct columns c;

	columns_open(&c, s, "kernel name trial ctas isolated remembered");
	for (u32 k = 0; k < m->own->kernels; k++) {
		struct maestro_sm follower = {.role = ROLE_FOLLOWER, .pair = k / 2};
		u32 launch = maestro_launch(m->kernel, k / 2, k % 2);
		u32 wanted = maestro_wanted(s->sim.m, v->launch, v->run, &follower, k % 2);
		u32 before = maestro_before(s->sim.m, &v->launch[launch], launch);
		bool single = maestro_launch(m->kernel, k / 2, 1) == NONE32;

		columns_row(&c, launch, safe_text(s->program.launch[launch].name),
			    !single && maestro_pair(m, k / 2).trial == k % 2 ? "yes" : "-");
		if (wanted == NONE32)
			columns_text(&c, "any");
		else
			columns_int(&c, wanted);
		columns_row(&c, m->kernel[k].cycles ? epochs_alone(s->sim.m, k) : NO_REAL,
			    before != NONE32 ? before : NO_NUMBER);
	}
	columns_close(&c, "kernels", "");
}

/* The pairs of kernels, if there are several. */
static void info_maestro_pairs(struct session *s, const struct maestro_state *m)
{
	struct columns c;

	if (m->own->kernels < 3)
		return;
	columns_open(&c, s, "pair kernels sms spatial steady turn");
	for (u32 p = 0; 2 * p < m->own->kernels; p++) {
		struct maestro_pair pair = maestro_pair(m, p);
		struct text t = {0};

		epochs_pair(&s->sim, p, &t);
		columns_row(&c, p, t.s, maestro_sms(s->sim.m, p), pair.apart ? "yes" : "-", pair.steady ? "yes" : "-",
			    maestro_turn(m->own, p) ? "yes" : "-");
		text_free(&t);
	}
	columns_close(&c, "pairs", "");
}

/* What the last epoch has measured, option by option. */
static void info_maestro_options(struct session *s, const struct maestro_state *m)
{
	static const char *const name[] = {"spatial", "unchanged", "one CTA more", "one CTA less"};
	struct columns c;

	columns_open(&c, s, "option first second antt stp decided");
	for (u32 i = 0; i < OPTION_COUNT; i++) {
		const struct maestro_option *x = &m->option[i];

		if (!x->first)
			continue;
		columns_row(&c, name[i], (double)x->first / MAESTRO_ONE, (double)x->second / MAESTRO_ONE,
			    maestro_antt(x), maestro_stp(x), m->own->decided == i ? "yes" : "-");
	}
	columns_close(&c, "options", "no epoch has been measured yet");
}

/* Which SM has which role: a letter each. */
static void info_maestro_roles(struct session *s, const struct maestro_state *m)
{
	struct text t = {0};

	for (u32 i = 0; i < s->sim.m->config.gpu_sms; i++)
		text_add(&t, "%c%s",
			 m->sm[i].role == ROLE_DEDICATED ? (m->sm[i].kernel ? '1' : '0') : ".-+-f"[m->sm[i].role],
			 i % 10 == 9 ? " " : "");
	session_print(
		s,
		"SMs: %s   0, 1: dedicated to the first or second kernel  +: tries one CTA more  -: one CTA less  f: follower\n",
		t.s);
	text_clear(&t);
	for (u32 i = 0; m->own->kernels > 2 && i < s->sim.m->config.gpu_sms; i++)
		text_add(&t, "%u%s", (u32)m->sm[i].pair, i % 10 == 9 ? " " : "");
	if (t.len)
		session_print(s, "of:  %s   pair that the SM serves\n", t.s);
	text_free(&t);
}

/* info maestro */
static enum status info_maestro_run(struct session *s, const struct token *token UNUSED, u32 ntokens UNUSED,
				    struct error *e)
{
	struct maestro_state m;

	if (!(policy_in(&s->sim.m->policy, POLICY_partition) >> SCHEME_maestro & 1))
		return error_set(e, STATUS_FAILED, "policy maestro is not selected (use `policy partition=maestro`)");
	m = maestro_state(s->sim.m);
	if (m.own->phase == PHASE_OFF) {
		session_print(s, "at most one kernel is running, and it has all SMs\n");
		return STATUS_OK;
	}
	info_maestro_phase(s, &m);
	info_maestro_pairs(s, &m);
	info_maestro_kernels(s, &m);
	info_maestro_options(s, &m);
	info_maestro_roles(s, &m);
	return STATUS_OK;
}

const struct info info_maestro = {
	.name = "maestro",
	.doc = "policy maestro: measured value of each partition of SMs, decisions, and the role of each SM",
	.needs_machine = true,
	.run = info_maestro_run,
};
