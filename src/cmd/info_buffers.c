/* info_buffers.c - info buffers: the arrays that kernels work on. */
#include "info.h"

/* info buffers */
static void info_buffers_show(struct session *s)
{
	struct columns c;
	char type[48];

	columns_open(&c, s, "buffer type address bytes");
	for (u32 i = 0; i < s->program.nbuffer; i++) {
		const struct buffer *b = &s->program.buffer[i];

		snprintf(type, sizeof(type), "%s[%llu]", value_type_name[b->type], b->count);
		columns_row(&c, safe_text(b->name), type);
		columns_hex(&c, b->address, 12);
		columns_int(&c, b->bytes);
	}
	columns_close(&c, "buffers", "no buffers");
}

const struct info info_buffers = {
	.name = "buffers", .doc = "buffers: type, address, size", .needs_machine = true, .show = info_buffers_show};
