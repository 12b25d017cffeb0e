/*
 * prompt.c - readline with our own reading and drawing (prompt.h).
 *
 * readline() is called as in the plain face, but its getc waits in our loop and gives out whole keys, so that searches,
 * arguments and pastes see complete characters; its redisplay only notes the line, which the frame draws. It may
 * neither set the terminal up, nor catch signals, nor export LINES and COLUMNS. A paste of several lines is given out
 * line by line, one for each Enter: nothing that was pasted runs unseen.
 */
#include "prompt.h"

#include <fcntl.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

/* States of readline in which a key belongs to what is under way. */
#define BUSY \
	(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG | RL_STATE_METANEXT | RL_STATE_MULTIKEY | \
	 RL_STATE_COMPLETING | RL_STATE_VIMOTION)
#define ABORT 7 /* ^G */
#define MATCHES_SHOWN 200
#define DOCS_SHOWN 24

static struct {
	struct session *session;
	bool utf8, clear; /* clear: empty the line before the next key */
	bool stale;	  /* readline's line has changed since it was taken down */
	struct key raw;	  /* being given out byte by byte */
	u32 at;
	char *prefill;
	struct text pasted; /* lines that wait for their Enter */
	enum prompt_end how;
	FILE *out; /* readline's, for good: its descriptor leads to the terminal or nowhere */
} p;

void prompt_prefill(char *text)
{
	free(p.prefill);
	p.prefill = text;
}

/* --- drawing --- */

/* Add a character to the line as shown. */
static void put_cell(struct desk *d, u32 ch)
{
	if (d->nprompt < MAX_PROMPT)
		d->prompt[d->nprompt++] = ch;
}

/* Add a text: control bytes as ^X, broken bytes as \xNN, nothing of \1...\2 and of colors (a user's inputrc may have
 * some); *point becomes the place of the byte at `cursor`. */
static void put_text(struct desk *d, const char *s, size_t n, size_t cursor, u32 *point)
{
	for (size_t i = 0; i < n;) {
		u8 b = (u8)s[i];
		u32 more = !p.utf8 || b < 0xc2 ? 0 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : b < 0xf5 ? 3 : 0;
		u32 ch = more ? b & (0x3fu >> more) : b;

		if (i >= cursor && point && *point == NONE32)
			*point = d->nprompt;
		for (u32 k = 1; k <= more; k++)
			ch = i + k < n && ((u8)s[i + k] & 0xc0) == 0x80 ? ch << 6 | ((u8)s[i + k] & 0x3f) : NONE32;
		if (b == 1 || b == 2) {
			i++;
		} else if (b == 0x1b && i + 1 < n && s[i + 1] == '[') {
			i += 2;
			i += strcspn(s + i, "@ABCDEFGHJKSTfmnsulh");
			i += i < n;
		} else if (b < 0x20 || b == 0x7f) {
			put_cell(d, '^');
			put_cell(d, b ^ 0x40);
			i++;
		} else if (ch == NONE32 || (b >= 0x80 && !more)) {
			static const char hex[] = "0123456789abcdef";

			put_cell(d, '\\');
			put_cell(d, 'x');
			put_cell(d, (u8)hex[b >> 4]);
			put_cell(d, (u8)hex[b & 15]);
			i++;
		} else {
			put_cell(d, ch);
			i += more + 1;
		}
	}
	if (point && *point == NONE32)
		*point = d->nprompt;
}

/* readline's redisplay. Of a long line that is pasted only what is drawn is taken down, not the line as each of its
 * characters has left it. */
static void redisplay(void)
{
	p.stale = true;
}

void prompt_take(struct desk *d)
{
	const char *prompt = rl_display_prompt ? rl_display_prompt : "";
	size_t room = strlen(prompt) * 4 + (size_t)rl_end * 4 + 8;

	if (!p.stale)
		return;
	p.stale = false;
	d->prompt = xrealloc(d->prompt, (room < MAX_PROMPT ? room : MAX_PROMPT) * sizeof(*d->prompt));
	d->nprompt = 0;
	d->point = NONE32;
	put_text(d, prompt, strlen(prompt), 0, NULL);
	put_text(d, rl_line_buffer, (size_t)rl_end, (size_t)rl_point, &d->point);
}

/* --- pastes --- */

/* The first of the lines that wait, taken away; NULL if there is none. */
static char *pasted_line(void)
{
	size_t n = p.pasted.len ? strcspn(p.pasted.s, "\n") : 0;
	char *line;

	if (!p.pasted.len)
		return NULL;
	line = xstrndup(p.pasted.s, n);
	n += p.pasted.s[n] == '\n';
	memmove(p.pasted.s, p.pasted.s + n, p.pasted.len - n + 1);
	p.pasted.len -= n;
	return line;
}

/* Insert a line; bytes that are no text stand escaped. */
static void insert(char *line)
{
	struct text safe = {0};

	text_add_safe(&safe, line, strlen(line));
	rl_insert_text(safe.s);
	text_free(&safe);
	free(line);
}

/* A paste: its first line here, the others at the next prompts. */
static void paste(void)
{
	const struct text *t = input_paste();
	size_t n = t->len;
	u32 lines = 0;

	if (RL_ISSTATE(BUSY))
		return;
	while (n && t->s[n - 1] == '\n')
		n--;
	if (!n)
		return;
	text_addn(&p.pasted, t->s, n);
	insert(pasted_line());
	for (size_t i = 0; i < p.pasted.len; i++)
		lines += p.pasted.s[i] == '\n';
	if (p.pasted.len) {
		char say[80];
		int k = snprintf(say, sizeof(say), "%u more pasted lines: Enter runs the next, Ctrl-C discards them\n",
				 lines + 1);

		console_add(p.session, say, (size_t)k);
	}
	redisplay();
}

/* --- keys --- */

/* Leave readline without a line. */
static int abandon(enum prompt_end how)
{
	p.how = how;
	rl_replace_line("", 0);
	return '\n';
}

/* Ctrl-C: whatever is under way ends, the line is empty; a question is left without an answer, a block without its end.
 */
static int interrupt(void)
{
	char *line;

	if (rl_prompt && strstr(rl_prompt, "answer"))
		return abandon(PROMPT_LINE);
	if (p.session->depth) {
		text_clear(&p.pasted);
		return abandon(PROMPT_EOF);
	}
	line = xasprintf("(warpstep) %s^C\n", safe_text(rl_line_buffer));

	if (!RL_ISSTATE(BUSY) && rl_end)
		console_add(p.session, line, strlen(line));
	free(line);
	text_clear(&p.pasted);
	p.clear = true;
	return ABORT;
}

/* A key that is ours; true if readline is not to see it. *out: what getc returns, 0 nothing yet. */
static bool key_is_ours(const struct key *k, int *out)
{
	struct desk *d = desk_of(p.session);
	u32 page = d->height > 8 ? d->height / 3 : 1;

	switch (k->code) {
	case K_PASTE: paste(); return true;
	case K_F1: desk_help(p.session); return true;
	case K_PAGE_UP: d->scroll[PANE_console] += page; return true;
	case K_PAGE_DOWN: d->scroll[PANE_console] -= min_u32(page, d->scroll[PANE_console]); return true;
	case 12: d->repaint = true; return true;
	case 0x1b:
		if (RL_ISSTATE(BUSY) || rl_editing_mode != 1 || p.session->depth)
			return false;
		if (rl_end)
			prompt_prefill(xstrndup(rl_line_buffer, (size_t)rl_end));
		*out = abandon(PROMPT_SWITCH);
		return true;
	default: return k->code >= K_F2 && k->code <= K_F12;
	}
}

/* readline's getc: the next byte of a key. */
static int read_byte(FILE *f)
{
	(void)f;
	for (;;) {
		int out = 0;

		if (p.clear && p.at >= p.raw.n) {
			p.clear = false;
			rl_replace_line("", 1);
			redisplay();
		}
		if (p.at < p.raw.n)
			return p.raw.byte[p.at++];
		p.at = p.raw.n = 0;
		switch (face_wait(p.session, &p.raw)) {
		case WAIT_INTERRUPT: p.raw.n = 0; return interrupt();
		case WAIT_END:
			p.raw.n = 0;
			rl_replace_line("", 0);
			p.how = PROMPT_EOF;
			return EOF;
		case WAIT_CHOSEN: p.raw.n = 0; return abandon(PROMPT_CHOSEN);
		case WAIT_KEY: break;
		}
		if (key_is_ours(&p.raw, &out)) {
			p.raw.n = 0;
			if (out)
				return out;
		}
	}
}

/* Bytes wait to be given out. */
static int byte_available(void)
{
	return p.at < p.raw.n;
}

/* --- matches of a completion --- */

/* What readline found: in the console, with what each means where there are few. */
static void show_matches(char **match, int n, int longest)
{
	struct text out = {0};
	u32 each = (u32)longest + 2, columns = max_u32(1, desk_of(p.session)->width / each), at = 0;
	bool docs = n <= DOCS_SHOWN && p.session->above->word_doc(match[1]);

	for (int i = 1; i <= n && i <= MATCHES_SHOWN; i++) {
		const char *doc = docs ? p.session->above->word_doc(match[i]) : NULL;

		text_add(&out, "%-*s", (int)each, safe_text(match[i]));
		if (docs)
			text_add(&out, " %s", doc ? doc : "");
		if (docs || ++at % columns == 0 || i == n || i == MATCHES_SHOWN)
			text_add(&out, "\n");
	}
	if (n > MATCHES_SHOWN)
		text_add(&out, "... %d more\n", n - MATCHES_SHOWN);
	console_add(p.session, out.s, out.len);
	text_free(&out);
	redisplay();
}

/* --- open, read, close --- */

static struct {
	rl_getc_func_t *getc;
	rl_voidfunc_t *redisplay, *deprep;
	rl_vintfunc_t *prep;
} usual;

/* The keys that readline has for it do not change to the editing mode of vi, which is an inputrc's to choose. */
static void stay_in_mode(void)
{
	static const int key[] = {'\n', '\r'};

	for (u32 i = 0; i < ARRAY_LEN(key); i++)
		if (emacs_meta_keymap[key[i]].function == rl_vi_editing_mode)
			rl_unbind_key_in_map(key[i], emacs_meta_keymap);
}

/* readline keeps the stream that it saw first, so that stream stays and its descriptor changes. */
static void lead_output(int fd)
{
	if (!p.out)
		p.out = fdopen(fcntl(fd, F_DUPFD_CLOEXEC, 3), "w");
	if (!p.out)
		return;
	fflush(p.out);
	dup2(fd, fileno(p.out));
	rl_outstream = p.out;
}

void prompt_open(struct session *s, bool utf8, int nowhere)
{
	p.session = s;
	p.utf8 = utf8;
	rl_readline_name = "warpstep";
	rl_change_environment = 0;
	rl_catch_signals = rl_catch_sigwinch = 0;
	usual.getc = rl_getc_function;
	usual.redisplay = rl_redisplay_function;
	usual.prep = rl_prep_term_function;
	usual.deprep = rl_deprep_term_function;
	lead_output(nowhere);
	rl_getc_function = read_byte;
	rl_input_available_hook = byte_available;
	rl_redisplay_function = redisplay;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_completion_display_matches_hook = show_matches;
	rl_initialize();
	stay_in_mode();
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("enable-bracketed-paste", "off");
}

void prompt_close(void)
{
	const u8 *rest;
	u32 n = input_rest(&rest);

	if (!usual.getc)
		return;		    /* it was not opened */
	for (u32 i = 0; i < n; i++) /* what was typed ahead is for the other face */
		rl_stuff_char(rest[i]);
	rl_getc_function = usual.getc;
	rl_redisplay_function = usual.redisplay;
	rl_prep_term_function = usual.prep;
	rl_deprep_term_function = usual.deprep;
	rl_input_available_hook = NULL;
	rl_completion_display_matches_hook = NULL;
	rl_startup_hook = NULL;
	lead_output(STDOUT_FILENO);
	rl_catch_signals = rl_catch_sigwinch = 1;
	rl_variable_bind("enable-bracketed-paste", "on");
	rl_reset_screen_size();
	text_free(&p.pasted);
	prompt_prefill(NULL);
	free(desk_of(p.session)->prompt);
	desk_of(p.session)->prompt = NULL;
}

/* readline's startup: what is to stand in the line already. */
static int start_line(void)
{
	char *line = p.prefill ? p.prefill : pasted_line();

	p.prefill = NULL;
	if (line)
		insert(line);
	return 0;
}

char *prompt_read(struct session *s, const char *prompt, enum prompt_end *how)
{
	char *line;

	p.how = PROMPT_LINE;
	p.raw.n = p.at = 0;
	rl_startup_hook = start_line;
	line = readline(prompt);
	p.stale = false;
	*how = line || p.how != PROMPT_LINE ? p.how : PROMPT_LEAVE;
	if (*how == PROMPT_LINE)
		return line;
	free(line);
	desk_of(s)->nprompt = 0;
	return NULL;
}
