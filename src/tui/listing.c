/* listing.c - the focused warp's kernel, its warps, stops and stalls by instruction: for the panes code and source. */
#include "code.h"

#include "breaks.h"
#include "policy_elf.h"

/* The launch of the focused warp; else of any warp of the SM; else the first that runs, or the last that has finished.
 */
static u32 find_launch(const struct pane_view *v, const struct warp *warp)
{
	const struct launch_run *run = machine_gpu_section(v->sim->m, SECTION_LAUNCH);
	u32 n = v->sim->program->nlaunch;

	if (warp[v->focus.warp].cta != NONE16)
		return warp[v->focus.warp].launch;
	for (u32 i = 0; i < v->sim->m->contexts; i++)
		if (warp[i].cta != NONE16)
			return warp[i].launch;
	for (u32 i = 0; i < n; i++)
		if (run[i].state == LAUNCH_RUNNING)
			return i;
	for (u32 i = n; i-- > 1;)
		if (run[i].state == LAUNCH_DONE)
			return i;
	return 0;
}

/* Has an instruction a line of the source? */
static bool has_lines(const struct kernel *k)
{
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (k->inst[pc].source_line)
			return true;
	return false;
}

/* Warp-cycles in which warps with their operands ready were stalled on the pipeline at an instruction. */
static u64 pipeline_of(const struct line_count *c)
{
	return c->statuses[WARP_LSU] + c->statuses[WARP_UNIT] + c->statuses[WARP_COLLECTOR];
}

/* All stalls of the kernel, if they are counted. */
static void sum_stalls(struct listing *l)
{
	struct line_count c;

	for (u32 pc = 0; pc < l->kernel->ninst && shadow_line(l->v->sim, l->launch, pc, &c); pc++) {
		l->heat = true;
		l->stalls += line_stalls(&c);
		l->pipeline += pipeline_of(&c);
		l->blocks += c.blocks;
	}
}

/* Columns behind others; as many as there are then. */
static u32 add_columns(struct grid_column *made, u32 n, const struct grid_column *column, u32 more)
{
	memcpy(made + n, column, more * sizeof(*made));
	return n + more;
}

struct grid *listing_grid(struct sheet *s, const char *key, const struct grid_column *column, u32 n,
			  const struct listing *l)
{
	static const struct grid_column blocks[HEAT_COUNT] = {{.name = "issued", .width = 8, .drop = 5, .right = true},
							      {.name = "pipe", .width = 5, .right = true},
							      {.name = "block", .width = 5, .right = true}};
	static const struct grid_column control[CONTROL_CELLS] = {{.name = "control", .width = 19, .drop = 2},
								  {.name = "reuse", .width = 5, .drop = 6}};
	bool by_blocks = l->v->session->config.code_heat == HEAT_BLOCKS;
	struct grid_column made[GRID_COLUMNS];
	u32 text = 0, k;

	n -= HEAT_COUNT;
	while (!column[text].wide)
		text++;
	k = add_columns(made, 0, column, text + 1);
	k = add_columns(made, k, control, l->control ? CONTROL_CELLS : 0);
	k = add_columns(made, k, column + text + 1, n - text - 1);
	k = add_columns(made, k, by_blocks ? blocks : column + n, l->heat ? HEAT_COUNT : 0);
	return sheet_grid_made(s, key, made, k);
}

void listing_control(struct grid *g, const struct listing *l, u32 pc)
{
	const struct control *c = machine_gpu_section(l->v->sim->m, SECTION_CONTROL);
	char text[CONTROL_TEXT], reuse[CONTROL_REUSE_TEXT];
	struct control_bits bits;

	if (!l->control)
		return;
	if (pc == NONE32) {
		for (u32 i = 0; i < CONTROL_CELLS; i++)
			grid_text(g, STYLE_DIM, "");
		return;
	}
	bits = control_bits_of(&c[l->v->sim->control_base[l->launch] + pc]);
	grid_text(g, STYLE_DIM, control_text(&bits, text));
	grid_text(g, STYLE_DIM, control_reuse_text(&bits, reuse));
}

void listing_open(struct listing *l, const struct pane_view *v)
{
	u32 mask;

	*l = (struct listing){.v = v, .warp = machine_sm_section(v->sim->m, v->focus.sm, SECTION_WARP)};
	l->launch = find_launch(v, l->warp);
	l->kernel = v->sim->program->launch[l->launch].kernel;
	l->bare = l->kernel->front == FRONT_TRACE && !has_lines(l->kernel);
	l->control = v->sim->m->config.issue_dependences;
	l->points = elf_decides(v->sim->m) ? v->sim->points[l->launch] : NULL;
	l->pc = sim_warp_pc(v->sim, v->focus.sm, v->focus.warp, &l->mask);
	for (u32 i = 0; i < v->sim->m->contexts; i++) {
		bool mine = l->warp[i].cta != NONE16 && v->sim->kernel[l->warp[i].launch] == l->kernel;

		l->next[i] = mine ? sim_warp_pc(v->sim, v->focus.sm, i, &mask) : NONE32;
		l->issued[i] = mine ? sim_warp_issued(v->sim, v->focus.sm, i, &mask) : NONE32;
		l->resident += mine;
		l->done += mine && !l->warp[i].depth;
	}
	sum_stalls(l);
}

void listing_count(const struct listing *l, u32 pc, struct line_count *out)
{
	struct line_count c = {0};

	shadow_line(l->v->sim, l->launch, pc, &c);
	out->issues += c.issues;
	out->blocks += c.blocks;
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		out->statuses[k] += c.statuses[k];
}

void listing_heat(struct grid *g, const struct listing *l, const struct line_count *c)
{
	u32 most = WARP_DONE;

	if (l->v->session->config.code_heat == HEAT_BLOCKS) {
		grid_int(g, STYLE_DIM, (i64)c->issues);
		grid_share(g, STYLE_PLAIN, share_of(pipeline_of(c), l->pipeline));
		grid_share(g, STYLE_PLAIN, share_of(c->blocks, l->blocks));
		return;
	}
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		if (k != WARP_ISSUED && k != WARP_DONE && c->statuses[k] > c->statuses[most] * (most != WARP_DONE))
			most = k;
	grid_int(g, STYLE_DIM, (i64)c->issues);
	grid_share(g, STYLE_PLAIN, l->stalls ? 100.0 * (double)line_stalls(c) / (double)l->stalls : 0);
	if (most == WARP_DONE)
		grid_none(g);
	else
		grid_letters(g, (u8[]){(u8)most}, 1);
}

/* Did the program fault at an instruction? */
static bool faulted(const struct listing *l, u32 pc)
{
	const struct gpu *g = machine_gpu(l->v->sim->m);

	return g->fault && g->fault_pc == pc && l->v->sim->kernel[g->fault_launch] == l->kernel;
}

/* The mark that a stop puts on an instruction. */
static char mark_of(const struct breakpoint *b, const struct kernel *k, u32 pc)
{
	char mark = '\0';

	for (u32 i = 0; i < b->nspots; i++) {
		const struct spot *p = &b->spot[i];

		if (p->kernel != k || pc < p->pc || pc > p->last)
			continue;
		if (p->pc == pc)
			return b->enabled ? 'b' : 'd';
		mark = ':';
	}
	return mark;
}

char listing_mark(const struct listing *l, u32 pc)
{
	const struct breaks *b = l->v->session->breaks;
	char mark = '\0';

	if (faulted(l, pc))
		return '!';
	for (u32 i = 0; b && i < b->n && mark != 'b'; i++) {
		char one = mark_of(b->list[i], l->kernel, pc);

		if (one && (one != ':' || !mark))
			mark = one;
	}
	return mark;
}

/* The same in words, for the plain text. */
static const char *mark_word(char mark)
{
	return mark == '!'   ? "fault"
	       : mark == 'b' ? "breakpoint"
	       : mark == 'd' ? "disabled breakpoint"
	       : mark == ':' ? "breakpoint of its line"
			     : "";
}

void listing_mark_cell(struct grid *g, const struct pane_view *v, char mark)
{
	if (v->plain) {
		grid_text(g, STYLE_PLAIN, mark_word(mark));
		return;
	}
	grid_text(g, mark == '!' ? STYLE_BAD : mark == ':' ? STYLE_DIM : STYLE_KEY, (char[]){mark, '\0'});
}

/* Add the warps that `at` has at an instruction, small warps that follow each other as 4-7; returns their number. */
static u32 add_warps(const struct listing *l, const u32 *at, u32 pc, const char *mark, struct text *out)
{
	const struct machine *m = l->v->sim->m;
	u32 n = 0;

	for (u32 i = 0, last; i < m->contexts; i = last + 1) {
		last = i;
		if (at[i] != pc)
			continue;
		while (m->parent_shift && last + 1 < m->contexts && at[last + 1] == pc)
			last++;
		n += last + 1 - i;
		text_add(out, last > i ? "%s%s%u-%u" : "%s%s%u", out->len ? " " : "", mark, i, last);
	}
	return n;
}

void listing_warps(struct listing *l, u32 pc, struct text *out)
{
	add_warps(l, l->issued, pc, "*", out);
	l->standing += add_warps(l, l->next, pc, "", out);
}
