/* picture.c - the table of pictures (picture.h), the one of characters alone, and what those in SGML share. */
#include "picture.h"
#include "tui.h"

const struct picture picture_table[PICTURE_COUNT] = {
#define PICTURE(id_, name_, ends_, doc_) {.name = name_, .ends = ends_, .doc = doc_, .draw = picture_##id_},
#include "pictures.def"
#undef PICTURE
};

const struct picture *picture_of(const char *path)
{
	size_t length = strlen(path);

	for (u32 i = 0; i < PICTURE_COUNT; i++)
		for (const char *end = picture_table[i].ends; *end; end += strspn(end, " ")) {
			size_t n = strcspn(end, " ");

			if (length >= n && !strncasecmp(path + length - n, end, n))
				return &picture_table[i];
			end += n;
		}
	return &picture_table[PICTURE_text];
}

const char *picture_refused(const char *path)
{
	static const char *const other[] = {".png",  ".jpg", ".jpeg", ".gif",  ".bmp", ".webp", ".avif", ".tif",
					    ".tiff", ".ico", ".pdf",  ".ps",   ".eps", ".mp4",	".webm", ".mkv",
					    ".mov",  ".avi", ".apng", ".cast", ".gz",  ".xz"};
	size_t length = strlen(path);

	for (u32 i = 0; i < ARRAY_LEN(other); i++)
		if (length >= strlen(other[i]) && !strcasecmp(path + length - strlen(other[i]), other[i]))
			return other[i];
	return NULL;
}

struct picture_wish picture_wish_of(const struct session *s)
{
	return (struct picture_wish){.coloured = s->config.style_colour != COLOUR_NEVER,
				     .light = s->config.style_background};
}

void text_add_entities(struct text *out, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '&': text_add(out, "&amp;"); break;
		case '<': text_add(out, "&lt;"); break;
		case '>': text_add(out, "&gt;"); break;
		case '"': text_add(out, "&quot;"); break;
		default: text_addn(out, s, 1);
		}
}
