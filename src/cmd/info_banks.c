/* info_banks.c - info banks: register-file banks and collector units of the focused sub-core. */
#include "info.h"
#include "machine.h"

/* The collector unit at position i of a bank's queue, as "0.2": unit and operand. */
static void info_banks_queue_text(struct session *s, u32 bank, const struct bank *b, char *out, size_t size)
{
	const struct machine *m = s->sim.m;
	u32 room = m->section[SECTION_BANKQ].count / m->section[SECTION_BANK].count;
	const struct bankq *q =
		(struct bankq *)machine_sm_section(s->sim.m, s->focus.sm, SECTION_BANKQ) + (size_t)bank * room;
	size_t n = 0;

	out[0] = '\0';
	for (u32 i = 0; i < b->count && i < room && n + 16 < size; i++) {
		const struct bankq *x = &q[(b->head + i) % room];

		n += (size_t)snprintf(out + n, size - n, "%su%u.%u", i ? " " : "", x->collector, x->operand);
	}
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
	bool reuse = s->sim.m->config.collector_reuse;
	struct columns c;
	char text[256];

	columns_open(&c, s,
		     reuse ? "bank warp register queued conflicts queue kept"
			   : "bank warp register queued conflicts queue");
	for (u32 i = first; i < first + n; i++) {
		columns_int(&c, i - first);
		if (bank[i].granted_context == NONE16) {
			columns_row(&c, NO_NUMBER, NO_NUMBER);
		} else {
			columns_row(&c, bank[i].granted_context, bank[i].granted_register);
		}
		columns_row(&c, bank[i].count, bank[i].conflicts);
		info_banks_queue_text(s, i, &bank[i], text, sizeof(text));
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
	struct columns c;

	columns_open(&c, s, "unit warp operands unread issued_at pc instruction");
	for (u32 i = first; i < first + n; i++) {
		if (x[i].context == NONE16)
			continue;
		columns_row(&c, i - first, x[i].context, x[i].operands, x[i].need, x[i].issued_at + 1, x[i].pc,
			    info_instruction(s, w[x[i].context].launch, x[i].pc));
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
