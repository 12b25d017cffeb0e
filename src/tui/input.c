/* input.c - bytes of the terminal to keys (input.h). */
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#define BUFFER 4096
#define SEQUENCE_WAIT 25       /* ms that the rest of a sequence may take */
#define PASTE_WAIT 1000	       /* ms after which a paste without its end is over */
#define PASTE_LIMIT (1u << 20) /* bytes of a paste that are kept */

static struct {
	int fd, wake;
	bool utf8, end;
	u8 byte[BUFFER];
	u32 at, n;
	struct text paste;
} in;

void input_open(int fd, int wake, bool utf8)
{
	in.fd = fd;
	in.wake = wake;
	in.utf8 = utf8;
	in.end = false;
	in.at = in.n = 0;
}

u32 input_rest(const u8 **out)
{
	*out = in.byte + in.at;
	return in.n - in.at;
}

void input_close(void)
{
	text_free(&in.paste);
	in.at = in.n = 0;
}

bool input_pending(void)
{
	struct pollfd p = {.fd = in.fd, .events = POLLIN};

	return in.at < in.n || (poll(&p, 1, 0) > 0 && (p.revents & POLLIN));
}

const struct text *input_paste(void)
{
	return &in.paste;
}

/* Read what there is; false after the time, on a signal, at the end. */
static bool fill(int milliseconds)
{
	struct pollfd p[2] = {{.fd = in.fd, .events = POLLIN}, {.fd = in.wake, .events = POLLIN}};
	char dump[64];
	ssize_t n;

	if (in.at < in.n)
		return true;
	if (in.end || poll(p, 2, milliseconds) <= 0)
		return false;
	if (p[1].revents & POLLIN)
		while (read(in.wake, dump, sizeof(dump)) == sizeof(dump))
			;
	if (!(p[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)))
		return false;
	n = read(in.fd, in.byte, BUFFER);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		in.end = true;
	in.at = 0;
	in.n = n > 0 ? (u32)n : 0;
	return n > 0;
}

/* The next byte into the key; false if there is none in time. */
static bool take(struct key *k, int milliseconds)
{
	if (k->n == KEY_BYTES || !fill(milliseconds))
		return false;
	k->byte[k->n++] = in.byte[in.at++];
	return true;
}

/* One byte of a paste to its text: a tab and control bytes become blanks, the ends of lines newlines. */
static void paste_byte(u8 b)
{
	char c = (char)b;

	if (b == '\r')
		c = '\n';
	else if ((b < 0x20 && b != '\n') || b == 0x7f)
		c = ' ';
	if (in.paste.len < PASTE_LIMIT)
		text_addn(&in.paste, &c, 1);
}

/* Everything up to ESC[201~. */
static void take_paste(void)
{
	static const char end[] = "\033[201~";
	u32 matched = 0;

	text_clear(&in.paste);
	text_addn(&in.paste, "", 0);
	while (matched < sizeof(end) - 1 && fill(PASTE_WAIT)) {
		u8 b = in.byte[in.at++];

		if (b == (u8)end[matched]) {
			matched++;
			continue;
		}
		for (u32 i = 0; i < matched; i++)
			paste_byte((u8)end[i]);
		matched = b == 0x1b;
		if (!matched)
			paste_byte(b);
	}
}

/* Sequences and what they mean: after ESC [ or ESC O, without modifiers. */
static const struct {
	const char *sequence;
	u32 code;
} sequence_row[] = {
	{"A", K_UP},	     {"B", K_DOWN},  {"C", K_RIGHT},   {"D", K_LEFT},	 {"H", K_HOME},	 {"F", K_END},
	{"Z", K_BACK_TAB},   {"1~", K_HOME}, {"2~", K_INSERT}, {"3~", K_DELETE}, {"4~", K_END},	 {"5~", K_PAGE_UP},
	{"6~", K_PAGE_DOWN}, {"7~", K_HOME}, {"8~", K_END},    {"P", K_F1},	 {"Q", K_F2},	 {"R", K_F3},
	{"S", K_F4},	     {"[A", K_F1},   {"[B", K_F2},     {"[C", K_F3},	 {"[D", K_F4},	 {"[E", K_F5},
	{"11~", K_F1},	     {"12~", K_F2},  {"13~", K_F3},    {"14~", K_F4},	 {"15~", K_F5},	 {"17~", K_F6},
	{"18~", K_F7},	     {"19~", K_F8},  {"20~", K_F9},    {"21~", K_F10},	 {"23~", K_F11}, {"24~", K_F12},
	{"200~", K_PASTE},
};

/* BUTTON;X;YM, as ESC [ < has it before; m for M: a button is let go. */
static void take_mouse(struct key *k, const char *text)
{
	u32 button, x, y;
	char last;

	if (sscanf(text, "%9u;%9u;%9u%c", &button, &x, &y, &last) != 4 || !x || !y)
		return;
	k->code = K_MOUSE;
	k->button = last == 'M' ? button : MOUSE_NOTHING;
	k->x = x - 1;
	k->y = y - 1;
}

/* A sequence behind ESC [ or ESC O, up to its last byte. */
static void take_sequence(struct key *k, bool csi)
{
	u32 start = k->n;
	char text[KEY_BYTES + 1];

	k->code = K_OTHER;
	while (take(k, SEQUENCE_WAIT)) {
		u8 b = k->byte[k->n - 1];
		bool linux_key = k->n == start + 1 && b == '[';

		if (!csi || (b >= 0x40 && b <= 0x7e && !linux_key))
			break;
	}
	memcpy(text, k->byte + start, k->n - start);
	text[k->n - start] = '\0';
	for (u32 i = 0; i < ARRAY_LEN(sequence_row); i++)
		if (!strcmp(text, sequence_row[i].sequence))
			k->code = sequence_row[i].code;
	if (csi && text[0] == '<')
		take_mouse(k, text + 1);
	if (k->code == K_PASTE)
		take_paste();
}

/* The rest of a character whose first byte is there. */
static void take_character(struct key *k)
{
	u8 b = k->byte[0];
	u32 more = !in.utf8 || b < 0xc2 ? 0 : b < 0xe0 ? 1 : b < 0xf0 ? 2 : b < 0xf5 ? 3 : 0;
	u32 ch = more ? b & (0x3fu >> more) : b;

	for (u32 i = 0; i < more; i++) {
		if (!fill(SEQUENCE_WAIT) || (in.byte[in.at] & 0xc0) != 0x80)
			break;
		take(k, 0);
		ch = ch << 6 | (k->byte[k->n - 1] & 0x3f);
	}
	k->code = k->n == more + 1 ? ch : 0xfffd;
}

void input_key(struct key *k, int milliseconds)
{
	*k = (struct key){.code = K_NONE};
	if (!take(k, milliseconds)) {
		if (in.end)
			k->code = K_END_OF_INPUT;
		return;
	}
	if (k->byte[0] != 0x1b) {
		take_character(k);
		return;
	}
	if (!take(k, SEQUENCE_WAIT)) {
		k->code = 0x1b;
	} else if (k->byte[1] == '[' || k->byte[1] == 'O') {
		if (fill(SEQUENCE_WAIT))
			take_sequence(k, k->byte[1] == '[');
		else
			k->code = K_META;
	} else if (k->byte[1] == 0x1b) { /* the second begins a key of its own */
		in.at--;
		k->n = 1;
		k->code = 0x1b;
	} else {
		k->code = K_META;
	}
}

void input_back(const struct key *k)
{
	in.at -= min_u32(in.at, k->n);
}

const char *key_name(const struct key *k, char *out)
{
	static const struct {
		u32 code;
		const char *name;
	} row[] = {
		{'\t', "Tab"},	      {'\r', "Enter"},	     {'\n', "Enter"},  {' ', "Space"},	 {0x1b, "Esc"},
		{0x7f, "Backspace"},  {K_UP, "Up"},	     {K_DOWN, "Down"}, {K_LEFT, "Left"}, {K_RIGHT, "Right"},
		{K_PAGE_UP, "PgUp"},  {K_PAGE_DOWN, "PgDn"}, {K_HOME, "Home"}, {K_END, "End"},	 {K_BACK_TAB, "S-Tab"},
		{K_DELETE, "Delete"}, {K_INSERT, "Insert"},
	};

	out[0] = '\0';
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (row[i].code == k->code)
			return row[i].name;
	if (k->code >= K_F1 && k->code <= K_F12)
		snprintf(out, 16, "F%u", k->code - K_F1 + 1);
	else if (k->code < 0x20)
		snprintf(out, 16, "^%c", (char)(k->code + 0x40));
	else if (k->code < K_FIRST)
		snprintf(out, 16, "%.*s", k->n, (const char *)k->byte);
	return out;
}
