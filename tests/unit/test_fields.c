/* test_fields.c - every byte of the machine has exactly one name, and what has none is zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "cycle/stages.h"
#include "pane.h"
#include "policy.h"
#include "sim.h"

#include <stdlib.h>
#include <ctype.h>
#include <string.h>

static const u32 field_bytes[] = {[FIELD_U8] = 1, [FIELD_U16] = 2, [FIELD_U32] = 4, [FIELD_U64] = 8};

/* Fields of a struct follow one another without a hole, aligned, up to its end. */
static void fields_tile(void **state)
{
	(void)state;
	for (u32 s = 0; s < SECTION_ALL; s++) {
		const struct section_row *row = section_of(s);
		u32 at = 0;

		if (!row)
			continue;
		for (u32 i = 0; i < row->nfields; i++) {
			const struct field *f = &row->field[i];

			assert_int_equal(f->offset, at);
			assert_int_equal(f->offset % field_bytes[f->type], 0);
			assert_true(f->count >= 1);
			at += f->count * field_bytes[f->type];
		}
		assert_int_equal(at, row->size);
	}
}

/* Names are unique within a struct; paths within a place; every field says what it is. */
static void names_unique(void **state)
{
	(void)state;
	for (u32 s = 0; s < SECTION_ALL; s++) {
		const struct section_row *row = section_of(s);

		if (!row)
			continue;
		for (u32 i = 0; i < row->nfields; i++) {
			assert_true(row->field[i].name[0] && row->field[i].doc[0]);
			for (u32 j = 0; j < i; j++)
				assert_string_not_equal(row->field[i].name, row->field[j].name);
		}
		for (u32 t = 0; t < s; t++)
			assert_false(section_of(t) && section_of(t)->where == row->where &&
				     !strcmp(section_of(t)->path, row->path));
	}
}

/* What a scheme keeps bears its name. */
static void own_paths_name_their_scheme(void **state)
{
	(void)state;
	for (u32 s = SECTION_COUNT; s < SECTION_ALL; s++) {
		const struct section_row *row = section_of(s);
		const char *whole = row ? scheme_table[(s - SECTION_COUNT) / SCHEME_OWN]->name : "";
		const char *name = strrchr(whole, '-') ? strrchr(whole, '-') + 1 : whole; /* a minus in a path */
		size_t n = strlen(name);

		assert_true(!row || (!strncmp(row->path, name, n) && (!row->path[n] || row->path[n] == '.')));
		assert_true(
			!row ||
			(scheme_table[(s - SECTION_COUNT) / SCHEME_OWN]->own[(s - SECTION_COUNT) % SCHEME_OWN].count !=
			 NULL) == (strchr(row->path, '.') != NULL));
		assert_true(!row || row->where == IN_SM || row->where == IN_GPU);
	}
}

/* Count the names of the bytes of one block. */
static void mark_block(u8 *names, const struct machine *m, u32 block, u32 where)
{
	for (u32 s = 0; s < SECTION_ALL; s++) {
		const struct section_row *row = section_of(s);
		u64 at = row && row->where == where ? (u64)(section_bytes(m, s, block) - (const u8 *)m) : 0;

		assert_true(s >= SECTION_COUNT || m->section[s].size == row->size);
		for (u64 i = 0; at && i < (u64)section_elements(m, s) * row->size; i++)
			names[at + i]++;
	}
}

/* A machine of a configuration that differs from the defaults in odd ways. */
static struct machine *odd_machine(void)
{
	struct config c;

	config_default(&c);
	c.gpu_sms = 3;
	c.sm_subcores = 2;
	c.sm_warps = 6;
	c.sm_ctas = 3;
	c.sm_banks = 3;
	c.sm_collectors = 5;
	c.lsu_queue = 7;
	c.l2_slices = 5;
	c.dram_channels = 3;
	return machine_new(&c, 5, 3, 20);
}

/* In a whole machine every byte behind the header has at most one name, and one without is padding: fewer than 64
 * bytes in a row, all zero. */
static void machine_described(void **state)
{
	struct machine *m = odd_machine();
	u8 *names = calloc(m->bytes, 1);
	u32 gap = 0;

	(void)state;
	memset(names, 1, sizeof(struct machine));
	mark_block(names, m, 0, IN_GPU);
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		mark_block(names, m, i, IN_SM);
	for (u32 i = 0; i < m->config.l2_slices; i++)
		mark_block(names, m, i, IN_SLICE);
	for (u32 i = 0; i < m->config.dram_channels; i++)
		mark_block(names, m, i, IN_CHANNEL);
	for (u64 i = 0; i < m->bytes; i++) {
		assert_true(names[i] <= 1);
		gap = names[i] ? 0 : gap + 1;
		assert_true(gap < 64);
		assert_true(names[i] || !((u8 *)m)[i]);
	}
	free(names);
	free(m);
}

/* Letters differ by more than case; where a status and an outcome share one, they are called alike. */
static void letters_differ(void **state)
{
	(void)state;
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		for (u32 j = 0; j < i; j++)
			assert_int_not_equal(tolower(warp_status_table[i].letter),
					     tolower(warp_status_table[j].letter));
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++) {
		for (u32 j = 0; j < i; j++)
			assert_int_not_equal(tolower(slot_outcome_table[i].letter),
					     tolower(slot_outcome_table[j].letter));
		for (u32 j = 0; j < WARP_STATUS_COUNT; j++)
			if (i != SLOT_IDLE &&
			    tolower(slot_outcome_table[i].letter) == tolower(warp_status_table[j].letter)) {
				assert_int_equal(slot_outcome_table[i].letter, warp_status_table[j].letter);
				assert_string_equal(slot_outcome_table[i].name, warp_status_table[j].name);
			}
	}
}

/* Tables have a row for every number. */
static void tables_full(void **state)
{
	(void)state;
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		assert_non_null(warp_status_table[i].name);
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		assert_non_null(slot_outcome_table[i].name);
	for (u32 i = 0; i < SM_STAT_COUNT; i++)
		assert_non_null(sm_stat_table[i].name);
	for (u32 i = 0; i < L2_STAT_COUNT; i++)
		assert_non_null(l2_stat_table[i].name);
	for (u32 i = 0; i < DRAM_STAT_COUNT; i++)
		assert_non_null(dram_stat_table[i].name);
	for (u32 i = 0; i < EVENT_COUNT; i++)
		assert_int_equal(event_find(event_table[i].name, NULL), (int)i);
	assert_int_equal(event_find("isue", NULL), -1);
}

/* Where the legend of the warps gives a letter a meaning; NULL: nowhere. */
static const char *in_legend(char letter)
{
	const char *legend = pane_table[PANE_warps]->legend;

	for (const char *at = legend; *at; at++)
		if (*at == letter && at[1] == ' ' && (at == legend || at[-1] == ' ' || at[-1] == '\n'))
			return at;
	return NULL;
}

/* The legend names every status. */
static void every_status_has_a_letter(void **state)
{
	(void)state;
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++)
		assert_non_null(in_legend(warp_status_table[i].letter));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_tile),
		cmocka_unit_test(names_unique),
		cmocka_unit_test(own_paths_name_their_scheme),
		cmocka_unit_test(machine_described),
		cmocka_unit_test(tables_full),
		cmocka_unit_test(letters_differ),
		cmocka_unit_test(every_status_has_a_letter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
