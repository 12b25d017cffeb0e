/*
 * fields.c - a name for every byte of the machine: the field tables of its structs and the table of its sections.
 *
 * Made from the same lists as the structs (machine.def) and from the layout itself (sections.def), so that a field
 * without a name cannot exist. tests/unit/test_fields.c holds that the fields of a struct tile it.
 */
#define FIELD_TEXTS /* of machine.def */
#include "policy.h"
#include "sim.h"

#define SECTION(id, where, tag, LIST, path, count, flags) FIELD_TABLE(tag, LIST)
#define SECTION_MORE(id, where, tag, path, count, flags)
#include "sections.def"
#undef SECTION
#undef SECTION_MORE
FIELD_TABLE(simt_entry, SIMT_FIELDS)
FIELD_TABLE(write_entry, WRITE_FIELDS)

const struct section_row section_table[SECTION_COUNT] = {
#define SECTION(id, where_, tag, LIST, path_, count, flags_) \
	[SECTION_##id] = {.path = path_, \
			  .where = where_, \
			  .flags = flags_, \
			  .size = sizeof(struct tag), \
			  .field = tag##_field, \
			  .nfields = ARRAY_LEN(tag##_field)},
#include "sections.def"
#undef SECTION
};

/* The array of its own that a section beyond those of the machine is; NULL: none. */
static const struct scheme_own *fields_own_of(u32 id, u32 *scheme, u32 *k)
{
	*scheme = (id - SECTION_COUNT) / SCHEME_OWN;
	*k = (id - SECTION_COUNT) % SCHEME_OWN;
	if (*scheme >= SCHEME_ROWS)
		return NULL;
	const struct scheme_own *own = &scheme_table[*scheme]->own[*k];
	return own->row.path ? own : NULL;
}

const struct section_row *section_of(u32 id)
{
	u32 scheme, k;
	if (id < SECTION_COUNT)
		return &section_table[id];
	const struct scheme_own *own = fields_own_of(id, &scheme, &k);
	return own ? &own->row : NULL;
}

u32 section_elements(const struct machine *m, u32 id)
{
	u32 scheme, k;
	if (id < SECTION_COUNT)
		return m->section[id].count;
	const struct scheme_own *own = fields_own_of(id, &scheme, &k);
	return own ? own_count(own, &m->config) : 0;
}

const u8 *section_bytes(const struct machine *m, u32 id, u32 block)
{
	u32 scheme, k;
	const struct section_row *row = section_of(id);
	if (id >= SECTION_COUNT) {
		fields_own_of(id, &scheme, &k);
		return row->where == IN_GPU ? own_gpu_part(m, scheme, k) : own_sm_part(m, scheme, block, k);
	}
	const u64 block_at[] = {[IN_GPU] = 0,
				[IN_SM] = m->sm_base + block * m->sm_stride,
				[IN_SLICE] = m->slice_base + block * m->slice_stride,
				[IN_CHANNEL] = m->channel_base + block * m->channel_stride};
	return (const u8 *)m + block_at[row->where] + m->section[id].offset;
}
