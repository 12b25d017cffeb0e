/*
 * screens.c - every pane in its layout at six sizes of the screen, without a terminal: pictures kept as golden files,
 * and rules that hold for each, whatever the pictures say.
 *
 * usage: screens [PANE...]      from the top of the sources; with WARPSTEP_GOLDENS=write the files are written
 *
 * The rules, read from the captured cells: no word is cut without a sign (every word stands in the same panes drawn far
 * larger, or ends in one); no pane has more than half its rows empty while another has more than it shows; no sum is
 * wrong; every number and every word of a pane is in its plain text, which a screen reader reads, too.
 */
#include "../../src/tui/desk.h"
#include "../../src/tui/sheet.h"
#include "session_ops.h"
#include "lang.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/golden/screens"
#define ELLIPSIS 0x2026u
#define LARGE_WIDTH 400u /* of the panes that words are looked up in */
#define LARGE_HEIGHT 1100u

static const u32 size[][2] = {{40, 10}, {60, 20}, {80, 24}, {120, 40}, {160, 48}, {200, 60}};

/* Where a pane is looked at: a scenario, commands that lead to something to see. */
struct place {
	const char *panes, *scenario, *commands;
};
static const struct place places[] = {
	{"gangs", "scenarios/vws/split.scn", "goto 400\n"},
	{"preempts partition kernels", "scenarios/multi/switch.scn", "goto 21000\n"},
	{"floor", "scenarios/multi/trial.scn",
	 "policy partition=maestro allocate=twoway preempt=chimera\nrestart\ngoto 3999\nfollow warp 0\nstep\n"},
	{"datapath", "scenarios/matmul.scn", "goto 899\nfollow load\nstep\n"},
	{"source", "scenarios/matmul.scn", "set stats.lines on\ngoto 900\n"},
	{"compare tracks difference", "scenarios/matmul.scn", "compare order=lrr\ngoto 900\n"},
	{"breakpoints", "scenarios/matmul.scn",
	 "break event release\nwatch rise cta.finished\ntbreak cycle 5000\n"
	 "break stall long for 60 if warp == 3\ncontinue\n"},
	{"", "scenarios/matmul.scn", "goto 900\n"}};

/* Drawings of other machines, named as their files: what each of them has that others have not. */
static const struct place drawings[] = {
	{"datapath-fermi", "scenarios/matmul.scn", "gpu fermi\nrestart\ngoto 700\n"},
	{"datapath-monolithic", "scenarios/matmul.scn", "gpu monolithic\nrestart\ngoto 700\n"},
	{"datapath-a100", "scenarios/subcore/register-cache.scn", "gpu a100\nrestart\ngoto 601\n"},
	{"datapath-i-vws", "scenarios/vws/lighting.scn", "goto 3000\n"},
	{"datapath-vt", "scenarios/tlp/vt-figure5.scn", "policy cta=vt\nrestart\ngoto 600\n"},
	{"datapath-elf", "scenarios/elf/bypass.scn", "set lsu.reexec newcar\nrestart\ngoto 60\n"}};

static bool bad;
static u32 number;

/* One test. */
static void report(const char *name, const struct text *why)
{
	printf("%sok %u - %s%s%s\n", why->len ? "not " : "", ++number, name, why->len ? ": " : "",
	       why->len ? why->s : "");
	bad |= why->len;
}

/* Run a command that must succeed. */
static void must(struct session *s, const char *line)
{
	struct error e = {0};

	if (!command_run_line(s, line, NULL, 0, &e))
		return;
	printf("not ok %u - %s: %s\n", ++number, line, e.message);
	exit(1);
}

/* A session at a place. */
static void place_open(struct session *s, const struct place *p)
{
	char line[128];

	session_open(s, &all_session_ops);
	s->out = fopen("/dev/null", "w");
	snprintf(line, sizeof(line), "source %s", p->scenario);
	must(s, line);
	for (const char *at = p->commands; *at; at = strchr(at, '\n') + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		console_add(s, "(warpstep) ", 11);
		console_add(s, at, strcspn(at, "\n") + 1);
		must(s, line);
	}
}

static void place_close(struct session *s)
{
	FILE *out = s->out;

	session_close(s);
	fclose(out);
}

/* Is a name a word of a list? */
static bool is_of(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list += strspn(list, " ")) {
		size_t word = strcspn(list, " ");

		if (word == n && !strncmp(list, name, n))
			return true;
		list += word;
	}
	return false;
}

/* The place of a pane. */
static const struct place *place_of(const char *pane)
{
	u32 i = 0;

	while (*places[i].panes && !is_of(places[i].panes, pane))
		i++;
	return &places[i];
}

/* A layout that holds a pane: that of its name, else by the size where one of these does, else the first. */
static void layout_for(struct session *s, const char *pane)
{
	struct desk *d = desk_of(s);
	struct error e;
	int id = pane_find(pane, &e);

	if (layout_choose(s, pane, &e) && !layout_choose(s, "auto", &e) && !layout_holds(d, (u8)id))
		for (u32 i = 0; i < d->nlayouts && !layout_holds(d, (u8)id); i++)
			d->chosen = (int)i;
	d->focus = (u8)id;
}

/* --- words --- */

/* Words of a canvas's rectangle, each behind a newline and before one. */
static bool is_word_end(u32 ch)
{
	return ch == ' ' || (ch >= 0x2500 && ch < 0x2600);
}

/* The word that begins at x of a row as text; returns the column behind it. */
static u32 word_at(const struct canvas *c, u32 x, u32 y, u32 end, struct text *out)
{
	struct canvas word;
	u32 from = x;

	while (x < end && !is_word_end(c->cell[(size_t)y * c->width + x].ch))
		x++;
	canvas_init(&word, x - from, 1, false);
	memcpy(word.cell, &c->cell[(size_t)y * c->width + from], (x - from) * sizeof(*word.cell));
	text_clear(out);
	canvas_row_text(&word, 0, out);
	canvas_free(&word);
	return x;
}

/* Add all words of a canvas. */
static void words_add(const struct canvas *c, struct text *words)
{
	struct text word = {0};

	for (u32 y = 0; y < c->height; y++)
		for (u32 x = 0; x < c->width; x++) {
			x = word_at(c, x, y, c->width, &word);
			if (word.len)
				text_add(words, "%s\n", word.s);
		}
	text_free(&word);
}

/* The words of a pane as large as it may be, and of a frame so wide that its lines are whole. */
static void words_of(struct session *s, struct text *words)
{
	struct canvas c;

	text_clear(words);
	text_add(words, "\nlines\nline\nmore\nabove:\nbelow:\nPgUp\nPgDn\n(pane\nnotes,\nEsc,\nPgDn)\nsub-core\n");
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		text_add(words, "%s\n", warp_status_table[i].name);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		text_add(words, "%s\n", slot_outcome_table[i].name);
	for (int i = 0; i < PANE_COUNT; i++) {
		canvas_init(&c, LARGE_WIDTH, i == PANE_timeline ? 200 : LARGE_HEIGHT, false);
		pane_draw(s, (enum pane_id)i, &c, 0, NULL);
		words_add(&c, words);
		canvas_free(&c);
	}
	canvas_init(&c, LARGE_WIDTH, 60, false);
	frame_compose(s, &c);
	words_add(&c, words);
	canvas_free(&c);
}

/* Need a word be looked up? Two letters in a row make one, unless all are letters of statuses. */
static bool is_word(const char *word)
{
	bool letters = false, only = true;

	for (const char *p = word; *p; p++) {
		bool status = *p == '.' || *p == '-';

		letters |= isalpha((u8)p[0]) && isalpha((u8)p[1]);
		for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
			status |= warp_status_table[i].letter == *p;
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			status |= slot_outcome_table[i].letter == *p;
		only &= status;
	}
	return letters && !only;
}

/* Is a word among those of the large pictures, or has it a sign that it is cut? */
static bool word_known(const struct text *words, const char *word)
{
	char line[256];

	if (strstr(word, "…") || !is_word(word))
		return true;
	snprintf(line, sizeof(line), "\n%.250s\n", word);
	return strstr(words->s, line);
}

/* Words of the frame that are cut without a sign. */
static void check_words(const struct desk *d, const struct canvas *c, const struct text *words, struct text *why)
{
	struct text word = {0};

	for (u32 i = 0; i < d->nareas; i++)
		for (u32 y = d->area[i].y; y < d->area[i].y + d->area[i].height; y++)
			for (u32 x = d->area[i].x; x < d->area[i].x + d->area[i].width; x++) {
				x = word_at(c, x, y, d->area[i].x + d->area[i].width, &word);
				if (word.len && !word_known(words, word.s) && why->len < 200)
					text_add(why, "`%s` in %s, ", word.s, pane_table[d->area[i].pane]->name);
			}
	text_free(&word);
}

/* --- rows --- */

/* Does a row of an area hold anything? */
static bool row_holds_text(const struct canvas *c, const struct area *a, u32 y)
{
	for (u32 x = a->x; x < a->x + a->width; x++)
		if (c->cell[(size_t)y * c->width + x].ch != ' ')
			return true;
	return false;
}

/* Does an area say that it has more rows than it shows: "… 1-8 of 64"? */
static bool area_scrolls(const struct canvas *c, const struct area *a)
{
	for (u32 y = a->y; y < a->y + a->height; y++)
		for (u32 x = a->x; x + 2 < a->x + a->width; x++) {
			const struct cell *cell = &c->cell[(size_t)y * c->width + x];

			if (cell->ch == ELLIPSIS && cell[1].ch == ' ' && cell[2].ch < 0x80 && isdigit((int)cell[2].ch))
				return true;
		}
	return false;
}

/* Panes half empty while another has more than it shows. */
static void check_rows(const struct desk *d, const struct canvas *c, struct text *why)
{
	const struct area *scrolls = NULL;

	for (u32 i = 0; i < d->nareas; i++)
		if (area_scrolls(c, &d->area[i]))
			scrolls = &d->area[i];
	for (u32 i = 0; scrolls && i < d->nareas; i++) {
		const struct area *a = &d->area[i];
		u32 empty = 0;

		for (u32 y = a->y + 1; y < a->y + a->height; y++)
			empty += !row_holds_text(c, a, y);
		if (empty * 2 > a->height)
			text_add(why, "%s has %u of %u rows empty while %s scrolls, ", pane_table[a->pane]->name, empty,
				 a->height, pane_table[scrolls->pane]->name);
	}
}

/* --- plain text --- */

/* Words and numbers of a text, each between newlines, small letters, numbers without commas; the numbers as such, too.
 */
struct facts {
	struct text words;
	double *number;
	u32 n, room;
};

static void facts_free(struct facts *f)
{
	text_free(&f->words);
	free(f->number);
	*f = (struct facts){0};
}

/* Is it a number, nothing behind it? */
static bool is_number(const char *word, double *out)
{
	char *end;

	*out = strtod(word, &end);
	return isdigit((u8)*word) && !*end && !strpbrk(word, "xX");
}

/* One word, if it says anything: no single letter, no dots at its end. */
static void facts_word(struct facts *f, char *word)
{
	size_t n = strlen(word);
	double value;

	while (n && word[n - 1] == '.')
		word[--n] = '\0';
	while (*word == '.')
		word++, n--;
	if (!n || (n == 1 && !isdigit((u8)*word)))
		return;
	text_add(&f->words, "%s\n", word);
	if (!is_number(word, &value))
		return;
	if (f->n == f->room) {
		f->room = 2 * f->room + 64;
		f->number = xrealloc(f->number, f->room * sizeof(*f->number));
	}
	f->number[f->n++] = value;
}

/* The words of a text: what is neither letter, digit, dot nor _ parts them, but for a comma between digits. */
static void facts_add(struct facts *f, const char *text)
{
	char word[256];
	size_t n = 0;

	if (!f->words.len)
		text_add(&f->words, "\n");
	for (const char *p = text;; p++) {
		bool in = isalnum((u8)*p) || *p == '.' || *p == '_';

		if (*p == ',' && n && isdigit((u8)word[n - 1]) && isdigit((u8)p[1]) && isdigit((u8)p[2]) &&
		    isdigit((u8)p[3]))
			continue;
		if (in && n + 1 < sizeof(word)) {
			word[n++] = (char)tolower((u8)*p);
			continue;
		}
		word[n] = '\0';
		facts_word(f, word);
		n = 0;
		if (!*p)
			return;
	}
}

static bool facts_hold_word(const struct facts *f, const char *word)
{
	char line[300];

	snprintf(line, sizeof(line), "\n%.255s\n", word);
	return f->words.s && strstr(f->words.s, line);
}

/* Is a number that was rounded to the digits shown one of the plain text, or one shortened: 1.2M? */
static bool facts_hold_number(const struct facts *f, const char *word)
{
	const char *dot = strchr(word, '.');
	int digits = dot ? (int)strspn(dot + 1, "0123456789") : 0;
	bool shortened = word[strspn(word, "0123456789.")] != '\0';
	char text[64], upper[64];

	snprintf(upper, sizeof(upper), "%s", word);
	if (shortened && !strchr("k", upper[strlen(upper) - 1]))
		upper[strlen(upper) - 1] = (char)toupper((u8)upper[strlen(upper) - 1]);
	for (u32 i = 0; i < f->n; i++) {
		snprintf(text, sizeof(text), "%.*f", digits, f->number[i]);
		if (!shortened && !strcmp(text, word))
			return true;
		for (u32 width = 2; shortened && width < 8; width++) {
			char shown[32];

			if (!strcmp(count_text((i64)f->number[i], width, shown), upper))
				return true;
		}
	}
	return false;
}

/* Letters of states alone, like "llss*"? */
static bool are_letters(const char *word)
{
	for (; *word; word++) {
		bool letter = false;

		for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
			letter |= tolower((u8)warp_status_table[i].letter) == *word;
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			letter |= tolower((u8)slot_outcome_table[i].letter) == *word;
		if (!letter)
			return false;
	}
	return true;
}

/* Is a fact of the screen in the plain text? w3, s0 and sub1 stand for numbers there. */
static bool facts_hold(const struct facts *f, const char *word)
{
	size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyz");

	if (facts_hold_word(f, word) || are_letters(word))
		return true;
	if (isdigit((u8)*word) &&
	    strspn(word + strspn(word, "0123456789."), "kmgtpe") + strspn(word, "0123456789.") == strlen(word))
		return facts_hold_number(f, word);
	return letters && isdigit((u8)word[letters]) &&
	       ((letters == 1 && strchr("ws", *word)) || !strncmp(word, "sub", 3)) &&
	       facts_hold_word(f, word + letters);
}

/* A row of an area as text, without what is cut and without which rows of how many are shown. */
static void row_facts(const struct canvas *c, const struct area *a, u32 y, struct text *out)
{
	text_clear(out);
	text_add(out, "%s", "");
	for (u32 x = a->x; x < a->x + a->width; x++) {
		const struct cell *cell = &c->cell[(size_t)y * c->width + x];

		if (cell->ch == ELLIPSIS && (x == a->x || cell[-1].ch == ' ')) {
			for (x++; x + 1 < a->x + a->width && (c->cell[(size_t)y * c->width + x].ch != ' ' ||
							      c->cell[(size_t)y * c->width + x + 1].ch != ' ');)
				x++;
		} else if (cell->ch == ELLIPSIS) {
			while (out->len && out->s[out->len - 1] != ' ')
				out->s[--out->len] = '\0';
		} else if (cell->ch == '+' && x > a->x && cell[-1].ch == ' ') { /* +3: so many more are not shown */
			while (x + 1 < a->x + a->width && cell[1].ch < 0x80 && isdigit((int)cell[1].ch))
				cell++, x++;
		} else {
			text_add(out, "%c", cell->ch < 0x80 ? (char)cell->ch : ' ');
		}
	}
}

/* Headings of a pane's tables: they are said by the names of the columns. */
static void headings_add(struct session *s, enum pane_id id, u32 width, struct facts *f)
{
	for (u32 beside = 0; beside < 2; beside++) {
		const struct pane *p = pane_table[id];
		struct sheet sheet = {.name = p->name};
		struct pane_view v;

		pane_view_now(s, &v);
		v.width = width;
		if (!v.sim || !(beside ? p->beside : p->fill))
			continue;
		(beside ? p->beside : p->fill)(&sheet, &v);
		for (u32 i = 0; i < sheet.ngrids; i++)
			for (u32 k = 0; k < sheet.grid[i].ncolumns; k++) {
				facts_add(f, sheet.grid[i].column[k].name);
				facts_add(f, sheet.grid[i].column[k].heading ? sheet.grid[i].column[k].heading : "");
			}
		sheet_close(&sheet);
	}
}

/* What `show PANE` says with --plain on a terminal as wide as the pane. */
static void plain_facts(struct session *s, const struct area *a, struct facts *f)
{
	struct text plain = {0};
	u32 columns = s->columns;

	s->columns = a->width;
	pane_say(s, (enum pane_id)a->pane, &plain);
	s->columns = columns;
	facts_add(f, plain.s);
	facts_add(f, pane_table[a->pane]->name);
	facts_add(f, "ptx");
	headings_add(s, (enum pane_id)a->pane, a->width, f);
	if (a->pane == PANE_compare)
		headings_add(s, PANE_warps, a->width, f);
	text_free(&plain);
}

/* The row of a pane that has no facts: the ruler of a timeline, the headings of data. */
static bool is_ruler(const struct area *a, u32 y, const char *row)
{
	if (a->pane == PANE_timeline || a->pane == PANE_data)
		return y == a->y + 1;
	return a->pane == PANE_tracks && strspn(row, " 0123456789/.p") == strlen(row);
}

/* Facts of one pane that its plain text has not. */
static void check_area_plain(struct session *s, const struct canvas *c, const struct area *a, struct text *why)
{
	struct facts plain = {0};
	struct text row = {0};

	plain_facts(s, a, &plain);
	for (u32 y = a->y; y < a->y + a->height; y++) {
		struct facts shown = {0};

		row_facts(c, a, y, &row);
		facts_add(&shown, is_ruler(a, y, row.s) ? "" : row.s);
		for (char *word = strtok(shown.words.s, "\n"); word && why->len < 300; word = strtok(NULL, "\n"))
			if (!facts_hold(&plain, word))
				text_add(why, "'%s' of row %u of %s is not in its plain text, ", word, y - a->y,
					 pane_table[a->pane]->name);
		facts_free(&shown);
	}
	facts_free(&plain);
	text_free(&row);
}

static void check_plain(struct session *s, const struct canvas *c, struct text *why)
{
	const struct desk *d = desk_of(s);

	for (u32 i = 0; i < d->nareas; i++)
		if (d->area[i].pane != PANE_console)
			check_area_plain(s, c, &d->area[i], why);
}

/* --- pictures --- */

/* A picture without how many statistics there are, which grows with their table. */
static void add_settled(struct session *s, const char *picture, struct text *out)
{
	char count[32];
	const char *at;

	snprintf(count, sizeof(count), " of %u", pane_rows(s, PANE_stats, ""));
	while ((at = strstr(picture, count))) {
		text_addn(out, picture, (size_t)(at - picture));
		text_add(out, " of N");
		picture = at + strlen(count);
	}
	text_add(out, "%s", picture);
}

/* One size: its picture into out, and the rules. */
static void check_size(struct session *s, const char *pane, const u32 cells[2], const struct text *words,
		       struct text *out)
{
	struct text picture = {0}, why = {0};
	struct canvas c;
	char name[64];

	canvas_init(&c, cells[0], cells[1], false);
	frame_compose(s, &c);
	canvas_text(&c, &picture);
	check_words(desk_of(s), &c, words, &why);
	check_rows(desk_of(s), &c, &why);
	check_plain(s, &c, &why);
	if (strstr(picture.s, "✗"))
		text_add(&why, "a sum is wrong");
	snprintf(name, sizeof(name), "%s at %ux%u", pane, cells[0], cells[1]);
	report(name, &why);
	text_add(out, "=== %ux%u\n", cells[0], cells[1]);
	add_settled(s, picture.s, out);
	canvas_free(&c);
	text_free(&picture);
	text_free(&why);
}

/* The whole of a file; "" if there is none. */
static void file_text(const char *path, struct text *out)
{
	char part[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	text_add(out, "%s", "");
	while (f && (n = fread(part, 1, sizeof(part), f)))
		text_addn(out, part, n);
	if (f)
		fclose(f);
}

/* Compare the pictures of a pane with its file, or write it. */
static void check_file(const char *pane, const struct text *got)
{
	const char *write = getenv("WARPSTEP_GOLDENS");
	struct text want = {0}, why = {0};
	char path[128], name[64];
	u32 line = 1;

	snprintf(path, sizeof(path), FOLDER "/%s.txt", pane);
	snprintf(name, sizeof(name), "pictures of %s", pane);
	if (write && !strcmp(write, "write")) {
		FILE *f = fopen(path, "w");

		if (!f || fputs(got->s, f) < 0 || fclose(f))
			text_add(&why, "cannot write %s", path);
	} else {
		file_text(path, &want);
		for (size_t i = 0; want.s[i] && want.s[i] == got->s[i]; i++)
			line += want.s[i] == '\n';
		if (strcmp(want.s, got->s))
			text_add(&why, "%s differs from line %u on; `make goldens` writes it", path, line);
	}
	report(name, &why);
	text_free(&want);
	text_free(&why);
}

/* One pane at all sizes, against a file. */
static void check_pane(const char *pane, const struct place *place, const char *file)
{
	struct text words = {0}, out = {0};
	struct session s;

	place_open(&s, place);
	layout_for(&s, pane);
	words_of(&s, &words);
	for (u32 i = 0; i < ARRAY_LEN(size); i++)
		check_size(&s, file, size[i], &words, &out);
	check_file(file, &out);
	text_free(&words);
	text_free(&out);
	place_close(&s);
}

/* Was it named, or nothing at all? */
static bool is_wanted(int argc, char **argv, const char *name)
{
	bool wanted = argc < 2;

	for (int k = 1; k < argc; k++)
		wanted |= !strcmp(argv[k], name);
	return wanted;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (is_wanted(argc, argv, pane_table[i]->name))
			check_pane(pane_table[i]->name, place_of(pane_table[i]->name), pane_table[i]->name);
	for (u32 i = 0; i < ARRAY_LEN(drawings); i++)
		if (is_wanted(argc, argv, drawings[i].panes))
			check_pane("datapath", &drawings[i], drawings[i].panes);
	return bad;
}
