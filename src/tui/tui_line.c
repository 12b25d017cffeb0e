/* tui_line.c - the next line of the full screen: typed at the prompt, or what a key or a choice in the list stands for.
 */
#include "capture.h"
#include "lesson.h"
#include "prompt.h"
#include "rights.h"
#include "scene.h"

#define LINE_START "(warpstep) "

/* There is something to look at from the first frame on: a machine that has not moved can be made and dropped freely.
 */
static void make_machine(struct session *s)
{
	struct error e;

	if (!s->live && !s->depth && s->scene->nlaunch)
		session_make(s, &e);
}

/* Show a line as typed: a command's, one of a block that is not run yet, or the answer to a question. */
static void echo(struct session *s, const char *prompt, const char *line)
{
	const char *start = s->depth || strstr(prompt, "answer") ? prompt : LINE_START;

	console_add(s, start, strlen(start));
	console_add(s, line, strlen(line));
	console_add(s, "\n", 1);
	face_shown(s);
	desk_of(s)->scroll[PANE_console] = 0;
	desk_typed(s);
}

/* Run a line that only looks about: what it says is a message, not part of the console. */
static void run_quietly(struct session *s, char *line)
{
	struct desk *d = desk_of(s);
	struct console *console = s->console;
	struct error e;
	enum status st;

	s->console = NULL;
	st = s->above->run_lines(s, line, d->line_from, NULL, 0, &e);
	if (st)
		snprintf(d->message, sizeof(d->message), "%.200s", e.message);
	else if (console_count(s))
		snprintf(d->message, sizeof(d->message), "%.60s: %.180s", line, console_line(s, console_count(s) - 1));
	else
		snprintf(d->message, sizeof(d->message), "%.200s", line);
	console_free(s);
	s->console = console;
	free(line);
}

/* A line from a key or the list: run it here, leave it for the prompt, or (returned) run it as if typed. */
static char *take_line(struct session *s, char *line)
{
	struct desk *d = desk_of(s);
	size_t n = line ? strlen(line) : 0;

	if (!n) {
		free(line);
		return NULL;
	}
	if (line[n - 1] == ' ') {
		prompt_prefill(line);
		d->once = d->keys;
		d->keys = false;
		return NULL;
	}
	d->output_seen = true;
	if (key_is_quiet(line)) {
		run_quietly(s, line);
		return NULL;
	}
	return line;
}

/* One key of the single-key mode: a line, or NULL. */
static char *line_of_key(struct session *s, const struct key *k)
{
	struct desk *d = desk_of(s);
	const struct key_row *row;
	char out[16];
	const char *name = key_name(k, out);

	d->message[0] = '\0';
	d->line_from = &rights_user;
	d->asked -= d->asked > 0;
	if (k->code == K_PAGE_UP && !d->output_seen && !d->present) { /* the console lies over the panes: it is meant */
		d->scroll[PANE_console] += d->height / 3;
		return NULL;
	}
	if (k->code == K_PAGE_DOWN && d->scroll[PANE_console] && !d->present) {
		d->scroll[PANE_console] -= min_u32(d->height / 3, d->scroll[PANE_console]);
		return NULL;
	}
	if (k->code == 0x1b && desk_follow(s))
		return NULL;
	if (k->code == 0x1b) {
		desk_keys(s, false);
		return NULL;
	}
	row = key_find(s, name);
	if (row && d->present && lesson_open(s) && *row->command != '{' && key_waits(s, row)) {
		snprintf(d->message, sizeof(d->message),
			 "%s waits: a question is open (a answers, H gives a hint, G gives up)", safe_text(name));
		return NULL;
	}
	if (row && key_works(row))
		return take_line(s, key_line(s, row));
	if (k->code == K_PASTE)
		snprintf(d->message, sizeof(d->message), "paste ignored in single-key mode (: switches to the prompt)");
	else if (*name)
		snprintf(d->message, sizeof(d->message),
			 "%s is not bound here (? lists the keys, : switches to the prompt)", safe_text(name));
	return NULL;
}

/* The next line in single-key mode: NULL at the end of input, or when the mode has ended (desk.keys). */
static char *line_of_keys(struct session *s, bool *end)
{
	struct desk *d = desk_of(s);
	char *line = NULL;
	struct key k;

	while (!line && d->keys && !s->quit) {
		switch (face_wait(s, &k)) {
		case WAIT_END: *end = true; return NULL;
		case WAIT_CHOSEN: line = take_line(s, face_chosen()); break;
		case WAIT_INTERRUPT: snprintf(d->message, sizeof(d->message), "q quits"); break;
		case WAIT_KEY: line = line_of_key(s, &k); break;
		}
	}
	return line;
}

/* The next line of the prompt; NULL at the end or when something else goes on. */
static char *line_of_prompt(struct session *s, const char *prompt, bool *end)
{
	struct desk *d = desk_of(s);
	enum prompt_end how;
	char *line = prompt_read(s, prompt, &how);

	d->asked -= d->asked > 0;
	if (how == PROMPT_EOF || (how == PROMPT_LEAVE && s->depth))
		*end = true;
	else if (how == PROMPT_LEAVE)
		line = xstrdup("quit");
	if (how == PROMPT_SWITCH || d->once)
		desk_keys(s, true);
	if (how == PROMPT_CHOSEN)
		line = take_line(s, face_chosen());
	return line;
}

char *tui_line(struct session *s, const char *prompt, bool *typed, const struct line_origin **from)
{
	struct desk *d = desk_of(s);
	bool end = false;
	char *line = NULL;

	make_machine(s);
	capture_drain(s);
	d->line_from = &rights_user;
	while (!line && !end && !s->quit) {
		*typed = !d->keys || s->depth;
		line = *typed ? line_of_prompt(s, prompt, &end) : line_of_keys(s, &end);
	}
	d->typed = *typed;
	*from = d->line_from;
	if (line && *line)
		echo(s, prompt, line);
	if (d->nprompt)
		d->nprompt = 0;
	d->message[0] = '\0';
	return line;
}
