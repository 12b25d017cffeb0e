/*
 * pane_source.c - the CUDA source of the focused warp's kernel: the warps of the SM and the heat of each line, and the
 * PTX: beside it where there is room, else below the line on which the cursor or the focused warp stands.
 *
 * An instruction belongs to its own line if that is in the file shown, else to the line of that file at which its
 * function stands, however deep. Conservation: the warps on the lines, those elsewhere and those that have ended are
 * the resident warps of the kernel. Without the text the lines that have instructions are shown with them.
 */
#include "code.h"
#include "source_text.h"

#define BESIDE_WIDTH 110 /* columns from which the PTX stands beside the source */

/* clang-format off */
static const struct grid_column source_column[] = {
	{.name = "mark", .heading = "b", .width = 1},
	{.name = "line", .width = 5, .right = true},
	{.name = "source", .width = 24, .wide = true},
	{.name = "warps", .width = 14, .drop = 1},
	HEAT_COLUMNS,
};
static const struct grid_column ptx_column[] = {
	{.name = "mark", .heading = "b", .width = 1},
	{.name = "pc", .width = 5, .right = true},
	{.name = "line", .width = 5, .drop = 3, .right = true},
	{.name = "instruction", .width = 20, .wide = true},
	{.name = "warps", .width = 10, .drop = 2},
	HEAT_COLUMNS,
};
/* clang-format on */

/* A listing by lines of one file. */
struct page {
	struct listing l;
	const struct source_text *text; /* of the file; NULL: no line is known */
	u32 file, nlines;		/* lines that there are, or the last with an instruction */
	u32 *line, *head, *next;	/* line of instruction pc, 0 none; the first of a line and those behind it */
	u32 open;			/* the line whose instructions are shown, too; 0: none */
	bool wide;
};

/* The innermost line of an instruction in a file; 0: it has none. */
static u32 pane_source_line(const struct kernel *k, u32 pc, u32 file)
{
	struct source_frame f;

	for (u32 i = 0; source_frame(k, pc, i, &f); i++)
		if (f.file == file)
			return f.line;
	return 0;
}

/* The file to show for an instruction: the innermost that can be read, else its own. False: it has no line. */
static bool pane_source_file(const struct pane_view *v, const struct kernel *k, u32 pc, u32 *file)
{
	struct source_frame f;

	for (u32 i = 0; source_frame(k, pc, i, &f); i++) {
		const struct source_text *t = source_text(v->session, k->module, f.file);

		*file = i ? *file : f.file;
		if (t && t->path) {
			*file = f.file;
			return true;
		}
	}
	return source_frame(k, pc, 0, &f);
}

/* Which file: the cursor's, that of the focused warp's instruction, of the first that has one. */
static bool pane_source_choose(const struct page *p, u32 *file)
{
	const struct kernel *k = p->l.kernel;

	if (p->l.v->cursor != NO_CURSOR) {
		*file = (u32)(p->l.v->cursor >> 32);
		return true;
	}
	if (p->l.pc < k->ninst && pane_source_file(p->l.v, k, p->l.pc, file))
		return true;
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (pane_source_file(p->l.v, k, pc, file))
			return true;
	return false;
}

/* Instructions by line, the last first, so that each goes before those of its line. */
static void pane_source_sort(struct page *p)
{
	const struct kernel *k = p->l.kernel;

	p->line = xcalloc(k->ninst + 1, sizeof(u32));
	p->next = xcalloc(k->ninst + 1, sizeof(u32));
	for (u32 pc = 0; pc < k->ninst; pc++) {
		p->line[pc] = pane_source_line(k, pc, p->file);
		p->nlines = max_u32(p->nlines, p->line[pc]);
	}
	p->nlines = min_u32(p->nlines, 1u << 20);
	p->head = xmalloc((p->nlines + 1) * sizeof(u32));
	memset(p->head, 0xff, (p->nlines + 1) * sizeof(u32));
	for (u32 pc = k->ninst; pc-- > 0;) {
		u32 *head = p->line[pc] <= p->nlines ? &p->head[p->line[pc]] : &p->head[0];

		p->next[pc] = *head;
		*head = pc;
	}
}

/* Look at the kernel as lines. */
static void pane_source_open(struct page *p, const struct pane_view *v)
{
	*p = (struct page){.wide = v->width >= BESIDE_WIDTH && !v->plain};
	listing_open(&p->l, v);
	if (pane_source_choose(p, &p->file))
		p->text = source_text(v->session, p->l.kernel->module, p->file);
	p->nlines = p->text ? p->text->nlines : 0;
	pane_source_sort(p);
	if (v->cursor != NO_CURSOR)
		p->open = (u32)v->cursor;
	else if (p->l.pc < p->l.kernel->ninst)
		p->open = p->line[p->l.pc];
}

static void pane_source_close(struct page *p)
{
	free(p->line);
	free(p->head);
	free(p->next);
}

bool source_at(const struct pane_view *v, u64 *at, u64 *last)
{
	struct page p;
	bool any;

	pane_source_open(&p, v);
	any = p.nlines > 0;
	*at = v->cursor != NO_CURSOR ? v->cursor : (u64)p.file << 32 | max_u32(p.open, 1);
	*last = (u64)p.file << 32 | p.nlines;
	pane_source_close(&p);
	return any;
}

/* What belongs to a line is gathered: its mark, its warps, its heat. */
static char pane_source_gather(struct page *p, u32 line, struct text *warps, struct line_count *count)
{
	char mark = '\0';

	for (u32 pc = p->head[line]; pc != NONE32; pc = p->next[pc]) {
		static const char order[] = ":db!";
		char one = listing_mark(&p->l, pc);

		if (one && (!mark || strchr(order, one) > strchr(order, mark)))
			mark = one;
		listing_warps(&p->l, pc, warps);
		if (p->l.heat)
			listing_count(&p->l, pc, count);
	}
	return mark;
}

/* A line of the source. */
static void pane_source_row(struct grid *g, struct page *p, u32 line)
{
	struct line_count count = {0};
	struct text warps = {0};
	char mark = pane_source_gather(p, line, &warps, &count);
	bool any = p->head[line] != NONE32;

	if (p->l.pc < p->l.kernel->ninst && p->line[p->l.pc] == line)
		grid_focus(g);
	if (p->l.v->cursor != NO_CURSOR && (u32)p->l.v->cursor == line)
		grid_cursor(g);
	listing_mark_cell(g, p->l.v, mark);
	grid_int(g, any ? STYLE_PLAIN : STYLE_DIM, line);
	grid_text(g, STYLE_PLAIN, p->text && line <= p->text->nlines ? safe_text(p->text->line[line - 1]) : "");
	listing_control(g, &p->l, NONE32);
	grid_text(g, STYLE_PLAIN, warps.s ? warps.s : "");
	for (u32 i = 0; p->l.heat && !any && i < HEAT_COUNT; i++)
		grid_none(g);
	if (p->l.heat && any)
		listing_heat(g, &p->l, &count);
	text_free(&warps);
}

/* An instruction below its line; its warps have been counted there, unless it has none. */
static void pane_source_below(struct grid *g, struct page *p, u32 pc, bool counted)
{
	u32 standing = p->l.standing;
	struct line_count count = {0};
	struct text warps = {0};

	listing_warps(&p->l, pc, &warps);
	if (counted)
		p->l.standing = standing;
	listing_mark_cell(g, p->l.v, listing_mark(&p->l, pc));
	grid_text(g, STYLE_DIM, "");
	grid_print(g, STYLE_DIM, "  %s%3u %s", pc == p->l.pc ? "▸" : " ", pc,
		   view_instruction(p->l.v, p->l.launch, pc));
	listing_control(g, &p->l, pc);
	grid_text(g, STYLE_DIM, warps.s ? warps.s : "");
	if (p->l.heat) {
		listing_count(&p->l, pc, &count);
		listing_heat(g, &p->l, &count);
	}
	text_free(&warps);
}

/* All rows: lines, with the instructions of the open one; of each line in the plain text, and without a source. */
static void pane_source_rows(struct grid *g, struct page *p)
{
	bool read = p->text && p->text->path;

	for (u32 line = 1; line <= p->nlines; line++) {
		if (!read && p->head[line] == NONE32)
			continue;
		pane_source_row(g, p, line);
		if (read && (p->wide || line != p->open) && !p->l.v->plain)
			continue;
		for (u32 pc = p->head[line]; pc != NONE32; pc = p->next[pc])
			pane_source_below(g, p, pc, true);
	}
	for (u32 pc = p->head[0]; pc != NONE32; pc = p->next[pc]) {
		struct text unseen = {0};

		if (!p->nlines)
			pane_source_below(g, p, pc, false);
		else
			listing_warps(&p->l, pc, &unseen);
		text_free(&unseen);
	}
}

/* The line that row `row` of the list is of, as the rows were added; 0: none. */
static u32 pane_source_line_of(const struct page *p, u32 row)
{
	bool read = p->text && p->text->path;

	for (u32 line = 1; line <= p->nlines; line++) {
		if (!read && p->head[line] == NONE32)
			continue;
		if (!row--)
			return line;
		if (read && (p->wide || line != p->open))
			continue;
		for (u32 pc = p->head[line]; pc != NONE32; pc = p->next[pc])
			if (!row--)
				return line;
	}
	return 0;
}

/* A click puts the cursor on the line, or on that of the instruction. */
static void pane_source_point(const struct pane_view *v, const struct pane_spot *at, u64 *cursor,
			      struct text *text UNUSED)
{
	struct page p;
	u32 line;

	if (at->row == NONE32 || !v->sim->program->nlaunch)
		return;
	pane_source_open(&p, v);
	line = at->beside ? p.line[at->row] : pane_source_line_of(&p, at->row);
	if (line)
		*cursor = (u64)p.file << 32 | line;
	pane_source_close(&p);
}

/* The lines below: the inlined functions in which the focused warp is; why there is no text. */
static void pane_source_note(struct sheet *s, const struct page *p)
{
	const struct kernel *k = p->l.kernel;
	const char *name = source_name(k->module, p->file);
	struct source_frame f;

	if (!p->nlines)
		text_add(&s->note, "%s: no source lines in the PTX (nvcc -lineinfo or clang -g writes them as .loc)\n",
			 safe_text(k->name));
	else if (!p->text || !p->text->path)
		text_add(&s->note, "%s: cannot read the file (`directory DIR` adds a folder; tried %s)\n",
			 name ? safe_text(name) : "the source", p->text ? safe_text(p->text->tried) : "nothing");
	if (!source_frame(k, p->l.pc, 0, &f) || !f.outer)
		return;
	text_add(&s->note, "w%u: ", p->l.v->focus.warp);
	source_chain(k, p->l.pc, &s->note);
	text_add(&s->note, "\n");
}

/* The title. */
static void pane_source_title(struct sheet *s, const struct page *p)
{
	const struct listing *l = &p->l;
	const char *name = p->text ? source_name(l->kernel->module, p->file) : NULL;

	text_add(&s->focus, "%s%s%s", safe_text(l->kernel->name), name ? " " : "", name ? safe_text(name) : "");
	text_add(&s->say, "source of %s%s%s, SM %u: %u warps resident, %u finished", safe_text(l->kernel->name),
		 name ? " in " : "", name ? safe_text(name) : "", l->v->focus.sm, l->resident, l->done);
	if (l->pc < l->kernel->ninst)
		text_add(&s->sum, "w%u line %u", l->v->focus.warp, p->line[l->pc]);
	sheet_sum(s, "warps", l->standing + l->done, l->standing + l->done == l->resident);
}

static void pane_source_fill(struct sheet *s, const struct pane_view *v)
{
	struct page p;
	struct grid *g;

	if (!v->sim->program->nlaunch) {
		sheet_grid(s, "source", source_column, ARRAY_LEN(source_column) - HEAT_COUNT);
		return;
	}
	pane_source_open(&p, v);
	p.l.control &= !p.wide; /* they stand beside */
	g = listing_grid(s, "source", source_column, ARRAY_LEN(source_column), &p.l);
	pane_source_rows(g, &p);
	pane_source_title(s, &p);
	pane_source_note(s, &p);
	pane_source_close(&p);
}

/* The PTX: all of it, with the instructions of the open line set off. */
static void pane_source_beside(struct sheet *s, const struct pane_view *v)
{
	struct page p;
	struct grid *g;

	if (!v->sim->program->nlaunch)
		return;
	pane_source_open(&p, v);
	g = listing_grid(s, "ptx", ptx_column, ARRAY_LEN(ptx_column), &p.l);
	for (u32 pc = 0; pc < p.l.kernel->ninst; pc++) {
		enum style style = p.open && p.line[pc] == p.open ? STYLE_KEY : STYLE_DIM;
		struct line_count count = {0};
		struct source_frame at = {0};
		struct text warps = {0};

		if (pc == p.l.pc)
			grid_focus(g);
		if (v->cursor != NO_CURSOR && p.open && p.open <= p.nlines && pc == p.head[p.open])
			grid_cursor(g);
		listing_warps(&p.l, pc, &warps);
		listing_mark_cell(g, v, listing_mark(&p.l, pc));
		grid_int(g, style, pc);
		source_user(p.l.kernel, pc, &at);
		grid_known(g, STYLE_DIM, at.line, at.line);
		grid_text(g, style, view_instruction(v, p.l.launch, pc));
		listing_control(g, &p.l, pc);
		grid_text(g, STYLE_PLAIN, warps.s ? warps.s : "");
		if (p.l.heat) {
			listing_count(&p.l, pc, &count);
			listing_heat(g, &p.l, &count);
		}
		text_free(&warps);
	}
	text_add(&s->focus, "%s", safe_text(p.l.kernel->name));
	pane_source_close(&p);
}

const struct pane pane_source = {
	.name = "source",
	.summary = "CUDA source with the warps and the stalls of each line, and its PTX",
	.legend =
		"b: breakpoint (d: disabled; `:`: of its source line; !: the program faulted here)   warps: warps of the SM at an instruction of the line; *4: warp 4 issued one in this cycle\n"
		"below a line, or at the right: its PTX with the number of each instruction (`break pc N`, `break FILE:LINE`)\n"
		"w0: ... inlined at ...: the functions that the focused warp is in, the innermost first\n"
		"`set stats.lines on` (H) adds issued (times), stall (percent of the kernel's stalls), for (most frequent state)\n"
		"`set code.heat blocks` (K) shows instead: pipe, percent of the pipeline stalls at this line; block, percent of those that this line causes\n"
		"control, reuse: with issue.dependences control, the control bits of each instruction, as in `info control`\n"
		"`directory DIR` adds a folder in which source files are looked for",
	.point = pane_source_point,
	.ask = "list, break FILE:LINE, next, set stats.lines on",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 10},
	.fill = pane_source_fill,
	.beside = pane_source_beside,
	.beside_width = BESIDE_WIDTH,
};
