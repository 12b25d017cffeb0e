/* info_buffers.c - info buffers: the arrays that kernels work on. */
#include "info.h"

#include "texture.h"

/* info buffers */
static void info_buffers_show(struct session *s)
{
	struct columns c;
	struct text type = {0};

	columns_open(&c, s, "buffer type address bytes");
	for (u32 i = 0; i < s->program.nbuffer; i++) {
		const struct buffer *b = &s->program.buffer[i];

		text_clear(&type);
		if (b->texture)
			texture_text(&type, (const struct texture *)(const void *)b->init);
		else
			text_add(&type, "%s[%llu]", value_type_name[b->type], b->count);
		columns_row(&c, safe_text(b->name), type.s);
		columns_hex(&c, b->address, 12);
		columns_int(&c, b->bytes);
	}
	columns_close(&c, "buffers", "no buffers");
	text_free(&type);
}

const struct info info_buffers = {
	.name = "buffers", .doc = "buffers: type, address, size", .needs_machine = true, .show = info_buffers_show};
