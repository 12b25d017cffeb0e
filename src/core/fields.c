/*
 * fields.c - a name for every byte of the machine: the field tables of its structs and the table of its sections.
 *
 * Made from the same lists as the structs (machine.h) and from the layout itself (sections.def), so that a field
 * without a name cannot exist. tests/unit/test_fields.c holds that the fields of a struct tile it.
 */
#include "policy.h"
#include "sim.h"

/* The lists do not say whose they are: one line for each struct does. */
#define IN_gpu(...) FIELD_ROW(gpu, __VA_ARGS__)
#define IN_launch_run(...) FIELD_ROW(launch_run, __VA_ARGS__)
#define IN_agenda(...) FIELD_ROW(agenda, __VA_ARGS__)
#define IN_turn(...) FIELD_ROW(turn, __VA_ARGS__)
#define IN_residency(...) FIELD_ROW(residency, __VA_ARGS__)
#define IN_kernel_count(...) FIELD_ROW(kernel_count, __VA_ARGS__)
#define IN_port(...) FIELD_ROW(port, __VA_ARGS__)
#define IN_sleep(...) FIELD_ROW(sleep, __VA_ARGS__)
#define IN_sm(...) FIELD_ROW(sm, __VA_ARGS__)
#define IN_sub(...) FIELD_ROW(sub, __VA_ARGS__)
#define IN_sched(...) FIELD_ROW(sched, __VA_ARGS__)
#define IN_warp(...) FIELD_ROW(warp, __VA_ARGS__)
#define IN_slot(...) FIELD_ROW(slot, __VA_ARGS__)
#define IN_cta(...) FIELD_ROW(cta, __VA_ARGS__)
#define IN_parked(...) FIELD_ROW(parked, __VA_ARGS__)
#define IN_collector(...) FIELD_ROW(collector, __VA_ARGS__)
#define IN_bank(...) FIELD_ROW(bank, __VA_ARGS__)
#define IN_bankq(...) FIELD_ROW(bankq, __VA_ARGS__)
#define IN_unit(...) FIELD_ROW(unit, __VA_ARGS__)
#define IN_result(...) FIELD_ROW(result, __VA_ARGS__)
#define IN_load(...) FIELD_ROW(load, __VA_ARGS__)
#define IN_memop(...) FIELD_ROW(memop, __VA_ARGS__)
#define IN_tag(...) FIELD_ROW(tag, __VA_ARGS__)
#define IN_chain(...) FIELD_ROW(chain, __VA_ARGS__)
#define IN_mshr(...) FIELD_ROW(mshr, __VA_ARGS__)
#define IN_waiter(...) FIELD_ROW(waiter, __VA_ARGS__)
#define IN_imiss(...) FIELD_ROW(imiss, __VA_ARGS__)
#define IN_packet(...) FIELD_ROW(packet, __VA_ARGS__)
#define IN_slice(...) FIELD_ROW(slice, __VA_ARGS__)
#define IN_channel(...) FIELD_ROW(channel, __VA_ARGS__)
#define IN_dbank(...) FIELD_ROW(dbank, __VA_ARGS__)
#define IN_dgroup(...) FIELD_ROW(dgroup, __VA_ARGS__)
#define IN_dreq(...) FIELD_ROW(dreq, __VA_ARGS__)
#define IN_ring_slot(...) FIELD_ROW(ring_slot, __VA_ARGS__)
#define IN_stretch(...) FIELD_ROW(stretch, __VA_ARGS__)
#define IN_map_word(...) FIELD_ROW(map_word, __VA_ARGS__)
#define IN_simt_entry(...) FIELD_ROW(simt_entry, __VA_ARGS__)
#define IN_write_entry(...) FIELD_ROW(write_entry, __VA_ARGS__)

#define TABLE(tag, LIST) static const struct field tag##_field[] = {LIST(IN_##tag, IN_##tag)};
MACHINE_STRUCTS(TABLE)
TABLE(simt_entry, SIMT_FIELDS)
TABLE(write_entry, WRITE_FIELDS)

const struct section_row section_table[SECTION_COUNT] = {
#define SECTION(id, where_, tag, path_, count, flags_) \
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
static const struct scheme_own *own_of(u32 id, u32 *scheme, u32 *k)
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
	const struct scheme_own *own = own_of(id, &scheme, &k);
	return own ? &own->row : NULL;
}

u32 section_elements(const struct machine *m, u32 id)
{
	u32 scheme, k;
	if (id < SECTION_COUNT)
		return m->section[id].count;
	const struct scheme_own *own = own_of(id, &scheme, &k);
	return own ? own_count(own, &m->config) : 0;
}

const u8 *section_bytes(const struct machine *m, u32 id, u32 block)
{
	u32 scheme, k;
	const struct section_row *row = section_of(id);
	if (id >= SECTION_COUNT) {
		own_of(id, &scheme, &k);
		return row->where == IN_GPU ? own_gpu_part(m, scheme, k) : own_sm_part(m, scheme, block, k);
	}
	const u64 block_at[] = {[IN_GPU] = 0,
				[IN_SM] = m->sm_base + block * m->sm_stride,
				[IN_SLICE] = m->slice_base + block * m->slice_stride,
				[IN_CHANNEL] = m->channel_base + block * m->channel_stride};
	return (const u8 *)m + block_at[row->where] + m->section[id].offset;
}
