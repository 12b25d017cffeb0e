/* info_buffers.c - info buffers: the arrays that kernels work on. */
#include "command.h"
#include "info.h"

/* info buffers */
static enum status info_buffers_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	char type[48];
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "buffer type address bytes");
	for (u32 i = 0; i < s->program.nbuffer; i++) {
		const struct buffer *b = &s->program.buffer[i];

		snprintf(type, sizeof(type), "%s[%llu]", value_type_name[b->type], b->count);
		columns_text(&c, safe_text(b->name));
		columns_text(&c, type);
		columns_hex(&c, b->address, 12);
		columns_int(&c, (i64)b->bytes);
	}
	columns_close(&c, "buffers", "no buffers");
	return STATUS_OK;
}

const struct info info_buffers = {
	.name = "buffers", .doc = "buffers: type, address, size", .needs_machine = true, .run = info_buffers_run};
