/*
 * floor_memory.c - the memory below the tiles of the pane `floor`: L2 slices and DRAM channels as bars of what
 * waits and of the bandwidth that is used, the traffic before each as density. Where there are more slices than cells,
 * a cell is the mean of several.
 */
#include "floor_plan.h"

#include "machine.h"

#define NAME 12u  /* cells of a row's name */
#define WORDS 22u /* and of its words */

const char *const floor_row_name[FLOOR_ROWS] = {
	[FLOOR_TO_L2] = "SMs - L2",    [FLOOR_L2_QUEUE] = "L2 queues",	   [FLOOR_L2_LOOKUPS] = "L2 lookups",
	[FLOOR_TO_DRAM] = "L2 - DRAM", [FLOOR_DRAM_QUEUE] = "DRAM queues", [FLOOR_DRAM_BUS] = "DRAM bus"};

/* The order in which rows are left out where there is no room: the last first. */
static const u8 keep[FLOOR_ROWS] = {FLOOR_DRAM_BUS, FLOOR_L2_LOOKUPS, FLOOR_DRAM_QUEUE,
				    FLOOR_L2_QUEUE, FLOOR_TO_L2,      FLOOR_TO_DRAM};

static bool floor_is_traffic(enum floor_row row)
{
	return row == FLOOR_TO_L2 || row == FLOOR_TO_DRAM;
}
static bool floor_is_queue(enum floor_row row)
{
	return row == FLOOR_L2_QUEUE || row == FLOOR_DRAM_QUEUE;
}

bool floor_draws(const struct floor_plan *p, enum floor_row row)
{
	for (u32 i = 0; i < p->memory; i++)
		if (keep[i] == row)
			return true;
	return false;
}

/* The row of a hop of `follow`; FLOOR_ROWS: it is in the SM. */
static enum floor_row floor_hop_row(u32 hop)
{
	switch (hop) {
	case HOP_CROSSBAR:
	case HOP_ANSWER: return FLOOR_TO_L2;
	case HOP_L2: return FLOOR_L2_QUEUE;
	case HOP_L2MSHR: return FLOOR_TO_DRAM;
	case HOP_DRAMQUEUE: return FLOOR_DRAM_QUEUE;
	case HOP_DRAM: return FLOOR_DRAM_BUS;
	default: return FLOOR_ROWS;
	}
}

enum floor_row floor_followed(const struct floor_plan *p, const struct follow_spot *spot)
{
	enum floor_row row = floor_hop_row(spot->hop), first;

	if (row == FLOOR_ROWS || floor_draws(p, row))
		return row;
	first = row <= FLOOR_L2_LOOKUPS ? FLOOR_TO_L2 : FLOOR_TO_DRAM;
	for (row = first; row < first + 3; row++)
		if (floor_draws(p, row))
			return row;
	return FLOOR_ROWS;
}

static u32 floor_count(const struct floor_view *f, enum floor_row row)
{
	return row <= FLOOR_L2_LOOKUPS ? f->slices : f->channels;
}

/* What slice or channel i has of it, and how much that could be. */
static double floor_amount(const struct floor_view *f, enum floor_row row, u32 i, double *full)
{
	*full = row <= FLOOR_L2_LOOKUPS ? f->slice_clocks : f->channel_clocks;
	switch (row) {
	case FLOOR_TO_L2: *full *= 2; return (double)(f->slice[i].lookups + f->slice[i].replies);
	case FLOOR_L2_QUEUE: *full = f->slice_room; return f->slice[i].queued;
	case FLOOR_L2_LOOKUPS: return (double)f->slice[i].lookups;
	case FLOOR_TO_DRAM: *full *= f->sectors; return (double)f->channel[i].sectors;
	case FLOOR_DRAM_QUEUE: *full = f->channel_room; return f->channel[i].queued;
	default: return (double)f->channel[i].busy;
	}
}

/* The sums of those from `from` to before `to`. */
static double floor_sum(const struct floor_view *f, enum floor_row row, u32 from, u32 to, double *full)
{
	double sum = 0, one;

	*full = 0;
	for (u32 i = from; i < to; i++) {
		sum += floor_amount(f, row, i, &one);
		*full += one;
	}
	return sum;
}

double floor_share(const struct floor_view *f, enum floor_row row)
{
	double full, sum = floor_sum(f, row, 0, floor_count(f, row), &full);

	return full <= 0 ? 0 : sum < full ? sum / full : 1; /* a transfer counts whole when it begins */
}

/* Packets per cycle, requests and replies. */
static void floor_packets(const struct floor_view *f, struct text *out)
{
	u64 lookups = 0, replies = 0;

	for (u32 i = 0; i < f->slices; i++) {
		lookups += f->slice[i].lookups;
		replies += f->slice[i].replies;
	}
	text_add(out, "%.2f in, %.2f out", f->cycles ? (double)lookups / (double)f->cycles : 0,
		 f->cycles ? (double)replies / (double)f->cycles : 0);
}

void floor_words(const struct floor_view *f, const struct pane_view *v, enum floor_row row, struct text *out)
{
	double full, sum = floor_sum(f, row, 0, floor_count(f, row), &full);

	if (floor_is_queue(row))
		text_add(out, "%.0f of %.0f%s", sum, full,
			 full <= 0 || sum / full < FLOOR_LIMIT ? ""
			 : v->plain			       ? ", which is full"
							       : "  full");
	else if (row == FLOOR_TO_L2)
		floor_packets(f, out);
	else if (row == FLOOR_TO_DRAM)
		text_add(out, "%.1f GB/s",
			 f->cycles ? sum / (double)f->cycles * FLOOR_SECTOR * v->sim->m->config.gpu_clock / 1000 : 0);
	else
		text_add(out, "%.0f %%%s", 100 * floor_share(f, row),
			 floor_share(f, row) >= FLOOR_LIMIT ? (v->plain ? ", which limits" : "  limit") : "");
}

/* A level of a bar, or a density. Anything but nothing is seen. */
static u32 floor_cell(bool traffic, double share)
{
	static const u32 dense[] = {' ', 0xb7, 0x2591, 0x2592, 0x2593, 0x2588};
	u32 levels = traffic ? 5 : 8, level = share >= 1 ? levels : share <= 0 ? 0 : (u32)(share * levels + 0.5);

	level = share > 0 && !level ? 1 : level;
	return traffic ? dense[level] : level ? 0x2580 + level : ' ';
}

/* Columns of a row's words. */
static u32 floor_words_width(const struct canvas *c)
{
	return c->width > NAME + WORDS + 8 ? WORDS : 0;
}

/* Bars of a row for n slices or channels, and the columns of each. */
static u32 floor_cells(const struct canvas *c, u32 n, u32 *cells)
{
	u32 words = floor_words_width(c), room = c->width > NAME + words ? c->width - NAME - words : 0;

	*cells = min_u32(n, room);
	return *cells ? min_u32(room / *cells, 4) : 0;
}

/* A row: name, a cell or several for each slice or channel, words. */
static void floor_memory_row(struct canvas *c, const struct pane_view *v, const struct floor_view *f,
			     enum floor_row row, u32 y)
{
	u32 n = floor_count(f, row), words = floor_words_width(c), cells, each = floor_cells(c, n, &cells);
	bool limit = !floor_is_traffic(row) && floor_share(f, row) >= FLOOR_LIMIT;
	struct text text = {0};

	canvas_print(c, 0, y, STYLE_DIM, "%s", floor_row_name[row]);
	for (u32 i = 0; i < cells; i++) {
		double full, sum = floor_sum(f, row, (u32)((u64)i * n / cells), (u32)((u64)(i + 1) * n / cells), &full);
		double share = full > 0 ? sum / full : 0;
		enum style style = floor_is_traffic(row)  ? STYLE_DIM
				   : share >= FLOOR_LIMIT ? STYLE_PIPELINE
							  : STYLE_SHORT;

		for (u32 k = 0; k < each; k++)
			canvas_put(c, NAME + i * each + k, y, floor_cell(floor_is_traffic(row), share), style);
	}
	floor_words(f, v, row, &text);
	if (words)
		canvas_print(c, NAME + cells * each + 1, y, limit ? STYLE_BAD : STYLE_PLAIN, "%s", text.s);
	text_free(&text);
}

/* The sign of what is followed, in the cell of its slice or channel. */
static void floor_memory_followed(struct canvas *c, const struct floor_view *f, enum floor_row row,
				  const struct follow_spot *spot, u32 y)
{
	u32 at = spot->slice != NONE16 ? spot->slice : spot->channel, n = floor_count(f, row), cells, i = 0,
	    each = floor_cells(c, n, &cells);

	while (i + 1 < cells && (u64)(i + 1) * n / cells <= at)
		i++;
	canvas_put(c, NAME + i * each, y, FLOOR_FOLLOWED, STYLE_FOLLOWED);
}

void floor_memory(struct canvas *c, const struct pane_view *v, const struct floor_view *f, const struct floor_plan *p)
{
	struct follow_spot spot;
	enum floor_row at = follow_where(v->session, &spot) ? floor_followed(p, &spot) : FLOOR_ROWS;
	u32 y = p->below;

	for (u32 row = 0; row < FLOOR_ROWS; row++) {
		if (!floor_draws(p, row))
			continue;
		floor_memory_row(c, v, f, row, y);
		if (row == at)
			floor_memory_followed(c, f, row, &spot, y);
		y++;
	}
}
