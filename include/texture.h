/*
 * texture.h - texture and surface objects: what an instruction that is given their handle finds in a buffer.
 *
 * An object is a buffer of its own (buffer.texture), which holds a struct texture; its address is the handle. Texels
 * lie in the data buffer row after row without gaps (pitch-linear), slices, layers and faces one after the other.
 * Source: CUDA C++ Programming Guide, "Texture Fetching" and "Surface Functions"; PTX ISA 8.x, section 9.7.10.
 */
#ifndef WARPSTEP_TEXTURE_H
#define WARPSTEP_TEXTURE_H

#include "program.h"

enum texture_shape {
#define SHAPE(id, name, ptx, sizes, coordinates, layered) TEXTURE_##id,
#include "textures.def"
#undef SHAPE
	TEXTURE_SHAPES
};
enum texel_type {
#define TEXEL(id, name, bytes) TEXEL_##id,
#include "textures.def"
#undef TEXEL
	TEXEL_TYPES
};
enum texture_edge {
#define EDGE(id, name) EDGE_##id,
#include "textures.def"
#undef EDGE
	TEXTURE_EDGES
};

struct texture_shape_row {
	const char *name, *ptx;
	u8 sizes, coordinates, layered;
};
extern const struct texture_shape_row texture_shape_row[TEXTURE_SHAPES];
extern const char *const texel_name[TEXEL_TYPES], *const texture_edge_name[TEXTURE_EDGES];
extern const u8 texel_size[TEXEL_TYPES]; /* bytes of a channel */

/* The most texels that a lane's fetch reads: linear filtering in three dimensions. */
#define MAX_TEXELS 8

/* Without padding: its bytes are those of its buffer. */
struct texture {
	u64 address;		  /* of the first texel */
	u32 width, height, depth; /* texels; depth: slices, layers, or the 6 faces of a cube */
	u8 shape, type, channels; /* enum texture_shape, enum texel_type; 1, 2 or 4 */
	u8 linear;		  /* filtered: else the texel that holds the coordinates */
	u8 edge;		  /* enum texture_edge */
	u8 normalized;		  /* coordinates go from 0 to 1 */
	u8 as_float;		  /* integers are read as numbers from 0 or -1 to 1 */
	u8 surface;		  /* for suld and sust, not for tex */
	u32 spare;
};

static inline u32 texture_texel_bytes(const struct texture *t)
{
	return (u32)texel_size[t->type] * t->channels;
}
/* Does a fetch with coordinates in floating point give numbers? Else the bits of integers. */
static inline bool texture_gives_floats(const struct texture *t)
{
	return t->as_float || t->type >= TEXEL_F16;
}
/* The object whose handle this is, NULL if it is none. */
const struct texture *texture_at(const struct program *p, u64 handle);
/* "2d 64,32 u8x4 linear clamp normalized float": as the command takes it. */
void texture_text(struct text *out, const struct texture *t);

/* aux of TEX, TLD4 and SUADDR: shape x 4; of TEX: coordinates are whole numbers; of TLD4: the channel x 32; of SUADDR:
 * what becomes of lanes outside, enum surface_outside. Bits 0 and 1 are those of ACCESS_*. */
#define TEX_SHAPE(aux) ((aux) >> 2 & 7)
#define TEX_INTEGERS 32
#define TEX_CHANNEL(aux) ((aux) >> 5)
enum surface_outside { OUTSIDE_TRAP, OUTSIDE_CLAMP, OUTSIDE_ZERO };
/* aux of TXQ; + QUERY_SURFACE: of a surface. */
enum texture_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_SURFACE = 4 };

/* Where the lanes of a fetch read: texel k of the lanes in mask[k] at address[k]. */
struct texel_reads {
	u32 n;
	u32 mask[MAX_TEXELS];
	u64 address[MAX_TEXELS][WARP_LANES];
};

#endif
