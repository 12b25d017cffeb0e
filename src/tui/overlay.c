/*
 * overlay.c - what lies over the panes: the list of all keys and commands, searched by typing and run by Enter, when
 * searched also of settings, statistics and whatever else has a name; the legend of the focused pane.
 */
#include "desk.h"
#include "input.h"
#include "rights.h"
#include "synonyms.h"

/* An entry of the list: a key with its line, a command, or something else with a name and the line that shows it. */
struct entry {
	const struct key_row *key;
	const struct command *command;
	const char *name, *doc, *line;
};

#define MOST_SYNONYMS 64 /* that the list shows */

/* Does text hold the words searched for, letters of either case? */
static bool matches(const char *text, const char *search)
{
	return !*search || strcasestr(text, search);
}

/* Does an entry hold what is searched for? */
static bool entry_matches(const struct entry *x, const char *search)
{
	if (x->key)
		return matches(x->key->command, search) || matches(x->key->doc, search) ||
		       !strcmp(x->key->name, search);
	return matches(x->command->name, search) || matches(x->command->summary, search);
}

/* Settings, statistics, events and the like behind the n entries, once two letters are typed; then their number. */
static u32 named(struct session *s, struct entry *out, u32 n, u32 room)
{
	const char *search = desk_of(s)->search, *kind;
	struct entry x = {0};

	for (u32 i = 0; strlen(search) > 1 && n < room && (x.name = s->above->named(i, &kind, &x.doc, &x.line)); i++)
		if (matches(x.name, search) || matches(x.doc, search))
			out[n++] = x;
	return n;
}

/* Words that have another name here, once two letters are typed. The words that are shown last until the next call. */
static u32 synonyms(struct session *s, struct entry *out, u32 n, u32 room)
{
	static char word[MOST_SYNONYMS][48];
	const char *search = desk_of(s)->search;
	u32 found = 0;

	for (u32 i = 0; strlen(search) > 1 && n < room && i < synonym_count && found < MOST_SYNONYMS; i++)
		if (synonym_holds(&synonym_table[i], search, word[found], sizeof(word[found]))) {
			out[n++] = (struct entry){
				.name = word[found++], .doc = synonym_table[i].meaning, .line = "help NAME"};
		}
	return n;
}

/* Its line: the name in the place of NAME. */
static char *named_line(const struct entry *x)
{
	size_t n = strlen(x->line) - strlen("NAME");

	return xasprintf("%.*s%s", (int)n, x->line, x->name);
}

/* The list: what is searched by another name, keys of the focused pane, other keys that it leaves alone, commands,
 * other names. Entries that match; their number. */
static u32 entries(struct session *s, struct entry *out, u32 room)
{
	const struct desk *d = desk_of(s);
	u32 n = synonyms(s, out, 0, room);

	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < d->nkeys && n < room; i++) {
			struct entry x = {.key = &d->key[i]};

			if ((*x.key->where != '\0') != pass && key_find(s, x.key->name) == x.key && key_works(x.key) &&
			    entry_matches(&x, d->search))
				out[n++] = x;
		}
	for (u32 i = 0; i < COMMAND_COUNT && n < room; i++) {
		struct entry x = {.command = command_table[i]};

		if (entry_matches(&x, d->search))
			out[n++] = x;
	}
	return named(s, out, n, room);
}

#define MAX_ENTRIES 1024

/* Blank a rectangle over the whole width. */
static void clear_rows(struct canvas *c, u32 top, u32 height)
{
	for (u32 i = top * c->width; i < (top + height) * c->width; i++)
		c->cell[i] = (struct cell){.ch = ' '};
}

/* One entry. */
static void entry_draw(struct canvas *c, u32 y, const struct entry *x)
{
	struct text usage = {0};
	u32 at = 38 < c->width / 2 ? 38 : c->width / 2;
	struct canvas left = *c;

	left.cell += (size_t)y * c->width;
	left.height = 1;
	left.width = at + 1;
	if (x->key) {
		canvas_print(c, 2, y, STYLE_KEY, "%-6s", x->key->name);
		canvas_text_at(&left, 9, 0, STYLE_PLAIN, x->key->command);
		canvas_print(c, at, y, STYLE_DIM, "  %s", x->key->doc);
		return;
	}
	if (x->name) {
		char *line = named_line(x);

		canvas_text_at(&left, 9, 0, STYLE_PLAIN, line);
		canvas_print(c, at, y, STYLE_DIM, "  %s", x->doc);
		free(line);
		return;
	}
	command_usage(x->command, &usage);
	canvas_text_at(&left, 9, 0, STYLE_PLAIN, usage.s);
	text_free(&usage);
	canvas_print(c, at, y, STYLE_DIM, "  %s", x->command->summary);
}

/* The list. */
static void list_draw(struct session *s, struct canvas *c, u32 top, u32 height)
{
	struct desk *d = desk_of(s);
	struct entry list[MAX_ENTRIES];
	u32 n = entries(s, list, MAX_ENTRIES), room = height - 1;
	char count[64], focus[64];

	clear_rows(c, top, height);
	d->chosen_row = n ? min_u32(d->chosen_row, n - 1) : 0;
	if (d->chosen_row < d->first_row)
		d->first_row = d->chosen_row;
	if (d->chosen_row >= d->first_row + room)
		d->first_row = d->chosen_row - room + 1;
	snprintf(count, sizeof(count), n ? "%u to %u of %u" : "no match", d->first_row + 1,
		 min_u32(d->first_row + room, n), n);
	snprintf(focus, sizeof(focus), "pane %s first%s", pane_table[d->focus]->name,
		 d->keys ? "" : "; Esc switches to single keys");
	canvas_title(c, top, "keys and commands", focus, count);
	for (u32 i = 0; i < room && d->first_row + i < n; i++) {
		entry_draw(c, top + 1 + i, &list[d->first_row + i]);
		if (d->first_row + i != d->chosen_row)
			continue;
		canvas_put(c, 0, top + 1 + i, 0x25b8, STYLE_TITLE);
		canvas_focus(c, top + 1 + i);
	}
}

/* Bytes of a line that fit into room columns: up to a gap of two blanks, else to a blank, else as many as there are. */
static size_t line_fit(const struct canvas *c, const char *line, size_t n, u32 room)
{
	size_t gap = 0, blank = 0, fits = 0;

	for (size_t i = 1; i <= n; i++) {
		char *head = xstrndup(line, i);
		bool over = canvas_columns(c, head) > room;

		free(head);
		if (over)
			break;
		fits = i;
		if (i < n && line[i] == ' ')
			blank = i;
		if (i + 1 < n && line[i] == ' ' && line[i + 1] == ' ')
			gap = i;
	}
	return fits == n ? n : gap ? gap : blank ? blank : max_u32((u32)fits, 1);
}

/* A text's lines, those that are too long over several. */
static void wrap(const struct canvas *c, const char *text, u32 room, struct text *out)
{
	text_addn(out, "", 0);
	while (*text) {
		size_t n = strcspn(text, "\n"), fit = line_fit(c, text, n, room);

		text_addn(out, text, fit);
		text_add(out, "\n");
		text += fit;
		if (fit < n)
			text += strspn(text, " ");
		else
			text += *text == '\n';
	}
}

/* The legend of the focused pane, over the panes' lower part. */
static void legend_draw(struct session *s, struct canvas *c, u32 top, u32 height)
{
	const struct pane *p = pane_table[desk_of(s)->focus];
	struct text text = {0};
	u32 lines = 1, y;
	char title[64], *all;

	all = xasprintf("%s\n%s", p->legend, LEGEND_OF_ALL);
	wrap(c, all, c->width > 2 ? c->width - 2 : 1, &text);
	free(all);
	for (const char *at = text.s; *at; at++)
		lines += *at == '\n';
	lines = min_u32(lines, height);
	y = top + height - lines;
	clear_rows(c, y, lines);
	snprintf(title, sizeof(title), "legend of %s", p->name);
	canvas_title(c, y++, title, p->summary, "");
	for (char *at = text.s; *at && y < top + height; y++) {
		size_t n = strcspn(at, "\n");

		at[n] = '\0';
		canvas_text_at(c, 1, y, STYLE_PLAIN, at);
		at += n + 1;
	}
	text_free(&text);
}

void overlay_draw(struct session *s, struct canvas *c, u32 top, u32 height)
{
	if (desk_of(s)->overlay == OVERLAY_LEGEND)
		legend_draw(s, c, top, height);
	else
		list_draw(s, c, top, height);
}

/* The line of the chosen entry: a command with required arguments is to be completed. */
static char *entry_line(struct session *s)
{
	struct desk *d = desk_of(s);
	struct entry list[MAX_ENTRIES];
	u32 n = entries(s, list, MAX_ENTRIES);
	const struct entry *x = &list[d->chosen_row];

	d->line_from = &rights_user;
	if (d->chosen_row >= n)
		return NULL;
	if (x->key)
		return key_line(s, x->key);
	if (x->name)
		return strncmp(x->line, "explain", 7) && strncmp(x->line, "set", 3) ? named_line(x)
										    : xasprintf("explain %s", x->name);
	for (u32 i = 0; i < MAX_ARGS && x->command->arg[i].type != ARG_END; i++)
		if (!x->command->arg[i].optional && x->command->arg[i].type != ARG_FLAG)
			return xasprintf("%s ", x->command->name);
	return xstrdup(x->command->name);
}

/* A letter of the search, or its end taken away. */
static void search_key(struct desk *d, u32 code)
{
	size_t n = strlen(d->search);

	if (code == 0x7f || code == 8) {
		d->search[n ? n - 1 : 0] = '\0';
	} else if (code >= 0x20 && code < 0x7f && n + 1 < sizeof(d->search)) {
		d->search[n] = (char)code;
		d->search[n + 1] = '\0';
	} else {
		return;
	}
	d->chosen_row = d->first_row = 0;
}

char *overlay_key(struct session *s, const struct key *k)
{
	struct desk *d = desk_of(s);
	u32 page = d->height > 6 ? d->height - 5 : 1;
	char *line;

	if (d->overlay == OVERLAY_LEGEND || k->code == 0x1b || k->code == K_F1 || k->code == 7) {
		d->overlay = OVERLAY_NONE;
		return NULL;
	}
	switch (k->code) {
	case K_UP: d->chosen_row -= d->chosen_row > 0; break;
	case K_DOWN: d->chosen_row++; break;
	case K_PAGE_UP: d->chosen_row -= min_u32(page, d->chosen_row); break;
	case K_PAGE_DOWN: d->chosen_row += page; break;
	case '\r':
	case '\n':
		line = entry_line(s);
		d->overlay = OVERLAY_NONE;
		return line;
	default: search_key(d, k->code);
	}
	return NULL;
}

void overlay_wheel(struct desk *d, const struct key *k)
{
	if (k->button == MOUSE_WHEEL_UP)
		d->chosen_row -= min_u32(3, d->chosen_row);
	else if (k->button == MOUSE_WHEEL_DOWN)
		d->chosen_row += 3;
}
