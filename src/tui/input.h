/*
 * input.h - the terminal's bytes as whole keys: characters, named keys, pastes.
 *
 * Bytes are read when there are some, never by curses. A key is given out when it is complete, so that readline never
 * sees half of a sequence or of a character; a bracketed paste is one key whose text is kept apart.
 */
#ifndef WARPSTEP_INPUT_H
#define WARPSTEP_INPUT_H

#include "base.h"

enum key_code {
	K_FIRST = 0x110000, /* behind all characters */
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_PAGE_UP,
	K_PAGE_DOWN,
	K_HOME,
	K_END,
	K_BACK_TAB,
	K_DELETE,
	K_INSERT,
	K_F1,
	K_F2,
	K_F3,
	K_F4,
	K_F5,
	K_F6,
	K_F7,
	K_F8,
	K_F9,
	K_F10,
	K_F11,
	K_F12,
	K_META,	 /* Esc and a character */
	K_OTHER, /* a sequence that is none of these */
	K_PASTE, /* text: input_paste */
	K_MOUSE, /* button, x, y */
	K_NONE,
	K_END_OF_INPUT
};

#define KEY_BYTES 40
struct key {
	u32 code;	       /* a character, or enum key_code */
	u8 n, byte[KEY_BYTES]; /* as it came */
	u32 button, x, y;      /* of the mouse: MOUSE_*, and the cell */
};
enum mouse_button { MOUSE_LEFT = 0, MOUSE_WHEEL_UP = 64, MOUSE_WHEEL_DOWN = 65, MOUSE_NOTHING = 0xff };

/* fd: the terminal; wake: a descriptor that becomes readable when a signal has come. utf8: the locale's characters. */
void input_open(int fd, int wake, bool utf8);
/* The bytes that were not taken yet; their number. */
u32 input_rest(const u8 **out);
void input_close(void);
/* The next key; K_NONE after `milliseconds` (-1: wait for ever) or when a signal has come. */
void input_key(struct key *k, int milliseconds);
/* The key that was read last is read again. */
void input_back(const struct key *k);
/* Bytes are there that have not been given out. */
bool input_pending(void);
/* The text of the last paste: control bytes gone, lines set off by newlines. */
const struct text *input_paste(void);
/* The name that keys.def has for a key: "s", "Tab", "^L"; in out (16 bytes). */
const char *key_name(const struct key *k, char *out);

#endif
