/* info_banks.c - info banks: register-file banks and collector units of the focused sub-core. */
#include "info.h"
#include "machine.h"

#define READS_SHOWN 32

/* The reads that wait at a bank of the focused sub-core, each as "u0.2": unit and operand; how many there are. */
static u32 info_banks_queue_text(struct session *s, u32 bank, char *out, size_t size)
{
	struct bankq read[READS_SHOWN];
	u32 queued = sim_bank_reads(&s->sim, s->focus.sm, s->focus.sub, bank, read, READS_SHOWN);
	size_t n = 0;

	out[0] = '\0';
	for (u32 i = 0; i < queued && i < READS_SHOWN && n + 16 < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%su%u.%u", i ? " " : "", read[i].collector, read[i].operand);
	return queued;
}

/* What the register cache keeps of a bank: "0:w3 r8" for each operand position that has something. */
static void info_banks_kept_text(struct session *s, u32 bank, char *out, size_t size)
{
	const struct reuse *kept = machine_sm_section(s->sim.m, s->focus.sm, SECTION_REUSE);
	size_t n = 0;

	out[0] = '\0';
	for (u32 i = 0; i < REUSE_PLACES && n + 24 < size; i++) {
		const struct reuse *x = &kept[bank * REUSE_PLACES + i];

		if (x->owner)
			n += (size_t)snprintf(out + n, size - n, "%s%u:w%u r%u", n ? " " : "", i, x->owner - 1u,
					      x->reg);
	}
}

/* The banks of the focused sub-core. */
static void info_banks_banks(struct session *s)
{
	u32 n = s->sim.m->config.sm_banks, first = s->focus.sub * n;
	const struct bank *bank = machine_sm_section(s->sim.m, s->focus.sm, SECTION_BANK);
	bool reuse = s->sim.m->config.collector_reuse, ports = s->sim.m->config.collector_allocate;
	struct columns c;
	char text[256], names[64];

	snprintf(names, sizeof(names), "bank %s queued conflicts queue%s", ports ? "taken" : "warp register",
		 reuse ? " kept" : "");
	columns_open(&c, s, names);
	for (u32 i = first; i < first + n; i++) {
		u32 queued = info_banks_queue_text(s, i - first, text, sizeof(text));

		columns_int(&c, i - first);
		if (ports) {
			columns_int(&c, sim_bank_taken(&s->sim, s->focus.sm, s->focus.sub, i - first));
		} else if (bank[i].granted_context == NONE16) {
			columns_row(&c, NO_NUMBER, NO_NUMBER);
		} else {
			columns_row(&c, bank[i].granted_context, bank[i].granted_register);
		}
		columns_row(&c, queued, bank[i].conflicts);
		columns_text(&c, text);
		if (reuse) {
			info_banks_kept_text(s, i, text, sizeof(text));
			columns_text(&c, text);
		}
	}
	columns_close(&c, "banks", "");
}

/* Its collector units. */
static void info_banks_collectors(struct session *s)
{
	u32 n = s->sim.m->config.sm_collectors, first = s->focus.sub * n;
	const struct collector *x = machine_sm_section(s->sim.m, s->focus.sm, SECTION_COLLECTOR);
	const struct warp *w = machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP);
	bool ports = s->sim.m->config.collector_allocate;
	struct columns c;

	columns_open(&c, s,
		     ports ? "unit warp operands unread issued_at stage pc instruction"
			   : "unit warp operands unread issued_at pc instruction");
	for (u32 i = first; i < first + n; i++) {
		if (x[i].context == NONE16)
			continue;
		columns_row(&c, i - first, x[i].context, x[i].operands, x[i].need, x[i].issued_at + 1);
		if (ports)
			columns_text(&c, sim_operand_stage(&s->sim, s->focus.sm, s->focus.sub, i - first));
		columns_row(&c, x[i].pc, info_instruction(s, w[x[i].context].launch, x[i].pc));
	}
	columns_close(&c, "collectors", "all operand collector units are free");
}

/* What the issue order compares of the sub-core's warps, if it goes by a score: the least goes first. */
static void info_banks_scores(struct session *s)
{
	const struct machine *m = s->sim.m;
	const struct slot *slot = machine_sm_section(s->sim.m, s->focus.sm, SECTION_SLOT);
	const struct warp *w = machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP);
	u32 first = s->focus.sub * m->slots_per_sub, mask, n = 0;
	struct columns c;

	for (u32 i = first; i < first + m->slots_per_sub; i++) {
		u32 score = sim_score(&s->sim, s->focus.sm, i), context = slot[i].context, status, pc;

		if (score == NONE32)
			continue;
		if (!n++)
			columns_open(&c, s, "warp score state pc instruction");
		status = sim_warp_status(&s->sim, s->focus.sm, context);
		pc = sim_warp_pc(&s->sim, s->focus.sm, context, &mask);
		columns_row(&c, context, score, status < WARP_STATUS_COUNT ? warp_status_table[status].name : "-", pc,
			    info_instruction(s, w[context].launch, pc));
	}
	if (n)
		columns_close(&c, "scores", "");
}

/* info banks */
static void info_banks_show(struct session *s)
{
	session_print(s, "SM %u sub-core %u, bank = %s mod %u\n", s->focus.sm, s->focus.sub,
		      s->sim.m->config.sm_bank_swizzle ? "(register + warp)" : "register", s->sim.m->config.sm_banks);
	info_banks_banks(s);
	info_banks_collectors(s);
	info_banks_scores(s);
}

const struct info info_banks = {
	.name = "banks",
	.doc = "register banks and operand collector units of the focused sub-core, and the scores of a policy that ranks by score",
	.needs_machine = true,
	.show = info_banks_show,
};
