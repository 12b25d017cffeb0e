/*
 * synth_steps.c - synthetic kernels described by time: each warp waits, step after step.
 *
 * A step writes the register that the next one reads, so many cycles later (ops.def: STEP); the CTA takes the sum, its
 * dispatch and fetches aside, however many share the SM. Of the first wave, CTAs that an SM gets at first, those of an
 * SM stand at the same progress, drawn by a hash for each launch: steps before it are done at once, and count as if
 * they had taken their time. For papers' tables that say of a kernel no more than how long its blocks take. A step
 * stands for whatever a warp waits for; it uses no unit and no memory, and a CTA that is saved in the middle of one
 * does not wait for the rest of it.
 */
#include "ops.h"
#include "synth.h"

enum status synth_steps_check(const struct synth *s, struct error *e)
{
	bool mixed = false;

	for (u32 c = 0; c < CLASS_COUNT; c++)
		mixed |= s->mix[c] != 0;
	if (s->time && (mixed || s->barrier_every || s->diverge != SYNTH_NONE))
		return error_set(e, STATUS_USAGE,
				 "a kernel with `time` only waits: mix, barrier and diverge need a kernel with a body");
	if (s->time && s->time < s->steps)
		return error_set(e, STATUS_USAGE, "time: %llu cycles are fewer than one for each of %u steps", s->time,
				 s->steps);
	if (!s->time && s->stagger)
		return error_set(
			e, STATUS_USAGE,
			"stagger: needs a kernel with `time`, because the progress of other kernels is unknown");
	return STATUS_OK;
}

void synth_steps_make(struct kernel *k, struct text *strings)
{
	for (u32 i = 0; i < k->synth->steps; i++) {
		struct inst *in = &k->inst[k->ninst++];

		*in = (struct inst){.op = OP_STEP,
				    .class = CLASS_CONTROL,
				    .write_pred = {0xff, 0xff},
				    .hazard = {1},
				    .nread = 1,
				    .nwrite = 1,
				    .nsrc = 1,
				    .ndst = 1,
				    .src = {{.kind = OPERAND_REG}},
				    .dst = {{.kind = OPERAND_REG}},
				    .text = (u32)strings->len};
		text_add(strings, "step r0, r0");
		text_addn(strings, "", 1);
	}
}

/* The beginning of a step, in cycles after that of the CTA. */
static u64 begins(const struct synth *s, u64 step)
{
	return s->time / s->steps * step + s->time % s->steps * step / s->steps;
}

/* Steps that lie behind a CTA when it comes. */
static u64 steps_behind(const struct synth *s, const struct synth_cta *cta)
{
	if (!s->stagger || cta->id >= cta->wave)
		return 0;
	return mix64((u64)cta->launch << 32 | (cta->id % cta->sms + 1)) % s->steps;
}

u64 synth_step(const struct synth *s, const struct synth_cta *cta, u32 step)
{
	return step < steps_behind(s, cta) ? 0 : begins(s, step + 1ULL) - begins(s, step);
}

u64 synth_behind(const struct synth *s, const struct synth_cta *cta)
{
	return begins(s, steps_behind(s, cta));
}

u32 synth_step_trips(const struct synth *s)
{
	return (u32)(((u64)s->steps * s->idempotent + 99) / 100);
}
