/*
 * cast.c - recording the screen (cast.h). A frame is written as what differs from the one before: where a run of cells
 * that look the same begins, its look, its characters. On the full screen a frame is recorded when it is shown, with
 * the clock's time; without one the time is the script's own: a line stands at the prompt for half of record.pace, then
 * its result is seen for the other half, so that the same script gives the same recording.
 */
#include "cast.h"

#include "command.h"
#include "desk.h"
#include "outfile.h"
#include "picture.h"

struct cast {
	FILE *f;
	char *name;
	struct canvas last; /* the frame before; width 0: there is none */
	u32 cursor_x, cursor_y;
	u64 time,
		clock; /* of the frame before, ms: in the recording; on the clock, 0: it was none of the full screen */
	u64 frames;
};

/* A line: an event or what the recording is. The object is used up. */
static void put_line(struct cast *r, json_t *object)
{
	char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

	fprintf(r->f, "%s\n", line ? line : "");
	outfile_flush(r->f);
	free(line);
	json_decref(object);
}

/* Do two cells show the same? */
static bool cells_same(const struct cell *a, const struct cell *b, const struct picture_wish *wish)
{
	return a->ch == b->ch && !memcmp(a->mark, b->mark, sizeof(a->mark)) &&
	       look_same(look_of(a, wish), look_of(b, wish));
}

/* The bytes that turn a row of the frame before into that of now. */
static void add_row(const struct canvas *c, const struct canvas *before, u32 y, const struct picture_wish *wish,
		    struct text *out)
{
	const struct cell *now = &c->cell[(size_t)y * c->width], *old = &before->cell[(size_t)y * c->width];

	for (u32 x = 0; x < c->width;) {
		u32 end = look_end(now, c->width, x, wish), from = x, to = end;

		while (from < end && cells_same(&now[from], &old[from], wish))
			from++;
		while (to > from && cells_same(&now[to - 1], &old[to - 1], wish))
			to--;
		from -= from > x && from < to && !now[from].ch; /* a wide character is written as a whole */
		to += to > from && to < end && !now[to].ch;
		x = end;
		if (from >= to)
			continue;
		text_add(out, "\033[%u;%uH", y + 1, from + 1);
		look_bytes(look_of(&now[from], wish), out);
		for (; from < to; from++)
			cell_utf8(&now[from], out);
	}
}

/* A frame becomes the one before. */
static void keep_frame(struct cast *r, const struct canvas *c)
{
	if (r->last.width != c->width || r->last.height != c->height) {
		canvas_free(&r->last);
		canvas_init(&r->last, c->width, c->height, c->ascii);
	}
	memcpy(r->last.cell, c->cell, (size_t)c->width * c->height * sizeof(*c->cell));
}

/* The first frame, or one of another size: an empty screen is what stood before. */
static void begin_frames(struct session *s, struct cast *r, const struct canvas *c, struct text *bytes)
{
	double idle = s->config.record_idle;
	json_t *head;

	if (r->last.width) {
		char *size = xasprintf("%ux%u", c->width, c->height);

		put_line(r, json_pack("[f,s,s]", (double)r->time / 1000, "r", size));
		free(size);
	} else {
		head = json_pack("{s:i,s:i,s:i,s:s,s:{s:s}}", "version", 2, "width", (int)c->width, "height",
				 (int)c->height, "title", "warpstep", "env", "TERM", "xterm-256color");
		if (idle > 0)
			json_object_set_new(head, "idle_time_limit", json_real(idle));
		put_line(r, head);
	}
	canvas_free(&r->last);
	canvas_init(&r->last, c->width, c->height, c->ascii);
	text_add(bytes, "\033[0m\033[2J");
}

/* Recordings have the palette of 256 colors, as their head says. */
static struct picture_wish cast_wish(const struct session *s)
{
	struct picture_wish wish = picture_wish_of(s);

	wish.palette = true;
	return wish;
}

/* A frame with its cursor, so many milliseconds behind the one before; nothing is written where nothing has changed. */
static void put_frame(struct session *s, const struct canvas *c, u32 x, u32 y, u64 later)
{
	struct cast *r = desk_of(s)->cast;
	struct picture_wish wish = cast_wish(s);
	struct text bytes = {0};

	r->time += later;
	if (r->last.width != c->width || r->last.height != c->height)
		begin_frames(s, r, c, &bytes);
	for (u32 row = 0; row < c->height; row++)
		add_row(c, &r->last, row, &wish, &bytes);
	if (!bytes.len && x == r->cursor_x && y == r->cursor_y)
		return;
	text_add(&bytes, "\033[0m\033[%u;%uH", y + 1, x + 1);
	put_line(r, json_pack("[f,s,s]", (double)r->time / 1000, "o", bytes.s));
	text_free(&bytes);
	keep_frame(r, c);
	r->cursor_x = x;
	r->cursor_y = y;
	r->frames++;
}

void cast_show(struct session *s, const struct canvas *c, u32 x, u32 y)
{
	struct cast *r = desk_of(s)->cast;
	u64 now = host_milliseconds();

	if (!r)
		return;
	put_frame(s, c, x, y, r->clock ? now - r->clock : 0);
	r->clock = now;
}

void cast_line(struct session *s, const struct command *command, const char *line, bool done)
{
	struct desk *d = s->desk;
	u64 half = s->config.record_pace / 2;
	struct canvas c;

	if (!d || !d->cast || tui_active() || (!done && !strcmp(command->name, "record")))
		return;
	frame_now(s, &c);
	if (!done && c.height > 2) {
		for (u32 x = 0; x < c.width; x++)
			canvas_put(&c, x, c.height - 2, ' ', STYLE_PLAIN);
		d->cursor_y = c.height - 2;
		d->cursor_x =
			min_u32(canvas_print(&c, 0, c.height - 2, STYLE_PLAIN, "(warpstep) %s", line), c.width - 1);
	}
	put_frame(s, &c, d->cursor_x, d->cursor_y, d->cast->frames ? half : 0);
	canvas_free(&c);
}

enum status cast_may_begin(struct session *s, struct error *e)
{
	const struct cast *r = desk_of(s)->cast;

	return r ? error_set(e, STATUS_FAILED, "record: already recording to %s (`record off` ends it)",
			     safe_text(r->name))
		 : STATUS_OK;
}

void cast_begin(struct session *s, FILE *f, const char *name)
{
	struct desk *d = desk_of(s);

	d->cast = xcalloc(1, sizeof(*d->cast));
	d->cast->f = f;
	d->cast->name = xstrdup(name);
}

/* Its end: the file is complete, or an error. */
static enum status cast_free(struct desk *d, struct error *e)
{
	struct cast *r = d->cast;
	int error = outfile_close(r->f, true);
	enum status st = error ? outfile_failed(e, r->name, error) : STATUS_OK;

	canvas_free(&r->last);
	free(r->name);
	free(r);
	d->cast = NULL;
	return st;
}

enum status cast_end(struct session *s, struct cast_told *told, struct error *e)
{
	struct desk *d = desk_of(s);

	if (!d->cast)
		return error_set(e, STATUS_FAILED, "record: no recording (`record FILE` starts one)");
	*told = (struct cast_told){.frames = d->cast->frames, .seconds = (double)d->cast->time / 1000};
	snprintf(told->name, sizeof(told->name), "%s", safe_text(d->cast->name));
	return cast_free(d, e);
}

enum status cast_close(struct session *s, struct error *e)
{
	return s->desk && s->desk->cast ? cast_free(s->desk, e) : STATUS_OK;
}
