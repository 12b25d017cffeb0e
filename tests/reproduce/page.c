/*
 * page.c - the figures of papers and ours as one page of HTML, which needs nothing else: a chart of all verdicts, and
 * for each paper its rows with bars, the difference, its reason and the command that shows it.
 */
#include "reproduce.h"

#define WIDE 240 /* pixels of a row's bars */
#define BAR 9	 /* of a bar's height */
#define STEP 26	 /* of a line of the chart of verdicts */
#define NAMES 190
#define COUNTS 560

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>warpstep: papers' figures</title>\n"
	"<style>\nbody{font:15px/1.45 sans-serif;color:#1c1c1c;background:#fff;max-width:75em;margin:1.5em auto;padding:0 1em}\n"
	"table{border-collapse:collapse;width:100%}\nth,td{text-align:left;vertical-align:top;padding:.3em .6em;border-top:1px solid #ccc}\n"
	"td.n,th.n{text-align:right;white-space:nowrap}\ntd.v{white-space:nowrap}\ntr.why td{border-top:0;padding-top:0;color:#444;font-size:90%}\n"
	"tr.group th{background:#eef1f5;font-weight:normal}\ncode{font:90% monospace;overflow-wrap:anywhere}\nh2{margin-top:2em}\n"
	"svg text{font:13px sans-serif;fill:#1c1c1c}svg text.w{fill:#fff}\n"
	"rect.paper{fill:#fff;stroke:#444}\nrect.ours{fill:#2f6db5;stroke:#2f6db5}\nline{stroke:#444}\n"
	".v0{fill:#1b7837}.v1{fill:#7fbf7b}.v2{fill:#f2d16b}.v3{fill:#b2182b}.v4{fill:#ef8a62}.v5{fill:#4d9221}.v6{fill:#d6604d}"
	".v7{fill:#d9d9d9}.v8{fill:#bdbdbd}\n</style></head>\n<body>\n<h1>Papers' figures beside those of warpstep</h1>\n"
	"\n<p>In each row the upper bar is the paper's number, the lower one ours. Bars of one figure have one scale. "
	"Our kernels are not those of the papers; warpstep-hacking(7) says what a verdict means.</p>\n";

static FILE *page;
static struct text body; /* all behind the chart of verdicts */
static struct {		 /* a line of that chart */
	const char *id, *name;
	u32 count[VERDICTS];
} chart[16];
static u32 charts;
static char group[64]; /* of the last row */

/* A text with what HTML would take for its own replaced. */
static void add(const char *s)
{
	for (; *s; s++)
		text_add(&body,
			 *s == '&'   ? "&amp;"
			 : *s == '<' ? "&lt;"
			 : *s == '>' ? "&gt;"
			 : *s == '"' ? "&quot;"
				     : "%c",
			 *s);
}

void page_open(const char *path)
{
	page = fopen(path, "w");
	if (!page)
		fail("cannot write %s", path);
}

void page_paper(void)
{
	if (!page)
		return;
	chart[charts].id = paper->name;
	chart[charts++].name = paper->mechanism;
	*group = 0;
	text_add(&body, "<h2 id=\"%s\">", paper->name);
	add(paper->mechanism);
	text_add(&body, "</h2>\n<p>");
	add(paper->title);
	text_add(
		&body,
		". All of it: <code>make reproduce PAPER=%s</code></p>\n<table>\n<tr><th>figure<th>claim<th>paper and ours"
		"<th class=\"n\">paper<th class=\"n\">ours<th class=\"n\">difference<th>verdict</tr>\n",
		paper->name);
}

/* The greatest size of a number in the figure that a row is of: the scale of its bars. */
static double scale_of(const struct row *r)
{
	double most = 0;

	for (u32 i = 0; i < paper->rows; i++) {
		const struct row *other = &paper->row[i];
		double ours = row_number(other->key), theirs = paper_number(other);

		if (strcmp(other->figure, r->figure) != 0 || other->unit != r->unit)
			continue;
		most = fmax(most, isfinite(ours) ? fabs(ours) : 0);
		most = fmax(most, fabs(theirs));
	}
	return most > 0 ? most : 1;
}

/* A bar from the line of zero. */
static void add_bar(const char *class, double x, double zero, double pixels, u32 y)
{
	double at = zero + x * pixels;

	text_add(&body, "<rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\"/>", class, fmin(at, zero),
		 y, fabs(at - zero), BAR);
}

static void add_bars(const struct line *l)
{
	bool sign = l->row->unit == GAIN_PERCENT;
	double zero = sign ? WIDE / 2.0 : 1, pixels = (sign ? WIDE / 2.0 - 1 : WIDE - 2) / scale_of(l->row);

	text_add(&body, "<svg width=\"%u\" height=\"%u\" role=\"img\" aria-label=\"ours %s", WIDE, 2 * BAR + 6,
		 l->number);
	if (l->row->paper) {
		text_add(&body, ", paper ");
		add(l->row->paper);
	}
	text_add(&body, "\">");
	if (l->row->paper)
		add_bar("paper", paper_number(l->row), zero, pixels, 1);
	add_bar("ours", l->ours, zero, pixels, BAR + 3);
	text_add(&body, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%u\"/></svg>", zero, zero, 2 * BAR + 6);
}

/* The rows of a group have one command. */
static void add_group(const char *key)
{
	char now[64];

	snprintf(now, sizeof(now), "%.*s", (int)strcspn(key, "-"), key);
	if (!strcmp(now, group))
		return;
	snprintf(group, sizeof(group), "%s", now);
	text_add(&body, "<tr class=\"group\"><th colspan=\"7\"><code>make reproduce PAPER=%s ROWS=%s</code></tr>\n",
		 paper->name, group);
}

void page_row(const struct line *l)
{
	const char *run = page ? run_of_row(l->row) : NULL;

	if (!page)
		return;
	chart[charts - 1].count[l->verdict]++;
	add_group(l->row->key);
	text_add(&body, "<tr id=\"%s\"><td>", l->row->key);
	add(l->row->figure);
	text_add(&body, "<td>");
	add(l->row->claim);
	add(l->loads);
	text_add(&body, "<td>");
	add_bars(l);
	text_add(&body, "<td class=\"n\">");
	add(l->row->paper ? l->row->paper : "");
	text_add(&body, "%s<td class=\"n\">%s%s<td class=\"n\">%s<td class=\"v\">%s</tr>\n",
		 l->row->paper ? l->sign : "", l->number, l->sign, l->difference, verdict_name[l->verdict]);
	if (!l->why && !run)
		return;
	text_add(&body, "<tr class=\"why\"><td><td colspan=\"6\">");
	add(l->why ? l->why : "");
	if (run) {
		text_add(&body, "%sOne of its runs: <code>warpstep --trust ", l->why ? "<br>" : "");
		add(run);
		text_add(&body, "</code>");
	}
	text_add(&body, "</tr>\n");
}

void page_paper_end(void)
{
	if (page)
		text_add(&body, "</table>\n");
}

/* How many rows of each paper have which verdict. */
static void put_chart(void)
{
	u32 most = 1, x = 0;

	for (u32 i = 0; i < charts; i++) {
		u32 rows = 0;

		for (u32 v = 0; v < NO_NUMBER; v++)
			rows += chart[i].count[v];
		most = max_u32(most, rows);
	}
	fprintf(page, "<svg width=\"%u\" height=\"%u\" role=\"img\" aria-label=\"rows of each paper by verdict\">\n",
		NAMES + COUNTS + 10, (charts + 1) * STEP + 10);
	for (u32 i = 0; i < charts; i++) {
		double at = NAMES;

		fprintf(page, "<text x=\"0\" y=\"%u\">%s</text>", i * STEP + 17, chart[i].name);
		for (u32 v = 0; v < NO_NUMBER; v++) {
			double wide = (double)chart[i].count[v] * COUNTS / most;

			if (!chart[i].count[v])
				continue;
			fprintf(page,
				"<rect class=\"v%u\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\"><title>%s: %u</title></rect>",
				v, at, i * STEP + 3, wide, STEP - 6, verdict_name[v], chart[i].count[v]);
			if (wide > 20)
				fprintf(page, "<text%s x=\"%.1f\" y=\"%u\">%u</text>",
					v == TENTH || v == WRONG ? " class=\"w\"" : "", at + 4, i * STEP + 17,
					chart[i].count[v]);
			at += wide;
		}
		fprintf(page, "\n");
	}
	for (u32 v = 0; v < NO_NUMBER; v++) {
		fprintf(page,
			"<rect class=\"v%u\" x=\"%u\" y=\"%u\" width=\"12\" height=\"12\"/><text x=\"%u\" y=\"%u\">%s</text>",
			v, x, charts * STEP + 12, x + 16, charts * STEP + 23, verdict_name[v]);
		x += 32 + 7 * (u32)strlen(verdict_name[v]);
	}
	fprintf(page, "\n</svg>\n<p>");
	for (u32 i = 0; i < charts; i++)
		fprintf(page, "%s<a href=\"#%s\">%s</a>", i ? " · " : "", chart[i].id, chart[i].name);
	fprintf(page, "</p>\n");
}

void page_close(void)
{
	if (!page)
		return;
	fputs(head, page);
	put_chart();
	fprintf(page, "%s</body>\n</html>\n", body.s ? body.s : "");
	if (fclose(page))
		fail("the page cannot be written");
}
