/*
 * picture.h - a canvas as something to keep: text, text with a terminal's colours, a drawing, a page.
 *
 * A format is one file src/tui/picture_NAME.c and one row in pictures.def. How a cell looks is worked out here for all
 * of them, and for the terminal: see styles.def.
 */
#ifndef WARPSTEP_PICTURE_H
#define WARPSTEP_PICTURE_H

#include "pane.h"

#define NO_COLOUR 0xff
#define COLOUR_LETTERS "krgybmcw" /* of the colours, in their order (styles.def) */

/* How a cell looks. colour: 0 to 7, in the order black, red, green, yellow, blue, magenta, cyan, white; or of the
 * palette of 256; or NO_COLOUR. */
struct look {
	u8 bold, dim, underline, reverse, colour;
};

/* What a picture is made with. */
struct picture_wish {
	bool coloured, light; /* with colors; on a light background */
	bool palette;	      /* of 256 colors, not of eight */
	const char *title;    /* what it is called, safe text */
};

struct picture {
	const char *name, *ends, *doc;
	void (*draw)(const struct canvas *c, const struct picture_wish *wish, struct text *out);
};

enum picture_id {
#define PICTURE(id, name, ends, doc) PICTURE_##id,
#include "pictures.def"
#undef PICTURE
	PICTURE_COUNT
};
extern const struct picture picture_table[PICTURE_COUNT];

#define PICTURE(id, name, ends, doc) \
	void picture_##id(const struct canvas *c, const struct picture_wish *wish, struct text *out);
#include "pictures.def"
#undef PICTURE

/* The format that the end of a file's name tells; text where it tells none. */
const struct picture *picture_of(const char *path);
/* The end of a file's name if it promises a format that no picture has (".png"), else NULL. */
const char *picture_refused(const char *path);

/* Colours and background as the settings say; no title. */
struct picture_wish picture_wish_of(const struct session *s);
/* How a cell looks: its style, the focus as the reverse, what has changed bold. */
struct look look_of(const struct cell *x, const struct picture_wish *wish);
/* Do two look the same? */
bool look_same(struct look a, struct look b);
/* The bytes that make a terminal show what follows so, whatever stood before. */
void look_bytes(struct look l, struct text *out);
/* A cell's characters as UTF-8; nothing for the right half of a wide one. */
void cell_utf8(const struct cell *x, struct text *out);
/* The cells from x on that look the same as cell x of that row: the first behind them. */
u32 look_end(const struct cell *row, u32 width, u32 x, const struct picture_wish *wish);
/* A color of the palette of 256 as red, green, blue; NO_COLOUR: that of ordinary text on a background. And the
 * background.
 */
u32 look_colour(u8 colour, bool light);
u32 look_background(bool light);
/* How much of a dim cell is its own color in drawings and pages; the rest is the background. */
#define DIM_SHADE 0.7
/* Text of SGML: & < > and quotes as entities. */
void text_add_entities(struct text *out, const char *s);

#endif
