/* cmd_texture.c - texture: a buffer as a texture or surface object, whose name is given to kernels as its handle. */
#include "complete.h"
#include "arguments.h"
#include "scene.h"
#include "texture.h"

#define MOST_SIZE 131072 /* texels along an axis, the most of any GPU */

enum { ARG_NAME, ARG_BUFFER, ARG_SHAPE, ARG_SIZE, ARG_FORMAT, ARG_OPTIONS };

/* Options of a group exclude each other. */
enum { GROUP_FILTER = 1, GROUP_EDGE = 2, GROUP_COORDINATES = 4, GROUP_READ = 8, GROUP_SURFACE = 16 };

static const struct texture_option {
	const char *name, *doc;
	u8 group, value;
	size_t at; /* of a u8 in struct texture */
} option_row[] = {
	{"point", "the texel that holds the coordinates (default)", GROUP_FILTER, 0, offsetof(struct texture, linear)},
	{"linear", "the weighted sum of the texels around them", GROUP_FILTER, 1, offsetof(struct texture, linear)},
	{"clamp", "outside: the nearest texel (default)", GROUP_EDGE, EDGE_CLAMP, offsetof(struct texture, edge)},
	{"border", "outside: 0", GROUP_EDGE, EDGE_BORDER, offsetof(struct texture, edge)},
	{"wrap", "outside: the texture repeated; needs normalized", GROUP_EDGE, EDGE_WRAP,
	 offsetof(struct texture, edge)},
	{"mirror", "outside: the texture repeated, every other time reversed; needs normalized", GROUP_EDGE,
	 EDGE_MIRROR, offsetof(struct texture, edge)},
	{"normalized", "coordinates from 0 to 1 (default: in texels)", GROUP_COORDINATES, 1,
	 offsetof(struct texture, normalized)},
	{"float", "integers of 8 or 16 bits read as numbers from 0 or -1 to 1", GROUP_READ, 1,
	 offsetof(struct texture, as_float)},
	{"surface", "for loads and stores of surfaces (suld, sust), not for fetches; takes no other option",
	 GROUP_SURFACE, 1, offsetof(struct texture, surface)},
};

const char *texture_word(u32 i)
{
	return i < ARRAY_LEN(option_row) ? option_row[i].name : NULL;
}

const char *texture_shape_word(u32 i)
{
	return i < TEXTURE_SHAPES ? texture_shape_row[i].name : NULL;
}

static enum status cmd_texture_read_shape(const struct args *a, struct texture *t, struct error *e)
{
	while (t->shape < TEXTURE_SHAPES && strcmp(texture_shape_row[t->shape].name, a->arg[ARG_SHAPE].text))
		t->shape++;
	if (t->shape < TEXTURE_SHAPES)
		return STATUS_OK;
	return usage_at(e, a->arg[ARG_SHAPE].column, "'%s' is not a shape (1d, 2d, 3d, cube, 1d-layered, 2d-layered)",
			token_shown(a->arg[ARG_SHAPE].text));
}

/* WIDTH[,HEIGHT[,DEPTH]], as many as the shape has. */
static enum status cmd_texture_read_size(const struct args *a, struct texture *t, struct error *e)
{
	static const char *const usage[] = {"WIDTH", "WIDTH,HEIGHT", "WIDTH,HEIGHT,DEPTH",
					    "WIDTH", "WIDTH,LAYERS", "WIDTH,HEIGHT,LAYERS"};
	const struct texture_shape_row *row = &texture_shape_row[t->shape];
	const char *at = a->arg[ARG_SIZE].text;
	u32 size[3] = {1, 1, 1}, n = 0;
	char *end = NULL;

	for (; n < row->sizes && *at >= '0' && *at <= '9'; n++) {
		u64 v = strtoull(at, &end, 0);

		if (!v || v > MOST_SIZE)
			return usage_at(e, a->arg[ARG_SIZE].column, "'%s': a size is from 1 to %u", token_shown(at),
					MOST_SIZE);
		size[n] = (u32)v;
		at = *end == ',' ? end + 1 : end;
	}
	if (n < row->sizes || *at || at[-1] == ',')
		return usage_at(e, a->arg[ARG_SIZE].column, "'%s' is not the size of a %s texture (%s)",
				token_shown(a->arg[ARG_SIZE].text), row->name, usage[t->shape]);
	t->width = size[0];
	t->height = t->shape == TEXTURE_CUBE ? size[0] : t->shape == TEXTURE_A1D ? 1 : size[1];
	t->depth = t->shape == TEXTURE_CUBE ? 6 : t->shape == TEXTURE_A1D ? size[1] : size[2];
	return STATUS_OK;
}

/* TYPE[xCHANNELS] */
static enum status cmd_texture_read_format(const struct args *a, struct texture *t, struct error *e)
{
	const char *text = a->arg[ARG_FORMAT].text, *x = strchr(text, 'x');
	size_t n = x ? (size_t)(x - text) : strlen(text);

	while (t->type < TEXEL_TYPES && (strlen(texel_name[t->type]) != n || memcmp(texel_name[t->type], text, n)))
		t->type++;
	t->channels = x ? (u8)(x[1] - '0') : 1;
	if (t->type < TEXEL_TYPES && (!x || !strcmp(x, "x1") || !strcmp(x, "x2") || !strcmp(x, "x4")))
		return STATUS_OK;
	return usage_at(e, a->arg[ARG_FORMAT].column,
			"'%s' is not a format of texels (u8 s8 u16 s16 u32 s32 f16 f32; x2 or x4 channels: u8x4)",
			token_shown(text));
}

/* One option; given: groups of those before it. */
static enum status cmd_texture_read_option(const struct token *word, u32 *given, struct texture *t, struct error *e)
{
	u32 i = 0;

	while (i < ARRAY_LEN(option_row) && strcmp(option_row[i].name, word->s))
		i++;
	if (i == ARRAY_LEN(option_row))
		return usage_at(
			e, word->column,
			"'%s' is not an option of `texture` (point, linear, clamp, border, wrap, mirror, normalized, float, surface)",
			token_shown(word->s));
	if (*given & option_row[i].group)
		return usage_at(e, word->column, "'%s': an option of this kind is already given", word->s);
	if (*given && (option_row[i].group | *given) & GROUP_SURFACE)
		return usage_at(e, word->column,
				"'%s': a surface has no other options (it is neither filtered nor scaled)", word->s);
	*given |= option_row[i].group;
	*((u8 *)t + option_row[i].at) = option_row[i].value;
	return STATUS_OK;
}

/* What does not go together; NULL: all does. */
static const char *cmd_texture_conflict(const struct texture *t)
{
	bool whole = t->type < TEXEL_F16;

	if (t->shape == TEXTURE_CUBE && t->surface)
		return "a cube cannot be a surface (declare a 2d-layered one with 6 layers)";
	if (t->shape == TEXTURE_CUBE && t->edge != EDGE_CLAMP)
		return "a cube has no outside (only clamp)";
	if (t->as_float && (!whole || texel_size[t->type] > 2))
		return "'float' is for texels of u8, s8, u16 and s16";
	if (t->linear && whole && !t->as_float)
		return "integers are not filtered (point, or linear with float)";
	if (t->edge > EDGE_BORDER && !t->normalized)
		return "wrap and mirror need normalized coordinates (add normalized)";
	return NULL;
}

/* The texels are in the buffer. */
static enum status cmd_texture_check_buffer(const struct args *a, const struct buffer *b, const struct texture *t,
					    struct error *e)
{
	u64 bytes = (u64)t->width * t->height * texture_texel_bytes(t);

	if (b->texture)
		return usage_at(e, a->arg[ARG_BUFFER].column,
				"'%s' is a texture itself (name the buffer of its texels)", token_shown(b->name));
	if (bytes * t->depth <= b->bytes)
		return STATUS_OK;
	return usage_at(e, a->arg[ARG_SIZE].column,
			"%u x %u x %u texels of %u bytes do not fit in %s, which has %llu bytes", t->width, t->height,
			t->depth, texture_texel_bytes(t), token_shown(b->name), b->bytes);
}

/* All that the line says, checked. */
static enum status cmd_texture_read(struct session *s, const struct args *a, struct texture *t, struct error *e)
{
	const struct buffer *b = scene_buffer(s, a->arg[ARG_BUFFER].text);
	enum status st = STATUS_OK;
	const char *conflict;
	u32 given = 0;

	if (!b)
		return usage_at(e, a->arg[ARG_BUFFER].column, "no buffer '%s' (declare it with `buffer` first)",
				token_shown(a->arg[ARG_BUFFER].text));
	st = cmd_texture_read_shape(a, t, e);
	st = st ? st : cmd_texture_read_size(a, t, e);
	st = st ? st : cmd_texture_read_format(a, t, e);
	for (u32 i = a->rest; i < a->ntokens && !st; i++)
		st = cmd_texture_read_option(&a->token[i], &given, t, e);
	conflict = st ? NULL : cmd_texture_conflict(t);
	if (conflict)
		return usage_at(e, a->arg[ARG_SHAPE].column, "%s: %s", token_shown(a->arg[ARG_NAME].text), conflict);
	t->address = b->address;
	t->normalized |= t->shape == TEXTURE_CUBE;
	return st ? st : cmd_texture_check_buffer(a, b, t, e);
}

static enum status cmd_texture_run(struct session *s, const struct args *a, struct error *e)
{
	struct texture t = {0};
	enum status st = buffer_name_check(s, a->arg[ARG_NAME].text, a->arg[ARG_NAME].column, e);

	if (!st)
		st = cmd_texture_read(s, a, &t, e);
	if (!st)
		st = scene_add_texture(s, a->arg[ARG_NAME].text, &t, e);
	if (!st && s->stale)
		session_print(s, "takes effect at restart\n");
	return st;
}

/* The options, for help. */
static void cmd_texture_rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(option_row); i++)
		help_row(out, option_row[i].name, 12, option_row[i].doc);
}

const struct command command_texture = {
	.name = "texture",
	.group = "setup",
	.summary = "declare a texture or surface object over a buffer",
	.details =
		"NAME is given to a kernel where it takes a handle (cudaTextureObject_t, cudaSurfaceObject_t). The texels lie\n"
		"in BUFFER row after row without gaps; planes, layers and the six faces of a cube follow each other. SHAPE is\n"
		"1d, 2d, 3d, cube, 1d-layered or 2d-layered, SIZE is WIDTH[,HEIGHT[,DEPTH or LAYERS]]. FORMAT is u8, s8, u16,\n"
		"s16, u32, s32, f16 or f32, with x2 or x4 for two or four channels. Options:",
	.rows = cmd_texture_rows,
	.examples = "texture image pixels 2d 512,512 u8x4 linear float\n"
		    "texture sky faces cube 64 f32x4 linear\n"
		    "texture out result 2d 512,512 f32 surface",
	.flags = COMMAND_SETUP,
	.run = cmd_texture_run,
	.arg = {{"NAME", ARG_WORD, .doc = "name of the object"},
		{"BUFFER", ARG_WORD, .doc = "buffer of the texels", .complete = complete_array},
		{"SHAPE", ARG_WORD, .doc = "shape", .complete = complete_texture_shape},
		{"SIZE", ARG_WORD, .doc = "texels along each axis"},
		{"FORMAT", ARG_WORD, .doc = "type and channels of a texel"},
		{"OPTION ...", ARG_REST, .doc = "filter, edges, coordinates", .complete = complete_texture,
		 .optional = true}},
};
