/*
 * screen.c - ncurses (screen.h). Colors are the terminal's own, on its own background; without colors, or where the
 * user wants none, attributes alone. Boxes are drawn with characters, never with the alternate character set.
 */
#include "screen.h"
#include "picture.h"
#include "signals.h"

#include <curses.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

static struct {
	SCREEN *curses;
	FILE *out, *in;
	int fd;
	bool styled, mouse; /* styled: look is for the wish and background below */
	u8 wish, light;
	struct picture_wish look;
	struct termios outside;
	struct signal_terminal terminal;
} screen;

bool screen_possible(const char **why)
{
	const char *name = getenv("TERM");
	TERMINAL *known;
	int err = 0;
	char *move;
	bool able;

	*why = "TERM is not set";
	if (!name || !*name)
		return false;
	*why = "TERM=dumb cannot position the cursor";
	if (!strcmp(name, "dumb"))
		return false;
	*why = "unknown terminal type in TERM";
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK || err != 1)
		return false;
	*why = "the terminal in TERM cannot position the cursor";
	move = tigetstr((char *)(uintptr_t) "cup");
	able = move && move != (char *)-1;
	if (able)
		*why = NULL;
	known = cur_term;
	set_curterm(NULL);
	del_curterm(known);
	return able;
}

/* --- bytes for a signal handler --- */

static char *bytes;
static u32 nbytes;

/* Take one byte of a capability's string. */
static int put_byte(int c)
{
	if (nbytes < sizeof(screen.terminal.leave))
		bytes[nbytes++] = (char)c;
	return c;
}

/* Add a capability, if the terminal has it. */
static bool add_capability(const char *name)
{
	char *s = tigetstr((char *)(uintptr_t)name);

	if (!s || s == (char *)-1)
		return false;
	tputs(s, 1, put_byte);
	return true;
}

/* Add bytes as they are. */
static void add_bytes(const char *s)
{
	while (*s)
		put_byte(*s++);
}

/* Does the terminal read bracketed pastes, or at least pass over what it does not know? */
static bool knows_private_modes(void)
{
	const char *name = getenv("TERM");

	return name && strncmp(name, "vt", 2) && strncmp(name, "ansi", 4);
}

/* Prepare what leaves and enters the full screen. */
static void prepare_bytes(int captured)
{
	struct signal_terminal *t = &screen.terminal;

	bytes = t->leave;
	nbytes = 0;
	if (knows_private_modes())
		add_bytes(PASTE_OFF);
	if (screen.mouse)
		add_bytes(MOUSE_OFF);
	add_capability("sgr0");
	add_capability("cnorm");
	if (!add_capability("rmcup"))
		add_bytes("\r\n");
	t->nleave = nbytes;
	bytes = t->enter;
	nbytes = 0;
	add_capability("smcup");
	if (knows_private_modes())
		add_bytes(PASTE_ON);
	if (screen.mouse)
		add_bytes(MOUSE_ON);
	t->nenter = nbytes;
	t->fd = screen.fd;
	t->captured = captured;
	t->outside = screen.outside;
	tcgetattr(screen.fd, &t->inside);
}

/* --- colors --- */

/* Are colors on, and has the terminal any? */
static bool wants_colour(enum colour_wish wish)
{
	const char *no = getenv("NO_COLOR");

	if (wish == COLOUR_NEVER || (wish == COLOUR_AUTO && no && *no))
		return false;
	return has_colors() && start_color() == OK && use_default_colors() == OK;
}

/* --- open, close, size --- */

/* Modes of the terminal: characters at once, no echo, no flow control; signals are on, and Ctrl-C or Ctrl-Z throws
 * nothing away of what is on its way to the screen, which curses takes for drawn. */
static void set_modes(void)
{
	struct termios t;

	cbreak();
	noecho();
	nonl();
	if (tcgetattr(screen.fd, &t))
		return;
	t.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ISTRIP);
	t.c_lflag |= NOFLSH;
	t.c_cc[VLNEXT] = t.c_cc[VDISCARD] = _POSIX_VDISABLE;
	tcsetattr(screen.fd, TCSADRAIN, &t);
	def_prog_mode();
}

void screen_style(enum colour_wish colour, bool light)
{
	if (screen.styled && screen.wish == colour && screen.light == light)
		return;
	screen.styled = true;
	screen.wish = colour;
	screen.light = light;
	screen.look = (struct picture_wish){.coloured = wants_colour(colour), .light = light};
	screen.look.palette = screen.look.coloured && COLORS >= 256;
	for (short i = 0; screen.look.palette && i < STYLE_COUNT; i++)
		init_pair((short)(i + 1), style_table[i].palette[light], -1);
	for (short i = 0; screen.look.coloured && !screen.look.palette && i < 8; i++)
		init_pair((short)(i + 1), i, -1);
}

enum status screen_open(int fd, int captured, struct error *e)
{
	use_tioctl(TRUE);
	screen.fd = fd;
	screen.out = fdopen(dup(fd), "w");
	screen.in = fdopen(dup(STDIN_FILENO), "r");
	if (!screen.out || !screen.in)
		return error_set(e, STATUS_FAILED, "cannot open the terminal");
	if (tcgetattr(screen.fd, &screen.outside))
		return error_set(e, STATUS_FAILED, "cannot read the terminal modes");
	screen.curses = newterm(NULL, screen.out, screen.in);
	if (!screen.curses)
		return error_set(e, STATUS_FAILED, "cannot open the terminal");
	set_term(screen.curses);
	set_modes();
	screen.styled = false;
	prepare_bytes(captured);
	signals_terminal(&screen.terminal);
	if (knows_private_modes()) {
		fputs(PASTE_ON, screen.out);
		fflush(screen.out);
	}
	screen_resize();
	return STATUS_OK;
}

void screen_mouse(bool on)
{
	if (on == screen.mouse || !knows_private_modes())
		return;
	screen.mouse = on;
	prepare_bytes(screen.terminal.captured);
	signals_terminal(&screen.terminal);
	fputs(on ? MOUSE_ON : MOUSE_OFF, screen.out);
	fflush(screen.out);
}

void screen_close(void)
{
	if (!screen.curses)
		return;
	screen_mouse(false);
	signals_terminal(NULL);
	if (knows_private_modes())
		fputs(PASTE_OFF, screen.out);
	erase();
	move(0, 0);
	endwin();
	delscreen(screen.curses);
	tcsetattr(screen.fd, TCSADRAIN, &screen.outside);
	fclose(screen.out);
	fclose(screen.in);
	screen.curses = NULL;
}

void screen_size(u32 *width, u32 *height)
{
	struct winsize w = {0};

	if (ioctl(screen.fd, TIOCGWINSZ, &w) || !w.ws_col || !w.ws_row) {
		w.ws_col = (unsigned short)(COLS > 0 ? COLS : 80);
		w.ws_row = (unsigned short)(LINES > 0 ? LINES : 24);
	}
	*width = min_u32(w.ws_col, 1000);
	*height = min_u32(w.ws_row, 1000);
}

void screen_resize(void)
{
	u32 width, height;

	screen_size(&width, &height);
	resizeterm((int)height, (int)width);
	clearok(curscr, TRUE);
	erase();
}

/* How a cell looks, as curses has it. */
static attr_t cell_attribute(const struct cell *x)
{
	struct look l = look_of(x, &screen.look);
	attr_t a = l.bold ? A_BOLD : A_NORMAL;

	if (l.dim)
		a |= A_DIM;
	if (l.underline)
		a |= A_UNDERLINE;
	if (l.reverse)
		a |= A_REVERSE;
	if (l.colour != NO_COLOUR)
		a |= (attr_t)COLOR_PAIR(screen.look.palette ? x->style + 1 : l.colour + 1);
	return a;
}

/* A character of a cell with its marks for curses; those of which the locale thinks otherwise than the canvas stand as
 * `?`. */
static void cell_text(const struct cell *x, u32 width, wchar_t text[2 + CELL_MARKS])
{
	u32 n = 1;

	text[0] = x->ch < 0x300 || wcwidth((wchar_t)x->ch) == (int)width ? (wchar_t)x->ch : L'?';
	for (u32 i = 0; i < CELL_MARKS && x->mark[i]; i++)
		if (wcwidth((wchar_t)x->mark[i]) == 0)
			text[n++] = (wchar_t)x->mark[i];
	text[n] = 0;
}

/* A row of cells as curses has them: a wide character is one of them. Their number. */
static u32 row_cells(const struct cell *from, u32 width, cchar_t *row)
{
	u32 n = 0;

	for (u32 i = 0; i < width; i++) {
		u32 wide = i + 1 < width && !from[i + 1].ch ? 2 : 1;
		attr_t a = cell_attribute(&from[i]);
		wchar_t text[2 + CELL_MARKS] = L" ";

		if (from[i].ch)
			cell_text(&from[i], wide, text);
		setcchar(&row[n++], text, a & ~(attr_t)A_COLOR, (short)PAIR_NUMBER(a), NULL);
		i += wide == 2 && wcwidth(text[0]) == 2; /* else a blank stands for the right half */
	}
	return n;
}

void screen_show(const struct canvas *c, u32 x, u32 y)
{
	cchar_t *row = xmalloc(((size_t)c->width + 1) * sizeof(*row));

	for (u32 j = 0; j < c->height; j++)
		mvadd_wchnstr((int)j, 0, row, (int)row_cells(&c->cell[(size_t)j * c->width], c->width, row));
	free(row);
	move((int)y, (int)x);
	wnoutrefresh(stdscr);
	doupdate();
}
