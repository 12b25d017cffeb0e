/* wrap.c - lines folded to a width, as they come. */
#include "width.h"

/* Cells of n bytes. */
static u32 cells(const char *s, size_t n)
{
	u32 sum = 0;

	for (const char *p = s; p < s + n;) {
		u32 width = character_width(character_next(&p));

		sum += width == WIDTH_UNKNOWN ? 1 : width;
	}
	return sum;
}

/* A new row below. */
static void down(struct wrap *w, struct text *out)
{
	text_add(out, "\n%*s", (int)w->hang, "");
	w->at = w->hang;
	w->below = true;
}

/* A word that is wider than a row, over as many rows as it takes. */
static void broken(struct wrap *w, struct text *out, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		size_t bytes = 1;
		u32 wide;

		while (s + bytes < end && ((u8)s[bytes] & 0xc0) == 0x80)
			bytes++;
		wide = cells(s, bytes);
		if (w->at + wide > w->width && w->at > w->hang)
			down(w, out);
		text_addn(out, s, bytes);
		w->at += wide;
		s += bytes;
	}
}

/* Where the rows below begin, if the part that begins in this cell, behind so many blanks, says so. */
static void note_hang(struct wrap *w, u32 begin, u32 blanks)
{
	u32 most = w->width * 3 / 5;

	if (w->below || begin > most)
		return;
	if (!w->at)
		w->hang = begin + 2 <= most ? begin + 2 : 0;
	else if (blanks > 1)
		w->hang = begin;
}

/* Blanks, and the word behind them. */
static void piece(struct wrap *w, struct text *out, u32 blanks, const char *word, size_t n)
{
	u32 wide = cells(word, n), begin = w->at + blanks;

	if (!n) { /* the end of a line, or of a piece of it */
		text_add(out, "%*s", (int)(begin > w->width ? 0 : blanks), "");
		w->at = begin > w->width ? w->width : begin;
		return;
	}
	note_hang(w, begin, blanks);
	if (begin >= w->width || (begin + wide > w->width && w->at > w->hang && wide + w->hang <= w->width)) {
		down(w, out);
		blanks = 0;
	}
	text_add(out, "%*s", (int)blanks, "");
	w->at += blanks;
	if (w->at + wide > w->width) {
		broken(w, out, word, n);
	} else {
		text_addn(out, word, n);
		w->at += wide;
	}
}

void wrap_add(struct wrap *w, struct text *out, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		size_t blanks = 0, word = 0;

		if (*s == '\n') {
			text_addn(out, s++, 1);
			*w = (struct wrap){.width = w->width};
			continue;
		}
		while (s + blanks < end && s[blanks] == ' ')
			blanks++;
		while (s + blanks + word < end && s[blanks + word] != ' ' && s[blanks + word] != '\n')
			word++;
		piece(w, out, (u32)blanks, s + blanks, word);
		s += blanks + word;
	}
}
