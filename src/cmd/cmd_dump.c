/* cmd_dump.c - dump: the bytes of a buffer, of shared or of local memory to a file. */
#include "complete.h"
#include "extent.h"
#include "paths.h"

#define BLOCK (1u << 20)

/* Write every byte of a stretch of memory. */
static bool cmd_dump_write(struct session *s, const struct extent *x, FILE *f)
{
	u8 *block = xmalloc(BLOCK);
	u64 bytes = extent_bytes(s, x);
	bool good = true;

	for (u64 at = 0; at < bytes && good; at += BLOCK) {
		u64 n = min_u64(BLOCK, bytes - at);

		good = extent_read(s, x, at, block, (u32)n) && fwrite(block, 1, n, f) == n;
	}
	free(block);
	return good;
}

/* The same of all lanes of a warp, one behind the other, where its local memory is named without one. */
static bool cmd_dump_write_all(struct session *s, const struct extent *x, bool whole, FILE *f)
{
	struct extent lane = *x;
	bool good = true;

	if (x->kind != EXTENT_LOCAL || !whole)
		return cmd_dump_write(s, x, f);
	for (lane.lane = 0; lane.lane < WARP_LANES && good; lane.lane++)
		good = cmd_dump_write(s, &lane, f);
	return good;
}

/* What NAME means; an element of a buffer is none. */
static enum status cmd_dump_find(struct session *s, const struct arg *name, struct extent *x, bool *whole,
				 struct error *e)
{
	u64 at;
	enum status st = extent_named(s, name->text, 0, x, &at, whole, e);

	if (!st && (*whole || x->kind != EXTENT_BUFFER))
		return STATUS_OK;
	if (!st || (!*whole && !strpbrk(name->text, ".[")))
		st = error_set(e, STATUS_USAGE, "no buffer '%s' (`info buffers` lists them)", token_shown(name->text));
	e->column = name->column;
	return st;
}

static enum status cmd_dump_run(struct session *s, const struct args *a, struct error *e)
{
	struct extent x;
	bool whole;
	enum status st = cmd_dump_find(s, &a->arg[0], &x, &whole, e);
	FILE *f;

	if (st)
		return st;
	f = path_open(s, &a->token[2], OUTFILE_WHOLE, e);
	if (!f)
		return e->status;
	return path_close(f, &a->token[2], cmd_dump_write_all(s, &x, whole, f), e);
}

const struct command command_dump = {
	.name = "dump",
	.group = "files",
	.summary = "write a buffer, shared memory or local memory to a file, raw and little-endian",
	.details =
		"NAME is a buffer; `shared`, the shared memory of the focused warp's CTA; or `local`, the local memory of the\n"
		"focused warp, lane by lane. local[3][0] is that of one lane. Another warp's memories are warp[5].shared and\n"
		"sm[1].warp[5].local.",
	.examples = "dump c /tmp/c.bin\ndump shared /tmp/tile.bin\ndump warp[1].shared /tmp/tile.bin",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_WRITES,
	.run = cmd_dump_run,
	.arg = {{"NAME", ARG_WORD, .doc = "buffer, shared or local", .complete = complete_array},
		{"FILE", ARG_OUTPUT, .doc = "file to write", .complete = complete_file}},
};
