/* pane_console.c - what was printed, the newest line last; the lines are kept in a ring. */
#include "pane.h"

struct console {
	char *line[CONSOLE_LINES]; /* a ring */
	u32 head, count;
	struct text partial; /* a line whose end has not come */
};

/* Keep one line. */
static void pane_console_keep_line(struct console *k, const char *s, size_t n)
{
	u32 at = (k->head + k->count) % CONSOLE_LINES;
	struct text safe = {0};

	text_add_safe(&safe, s, n);
	if (k->count == CONSOLE_LINES) {
		free(k->line[k->head]);
		k->head = (k->head + 1) % CONSOLE_LINES;
	} else {
		k->count++;
	}
	k->line[at] = safe.s;
}

void console_add(struct session *s, const char *text, size_t length)
{
	struct console *k = s->console;

	if (!k)
		k = s->console = xcalloc(1, sizeof(*k));
	while (length) {
		const char *end = memchr(text, '\n', length);
		size_t n = end ? (size_t)(end - text) : length;

		text_addn(&k->partial, text, n);
		if (end) {
			pane_console_keep_line(k, k->partial.s, k->partial.len);
			text_clear(&k->partial);
			n++;
		}
		text += n;
		length -= n;
	}
}

u32 console_count(const struct session *s)
{
	return s->console ? s->console->count : 0;
}

const char *console_line(const struct session *s, u32 i)
{
	return s->console->line[(s->console->head + i) % CONSOLE_LINES];
}

void console_free(struct session *s)
{
	if (!s->console)
		return;
	for (u32 i = 0; i < s->console->count; i++)
		free(s->console->line[(s->console->head + i) % CONSOLE_LINES]);
	text_free(&s->console->partial);
	free(s->console);
	s->console = NULL;
}

/* Lines, the newest at the bottom; scrolled up by view.scroll lines. */
static void pane_console_draw(struct canvas *c, const struct pane_view *v)
{
	u32 n = console_count(v->session), room = c->height - 1;
	u32 up = n > room ? min_u32(v->scroll, n - room) : 0;
	u32 first = n > room ? n - room - up : 0;

	canvas_title(c, 0, "console", up ? "scrolled back" : "", "");
	for (u32 y = 0; y < room && first + y < n; y++)
		canvas_text_at(c, 0, y + 1, STYLE_PLAIN, console_line(v->session, first + y));
}

/* Rows that there are. */
static u32 pane_console_rows(const struct pane_view *v)
{
	return console_count(v->session);
}

/* Title and lines. */
static u32 pane_console_height(const struct pane_view *v)
{
	return 1 + console_count(v->session);
}

const struct pane pane_console = {
	.name = "console",
	.summary = "output of commands, the newest line last",
	.legend = "PgUp and PgDn scroll; the last 1,000 lines are kept",
	.ask = "step, next, help, info",
	.size = {.least_width = 20, .least_height = 2, .wish_height = 6},
	.without_machine = true,
	.stream = true,
	.draw = pane_console_draw,
	.rows = pane_console_rows,
	.height = pane_console_height,
};
