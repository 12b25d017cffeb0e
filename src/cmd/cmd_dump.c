/* cmd_dump.c - dump: a buffer's bytes to a file. */
#include "complete.h"
#include "paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (1u << 20)

/* Write every byte of a buffer. */
static bool cmd_dump_write_all(struct session *s, const struct buffer *b, FILE *f)
{
	u8 *block = xmalloc(BLOCK);
	bool good = true;

	for (u64 at = 0; at < b->bytes && good; at += BLOCK) {
		u64 n = min_u64(BLOCK, b->bytes - at);

		store_read(session_store(s), b->address + at, block, n);
		good = fwrite(block, 1, n, f) == n;
	}
	free(block);
	return good;
}

static enum status cmd_dump_run(struct session *s, const struct args *a, struct error *e)
{
	const struct buffer *b = NULL;
	enum status st = STATUS_OK;
	char *path;
	FILE *f;

	for (u32 i = 0; i < s->program.nbuffer; i++)
		if (!strcmp(s->program.buffer[i].name, a->arg[0].text))
			b = &s->program.buffer[i];
	if (!b)
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column, "no buffer `%s`",
				token_shown(a->arg[0].text));
	path = path_resolve(s, a, &a->token[2], true, e);
	if (!path)
		return STATUS_USAGE;
	f = fopen(path, "wb");
	if (!f || !cmd_dump_write_all(s, b, f))
		st = error_at(e, STATUS_FAILED, NULL, 0, a->arg[1].column, "cannot write %s: %s", safe_text(path),
			      strerror(errno));
	if (f && fclose(f) && !st)
		st = error_at(e, STATUS_FAILED, NULL, 0, a->arg[1].column, "cannot write %s: %s", safe_text(path),
			      strerror(errno));
	free(path);
	return st;
}

const struct command command_dump = {
	.name = "dump",
	.group = "files",
	.summary = "write a buffer's bytes to a file, raw and little-endian",
	.examples = "dump c /tmp/c.bin",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_WRITES,
	.run = cmd_dump_run,
	.arg =
		{
			{.name = "NAME", .type = ARG_WORD, .complete = complete_array, .doc = "buffer"},
			{.name = "FILE", .type = ARG_WORD, .complete = complete_file, .doc = "file to write"},
		},
};
