/* words.c - what panes share: styles of states and outcomes, shares, names of instructions and launches
 * (sheet.h). */
#include "sheet.h"

enum style status_style(u32 status)
{
	static const u8 style[WARP_STATUS_COUNT] = {
		[WARP_DONE] = STYLE_DONE,	   [WARP_PREEMPTING] = STYLE_HELD, [WARP_SWAPPED] = STYLE_HELD,
		[WARP_BARRIER] = STYLE_BARRIER,	   [WARP_FENCE] = STYLE_BARRIER,   [WARP_FETCH] = STYLE_FETCH,
		[WARP_LONG] = STYLE_LONG,	   [WARP_SHORT] = STYLE_SHORT,	   [WARP_GANG] = STYLE_HELD,
		[WARP_HELD] = STYLE_HELD,	   [WARP_LSU] = STYLE_PIPELINE,	   [WARP_UNIT] = STYLE_PIPELINE,
		[WARP_COLLECTOR] = STYLE_PIPELINE, [WARP_PAUSED] = STYLE_HELD,	   [WARP_ELIGIBLE] = STYLE_ELIGIBLE,
		[WARP_ISSUED] = STYLE_ISSUED};

	return status < WARP_STATUS_COUNT ? (enum style)style[status] : STYLE_DIM;
}

enum style outcome_style(u32 outcome)
{
	static const u8 style[SLOT_OUTCOME_COUNT] = {
		[SLOT_ISSUED] = STYLE_ISSUED, [SLOT_PIPELINE] = STYLE_PIPELINE, [SLOT_SHORT] = STYLE_SHORT,
		[SLOT_FETCH] = STYLE_FETCH,   [SLOT_LONG] = STYLE_LONG,		[SLOT_BARRIER] = STYLE_BARRIER,
		[SLOT_HELD] = STYLE_HELD,     [SLOT_IDLE] = STYLE_DIM};

	return outcome < SLOT_OUTCOME_COUNT ? (enum style)style[outcome] : STYLE_DIM;
}

/* A letter and its word from column x, with room for a sign behind it where more is to come; 0 if they do not fit. */
static u32 legend_word(struct canvas *c, u32 x, u32 y, const char *word, char letter, enum style style)
{
	u32 end = x + 2 + canvas_columns(c, word);

	if (end + 2 >= c->width) {
		canvas_put(c, x, y, 0x2026, STYLE_DIM);
		return 0;
	}
	canvas_put(c, x, y, (u8)letter, style);
	return canvas_text_at(c, x + 2, y, STYLE_DIM, word) + 2;
}

void legend_line(struct canvas *c, u32 y, u32 statuses, u32 outcomes)
{
	u32 x = 1;

	for (u32 i = 1; i <= WARP_STATUS_COUNT && x; i++) /* `done` last */
		if (statuses >> i % WARP_STATUS_COUNT & 1)
			x = legend_word(c, x, y, warp_status_table[i % WARP_STATUS_COUNT].name,
					warp_status_table[i % WARP_STATUS_COUNT].letter,
					status_style(i % WARP_STATUS_COUNT));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT && x; i++) {
		bool said = false;

		for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
			said |= statuses >> k & 1 && warp_status_table[k].letter == slot_outcome_table[i].letter &&
				i != SLOT_IDLE;
		if (outcomes >> i & 1 && !said)
			x = legend_word(c, x, y, slot_outcome_table[i].name, slot_outcome_table[i].letter,
					outcome_style(i));
	}
}

double share_of(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

const char *view_instruction(const struct pane_view *v, u32 launch, u32 pc)
{
	const struct kernel *k =
		launch < v->session->program.nlaunch ? v->session->program.launch[launch].kernel : NULL;

	return k ? safe_text(kernel_text(k, pc)) : "";
}

const char *view_launch(const struct pane_view *v, u32 launch)
{
	return launch < v->session->program.nlaunch ? safe_text(v->session->program.launch[launch].name) : "-";
}
