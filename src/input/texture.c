/* texture.c - texture and surface objects of a program (texture.h). */
#include "texture.h"

const struct texture_shape_row texture_shape_row[TEXTURE_SHAPES] = {
#define SHAPE(id, name, ptx, sizes, coordinates, layered) {name, ptx, sizes, coordinates, layered},
#include "textures.def"
#undef SHAPE
};
const char *const texel_name[TEXEL_TYPES] = {
#define TEXEL(id, name, bytes) name,
#include "textures.def"
#undef TEXEL
};
const u8 texel_size[TEXEL_TYPES] = {
#define TEXEL(id, name, bytes) bytes,
#include "textures.def"
#undef TEXEL
};
const char *const texture_edge_name[TEXTURE_EDGES] = {
#define EDGE(id, name) name,
#include "textures.def"
#undef EDGE
};

const struct texture *texture_at(const struct program *p, u64 handle)
{
	const struct buffer *b = program_buffer_at(p, handle, NULL);

	return b && b->texture && b->address == handle ? (const struct texture *)(const void *)b->init : NULL;
}

void texture_text(struct text *out, const struct texture *t)
{
	const struct texture_shape_row *row = &texture_shape_row[t->shape];
	const u32 size[] = {t->width, row->sizes == 2 && row->layered ? t->depth : t->height, t->depth};

	text_add(out, "%s%s ", t->surface ? "surface " : "", row->name);
	for (u32 i = 0; i < 3 && i < row->sizes; i++)
		text_add(out, "%s%u", i ? "," : "", size[i]);
	text_add(out, " %s", texel_name[t->type]);
	if (t->channels > 1)
		text_add(out, "x%u", t->channels);
	if (t->surface)
		return;
	text_add(out, " %s %s", t->linear ? "linear" : "point", texture_edge_name[t->edge]);
	text_add(out, "%s%s", t->normalized ? " normalized" : "", t->as_float ? " float" : "");
}
