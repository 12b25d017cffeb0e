/*
 * fields.c - a name for every byte of the machine: the field tables of its structs and the table of its sections.
 *
 * Made from the same lists as the structs (machine.h) and from the layout itself (sections.def), so that a field
 * without a name cannot exist. tests/unit/test_fields.c holds that the fields of a struct tile it.
 */
#include "sim.h"

#define TYPE_u8 FIELD_U8
#define TYPE_u16 FIELD_U16
#define TYPE_u32 FIELD_U32
#define TYPE_u64 FIELD_U64

/* A row from a scalar's (tag, type, name, doc) or an array's (tag, type, name, count, doc). */
#define PICK(a, b, c, d, e, chosen, ...) chosen
#define ROW(...) PICK(__VA_ARGS__, ROW_ARRAY, ROW_SCALAR, 0)(__VA_ARGS__)
#define ROW_SCALAR(tag, t, n, text) {.name = #n, .type = TYPE_##t, .offset = offsetof(struct tag, n), .count = 1, .doc = text},
#define ROW_ARRAY(tag, t, n, c, text) {.name = #n, .type = TYPE_##t, .offset = offsetof(struct tag, n), .count = c, .doc = text},

/* The lists do not say whose they are: one line for each struct does. */
#define IN_gpu(...) ROW(gpu, __VA_ARGS__)
#define IN_launch_run(...) ROW(launch_run, __VA_ARGS__)
#define IN_agenda(...) ROW(agenda, __VA_ARGS__)
#define IN_turn(...) ROW(turn, __VA_ARGS__)
#define IN_residency(...) ROW(residency, __VA_ARGS__)
#define IN_kernel_count(...) ROW(kernel_count, __VA_ARGS__)
#define IN_port(...) ROW(port, __VA_ARGS__)
#define IN_sleep(...) ROW(sleep, __VA_ARGS__)
#define IN_sm(...) ROW(sm, __VA_ARGS__)
#define IN_sub(...) ROW(sub, __VA_ARGS__)
#define IN_sched(...) ROW(sched, __VA_ARGS__)
#define IN_warp(...) ROW(warp, __VA_ARGS__)
#define IN_slot(...) ROW(slot, __VA_ARGS__)
#define IN_cta(...) ROW(cta, __VA_ARGS__)
#define IN_parked(...) ROW(parked, __VA_ARGS__)
#define IN_collector(...) ROW(collector, __VA_ARGS__)
#define IN_bank(...) ROW(bank, __VA_ARGS__)
#define IN_bankq(...) ROW(bankq, __VA_ARGS__)
#define IN_unit(...) ROW(unit, __VA_ARGS__)
#define IN_result(...) ROW(result, __VA_ARGS__)
#define IN_load(...) ROW(load, __VA_ARGS__)
#define IN_memop(...) ROW(memop, __VA_ARGS__)
#define IN_tag(...) ROW(tag, __VA_ARGS__)
#define IN_chain(...) ROW(chain, __VA_ARGS__)
#define IN_mshr(...) ROW(mshr, __VA_ARGS__)
#define IN_waiter(...) ROW(waiter, __VA_ARGS__)
#define IN_imiss(...) ROW(imiss, __VA_ARGS__)
#define IN_packet(...) ROW(packet, __VA_ARGS__)
#define IN_slice(...) ROW(slice, __VA_ARGS__)
#define IN_channel(...) ROW(channel, __VA_ARGS__)
#define IN_dbank(...) ROW(dbank, __VA_ARGS__)
#define IN_dgroup(...) ROW(dgroup, __VA_ARGS__)
#define IN_dreq(...) ROW(dreq, __VA_ARGS__)
#define IN_ring_slot(...) ROW(ring_slot, __VA_ARGS__)
#define IN_stretch(...) ROW(stretch, __VA_ARGS__)
#define IN_map_word(...) ROW(map_word, __VA_ARGS__)
#define IN_simt_entry(...) ROW(simt_entry, __VA_ARGS__)
#define IN_write_entry(...) ROW(write_entry, __VA_ARGS__)

#define TABLE(tag, LIST) static const struct field tag##_field[] = {LIST(IN_##tag, IN_##tag)};
MACHINE_STRUCTS(TABLE)
TABLE(simt_entry, SIMT_FIELDS)
TABLE(write_entry, WRITE_FIELDS)

const struct section_row section_table[SECTION_COUNT] = {
#define SECTION(id, where_, tag, path_, count, flags_) \
	[SECTION_##id] = {.path = path_, .where = where_, .flags = flags_, .size = sizeof(struct tag), \
			  .field = tag##_field, .nfields = ARRAY_LEN(tag##_field)},
#include "sections.def"
#undef SECTION
};
