/*
 * tui.c - the full screen as a whole (tui.h): start, stop, the loop that draws and waits, lines from keys and prompt,
 * frames while the machine runs.
 *
 * A frame is drawn before waiting, and while the machine runs at most 60 times in a second and for at most a quarter of
 * the time; any key pauses. Positions are drawn between cycles, so what is seen is always a state of the machine.
 */
#include "capture.h"
#include "cast.h"
#include "prompt.h"
#include "interrupt.h"
#include "screen.h"
#include "signals.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <unistd.h>

#define FIRST_FRAME 40 /* ms of a run before anything is drawn */
#define FRAME 17       /* ms between frames */

static struct {
	struct session *session; /* NULL: not on */
	int fd;			 /* the terminal */
	FILE *out, *nowhere;	 /* the session's before; /dev/null */
	bool ascii;		 /* the locale has no other characters */
	u32 seen;		 /* lines of the console that a frame has shown */
	char *chosen;		 /* line from the list of keys */
} face;

bool tui_active(void)
{
	return face.session;
}

bool tui_shows_notes(struct session *s)
{
	return face.session == s && desk_shows(s, PANE_notes);
}

bool tui_possible(const struct session *s, const char **why)
{
	*why = NULL;
	if (s->batch || s->json || s->plain || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	return screen_possible(why);
}

/* --- frames --- */

/* Draw the screen as it is now. */
static void draw(void)
{
	struct session *s = face.session;
	struct desk *d = desk_of(s);
	struct canvas c;
	u32 width, height;

	capture_drain(s);
	if (d->repaint)
		screen_resize();
	d->repaint = false;
	screen_size(&width, &height);
	canvas_init(&c, width, height, face.ascii || s->config.style_signs);
	frame_compose(s, &c);
	screen_style((enum colour_wish)s->config.style_colour, s->config.style_background);
	screen_show(&c, d->cursor_x, d->cursor_y);
	cast_show(s, &c, d->cursor_x, d->cursor_y);
	screen_mouse(s->config.mouse);
	canvas_free(&c);
	face_shown(s);
}

/* A move begins: frames from now on. */
static void run_begin(struct session *s)
{
	(void)s;
	signals_tick(FIRST_FRAME);
}

/* It has ended. */
static void run_end(struct session *s)
{
	(void)s;
	signals_tick(0);
}

/* A key has been pressed while the machine runs, which stops it. A letter behind a line that was typed begins the next
 * one: in single-key mode, too, the prompt gets it. */
static void key_ahead(struct session *s, const struct key *k)
{
	struct desk *d = desk_of(s);

	if (!d->typed || k->code <= ' ' || k->code == 0x7f || k->code >= K_FIRST)
		return;
	input_back(k);
	d->once = d->once || d->keys;
	d->keys = false;
}

/* A frame of a run; true: a key was pressed, so it stops. */
static bool run_tick(struct session *s)
{
	struct desk *d = desk_of(s);
	u32 flags = signals_take();
	u64 start = host_milliseconds();
	struct key k;

	if (input_pending()) {
		input_key(&k, 0);
		key_ahead(s, &k);
		return true;
	}
	if (flags & (SIGNAL_RESIZE | SIGNAL_RESUME))
		d->repaint = true;
	d->running = true;
	draw();
	d->running = false;
	signals_tick((u32)max_u64(FRAME, 3 * (host_milliseconds() - start)));
	return false;
}

static const struct interrupt_watch watch = {
	.begin = run_begin, .tick = run_tick, .end = run_end, .pressed = signals_interrupted};

bool tui_watch(struct session *s, u32 milliseconds)
{
	struct desk *d = desk_of(s);
	u64 end = host_milliseconds() + milliseconds;
	struct key k = {.code = K_NONE};
	u32 flags;

	d->running = true;
	draw();
	do {
		flags = signals_take();
		if (!(flags & SIGNAL_INTERRUPT))
			input_key(&k, (int)(end > host_milliseconds() ? end - host_milliseconds() : 0));
		if (flags & (SIGNAL_RESIZE | SIGNAL_RESUME)) {
			d->repaint = true;
			draw();
		}
	} while (!(flags & SIGNAL_INTERRUPT) && k.code == K_NONE && host_milliseconds() < end);
	d->running = false;
	flags |= signals_take();
	if (flags & SIGNAL_INTERRUPT)
		timeline_interrupt = 0;
	key_ahead(s, &k);
	return flags & SIGNAL_INTERRUPT || k.code != K_NONE;
}

/* --- on and off --- */

/* The program ends by exit(). */
static void at_exit(void)
{
	if (face.session)
		tui_stop(face.session);
}

enum status tui_start(struct session *s, struct error *e)
{
	static bool registered;
	enum status st;
	int wake, captured;
	bool utf8;

	if (face.session)
		return STATUS_OK;
	setlocale(LC_CTYPE, "");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	desk_of(s); /* what takes memory comes before the terminal is taken, or after at_exit can give it back */
	if (!registered)
		atexit(at_exit);
	registered = true;
	face.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	wake = signals_open();
	captured = capture_open();
	st = face.fd < 0 || wake < 0 || captured < 0 ? error_set(e, STATUS_FAILED, "tui: no file descriptors left")
						     : screen_open(face.fd, captured, e);
	if (st) {
		capture_close(s);
		signals_close();
		close(face.fd);
		return st;
	}
	face.session = s;
	face.ascii = !utf8;
	face.out = s->out;
	face.nowhere = fopen("/dev/null", "w");
	face.seen = console_count(s);
	s->out = face.nowhere;
	screen_size(&desk_of(s)->width, &desk_of(s)->height);
	input_open(STDIN_FILENO, wake, utf8);
	prompt_open(s, utf8, fileno(face.nowhere));
	interrupt_set_watch(&watch);
	return STATUS_OK;
}

void tui_stop(struct session *s)
{
	if (!face.session)
		return;
	face.session = NULL;
	interrupt_set_watch(NULL);
	screen_close();
	capture_close(s);
	prompt_close();
	input_close();
	signals_close();
	close(face.fd);
	s->out = face.out;
	fclose(face.nowhere);
	free(face.chosen);
	face.chosen = NULL;
	for (u32 i = face.seen; i < console_count(s); i++) {
		session_put(s, s->out, console_line(s, i));
		fputc('\n', s->out);
	}
	fflush(s->out);
}

/* --- the loop --- */

static bool is_busy(void)
{
	return input_pending() || signals_pending();
}

enum wait face_wait(struct session *s, struct key *k)
{
	struct desk *d = desk_of(s);

	for (;;) {
		u32 flags = signals_take();

		if (flags & (SIGNAL_RESIZE | SIGNAL_RESUME))
			d->repaint = true;
		if (flags & SIGNAL_INTERRUPT) {
			timeline_interrupt = 0;
			d->overlay = OVERLAY_NONE;
			return WAIT_INTERRUPT;
		}
		if (!input_pending())
			draw();
		if (s->live && !is_busy())
			timeline_prepare(s->timeline, is_busy);
		input_key(k, signals_pending() ? 0 : -1);
		if (k->code == K_END_OF_INPUT)
			return WAIT_END;
		if (k->code == K_MOUSE && !d->overlay && (face.chosen = face_point(s, k)))
			return WAIT_CHOSEN;
		if (k->code == K_MOUSE && d->overlay)
			overlay_wheel(d, k);
		if (k->code == K_NONE || k->code == K_MOUSE)
			continue;
		if (!d->overlay)
			return WAIT_KEY;
		if (k->code == 12) {
			d->repaint = true;
			continue;
		}
		face.chosen = overlay_key(s, k);
		if (face.chosen)
			return WAIT_CHOSEN;
	}
}

void face_shown(struct session *s)
{
	face.seen = console_count(s);
}

char *face_chosen(void)
{
	char *line = face.chosen;

	face.chosen = NULL;
	return line;
}
