/*
 * config.c - settings by name, their text and ranges, the rules across them, and occupancy.
 *
 * Rows are in settings.def. Occupancy: whole warps, registers given to a warp in units, and a
 * warp lives in one sub-core, so that each sub-core must hold its share of registers.
 */
#include "config.h"
#include "oldnames.h"

#include <errno.h>
#include <fnmatch.h>

#define LAYOUT FLAG_LAYOUT
#define TIMING FLAG_TIMING
#define HOST FLAG_HOST
#define VIEW (FLAG_HOST | FLAG_VIEW)
#define BOUND (FLAG_HOST | FLAG_BOUND)
#define MOST_CONTEXTS 256 /* of an SM: what a set of slots has room for */

const struct setting setting_table[SETTING_COUNT] = {
#define SETTING(id, name, kind, min, max, def, flags, unit, doc) \
	[SET_##id] = {name, unit, doc, KIND_##kind, flags, min, max, def},
#include "settings.def"
#undef SETTING
};

const char *const occupancy_limit_name[LIMIT_COUNT] = {"CTA slots", "threads", "registers", "shared memory"};

/* Words of a setting that is chosen rather than counted, with the value that each stands for; NULL behind
 * the last. A former word is still accepted, but neither listed nor printed. */
struct setting_word {
	const char *word;
	u32 value;
	bool former;
};
#define MOST_WORDS 6 /* of a kind, with the empty one behind them */
static const struct setting_word setting_words[][MOST_WORDS] = {
#define KIND(id, ...) [KIND_##id] = {__VA_ARGS__},
#include "settingkinds.def"
#undef KIND
};

/* The field of setting id; fields are one u32 each, in the order of the rows. */
static u32 *config_field(const struct config *c, enum setting_id id)
{
	_Static_assert(sizeof(struct config) == SETTING_COUNT * sizeof(u32), "one u32 for each setting");
	return (u32 *)(uintptr_t)c + id;
}

void config_default(struct config *c)
{
	for (u32 i = 0; i < SETTING_COUNT; i++)
		*config_field(c, i) = setting_table[i].def;
}

u32 config_get(const struct config *c, enum setting_id id)
{
	return *config_field(c, id);
}

void config_set(struct config *c, enum setting_id id, u32 value)
{
	*config_field(c, id) = value;
}

/* The settings whose names begin with name: their number, and the first in *id. */
static u32 config_setting_matches(const char *name, int *id)
{
	u32 n = 0;

	for (u32 i = 0; i < SETTING_COUNT; i++)
		if (!strncmp(setting_table[i].name, name, strlen(name)) && !n++)
			*id = (int)i;
	return n;
}

int setting_find(const char *name, struct error *e)
{
	const char *names[SETTING_COUNT], *near;
	int id = -1;
	u32 n;

	name = name_today(NAME_SETTING, name);
	for (u32 i = 0; i < SETTING_COUNT; i++) {
		names[i] = setting_table[i].name;
		if (!strcmp(names[i], name))
			return (int)i;
	}
	n = *name ? config_setting_matches(name, &id) : 0;
	if (n == 1)
		return id;
	if (n > 1) {
		error_set(e, STATUS_FAILED, "setting '%s': ambiguous, %u names begin with it (such as '%s')",
			  safe_text(name), n, setting_table[id].name);
		return -1;
	}
	near = nearest_name(name, names, SETTING_COUNT);
	if (near)
		error_set(e, STATUS_FAILED, "no setting '%.80s' (did you mean '%s'?)", safe_text(name), near);
	else
		error_set(e, STATUS_FAILED, "no setting '%.80s' (`set` lists all)", safe_text(name));
	return -1;
}

bool setting_is_glob(const char *word)
{
	return strpbrk(word, "*?[") != NULL;
}

int setting_match(const char *glob, int after)
{
	for (int i = after + 1; i < SETTING_COUNT; i++)
		if (!fnmatch(glob, setting_table[i].name, 0))
			return i;
	return -1;
}

/* One of a kind's words to its value. */
static enum status config_word_parse(const struct setting *row, const char *text, u32 *value, struct error *e)
{
	const struct setting_word *c = setting_words[row->kind];
	char words[128] = "";

	for (u32 i = 0; c[i].word; i++) {
		if (!strcmp(c[i].word, text)) {
			*value = c[i].value;
			return STATUS_OK;
		}
		if (!c[i].former)
			snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s", i ? ", " : "",
				 c[i].word);
	}
	return error_set(e, STATUS_FAILED, "%s: '%.80s' is not a valid value (one of %s)", row->name, safe_text(text),
			 words);
}

/* A table of 4 or 16 sub-cores, two bits for each; one of 4 stands there four times. */
static enum status config_table_parse(const struct setting *row, const char *text, u32 *value, struct error *e)
{
	size_t n = strspn(text, "0123");

	if (text[n] || (n != 4 && n != 16))
		return error_set(
			e, STATUS_FAILED,
			"%s: '%.80s' is not a table (4 or 16 digits from 0 to 3, such as 0123 or 0123123023013012)",
			row->name, safe_text(text));
	*value = 0;
	for (u32 i = 0; i < 16; i++)
		*value |= (u32)(text[i % n] - '0') << 2 * i;
	return STATUS_OK;
}

enum status setting_parse(enum setting_id id, const char *text, u32 *value, struct error *e)
{
	const struct setting *row = &setting_table[id];
	unsigned long long n;
	char *end;

	if (setting_words[row->kind][0].word)
		return config_word_parse(row, text, value, e);
	if (row->kind == KIND_TABLE)
		return config_table_parse(row, text, value, e);
	errno = 0;
	n = strtoull(text, &end, 0);
	if (end == text || *end || text[0] == '-' || text[0] == '+' || text[0] == ' ')
		return error_set(e, STATUS_FAILED, "%s: '%.80s' is not a whole number (%u to %u%s%s)", row->name,
				 safe_text(text), row->min, row->max, *row->unit ? " " : "", row->unit);
	if (errno == ERANGE || n < row->min || n > row->max)
		return error_set(e, STATUS_FAILED, "%s: %.80s is out of range (%u to %u%s%s)", row->name,
				 safe_text(text), row->min, row->max, *row->unit ? " " : "", row->unit);
	*value = (u32)n;
	return STATUS_OK;
}

const char *setting_text(enum setting_id id, u32 value, char *out)
{
	const struct setting_word *c = setting_words[setting_table[id].kind];

	snprintf(out, 32, "%u", value);
	if (setting_table[id].kind == KIND_TABLE) {
		u32 n = value == (value & 0xff) * 0x01010101u ? 4 : 16;

		for (u32 i = 0; i < n; i++)
			out[i] = (char)('0' + (value >> 2 * i & 3));
		out[n] = '\0';
	}
	for (u32 i = 0; c[i].word; i++)
		if (c[i].value == value && !c[i].former)
			snprintf(out, 32, "%s", c[i].word);
	return out;
}

void setting_values(enum setting_id id, struct text *out)
{
	const struct setting *row = &setting_table[id];
	const struct setting_word *c = setting_words[row->kind];

	if (row->kind == KIND_TABLE)
		text_add(out, "4 or 16 digits from 0 to 3");
	else if (!c[0].word)
		text_add(out, "%u to %u", row->min, row->max);
	for (u32 i = 0; c[i].word; i++)
		if (!c[i].former)
			text_add(out, "%s%s", i ? ", " : "", c[i].word);
}

/* A cache of bytes, line and ways must have a whole number of sets. */
static enum status config_cache_check(const char *name, u32 bytes, u32 line, u32 ways, struct error *e)
{
	if (bytes % (line * ways) || !bytes)
		return error_set(e, STATUS_FAILED,
				 "%s.bytes (%u) must be a multiple of line size (%u) x %s.ways (%u) = %u", name, bytes,
				 line, name, ways, line * ways);
	return STATUS_OK;
}

/* DRAM clocks from the moment that a refresh is due until one access has been made behind it, at most. */
static u32 config_refresh_takes(const struct config *c)
{
	u32 open = max_u32(c->dram_ras, c->dram_rcd + c->dram_wl + c->dram_burst + c->dram_wr);

	return max_u32(open + c->dram_rp, c->dram_rc) + c->dram_rfc + max_u32(c->dram_rrd, c->dram_faw) + c->dram_rcd +
	       c->dram_cl + 2 * c->dram_burst + c->dram_cdlr + max_u32(c->dram_ccd, c->dram_ccdl) + 2;
}

/* Where warps are cut into slices: a sub-core for each, numbers of slots and contexts as a machine has them, whole
 * registers. */
static enum status config_slices_check(const struct config *c, struct error *e)
{
	static const enum setting_id whole[] = {
		SET_fetch_direct,	SET_sm_atomic_wait,    SET_shared_atomic_wait, SET_lsu_atomic_split,
		SET_l2_atomic_lanes,	SET_l2_atomic_float,   SET_l1d_sectors,	       SET_unit_int_exit,
		SET_collector_share,	SET_collector_order,   SET_collector_delay,    SET_l0i_latency,
		SET_collector_allocate, SET_lsu_sub_queue,     SET_l1d_latency64,      SET_l1d_latency128,
		SET_l1i_stream,		SET_issue_dependences, SET_issue_readers};
	u32 n = config_slices(c), most = max_u32(c->sm_warps, c->sm_contexts);

	if (n == 1)
		return STATUS_OK;
	if (c->sm_subcores != n)
		return error_set(e, STATUS_FAILED,
				 "warp.size %u needs sm.subcores %u, one sub-core per small warp (it is %u)",
				 c->warp_size, n, c->sm_subcores);
	if (most * n > MOST_CONTEXTS)
		return error_set(
			e, STATUS_FAILED,
			"warp.size %u: sm.warps and sm.contexts (%u) must not exceed %u, as an SM has at most %u small warps",
			c->warp_size, most, MOST_CONTEXTS / n, MOST_CONTEXTS);
	for (u32 i = 0; i < ARRAY_LEN(whole); i++)
		if (config_get(c, whole[i]))
			return error_set(e, STATUS_FAILED, "%s needs warp.size %u (it is %u)",
					 setting_table[whole[i]].name, WARP_LANES, c->warp_size);
	if (c->sm_register_unit % n && n % c->sm_register_unit)
		return error_set(e, STATUS_FAILED, "warp.size %u: sm.register_unit (%u) must be a multiple of %u",
				 c->warp_size, c->sm_register_unit, n);
	return STATUS_OK;
}

/* L0 instruction caches, where there are any. */
static enum status config_l0i_check(const struct config *c, struct error *e)
{
	if (config_slices(c) == 1 && !c->l0i_latency)
		return STATUS_OK;
	if (c->l0i_latency && !c->l0i_bytes)
		return error_set(e, STATUS_FAILED, "l0i.latency (%u) needs an L0 instruction cache: l0i.bytes is 0",
				 c->l0i_latency);
	if (c->l0i_bytes && (!is_pow2(c->l0i_line) || c->l0i_bytes % c->l0i_line || c->l1i_line % c->l0i_line ||
			     c->l0i_line < c->gpu_inst_bytes))
		return error_set(
			e, STATUS_FAILED,
			"l0i.line (%u) must be a power of two that divides l0i.bytes (%u) and l1i.line (%u) and is not smaller "
			"than an instruction",
			c->l0i_line, c->l0i_bytes, c->l1i_line);
	return STATUS_OK;
}

u64 config_memory(const struct config *c)
{
	return c->memory_limit ? (u64)c->memory_limit << 20 : host_memory() / 4 * 3;
}

enum status config_check(const struct config *c, struct error *e)
{
	static const enum setting_id pow2[] = {SET_gpu_inst_bytes, SET_sm_subcores, SET_warp_size, SET_l1i_line,
					       SET_icnt_bytes,	   SET_l2_fetch,    SET_dram_row};

	for (u32 i = 0; i < ARRAY_LEN(pow2); i++)
		if (!is_pow2(config_get(c, pow2[i])))
			return error_set(e, STATUS_FAILED, "%s must be a power of two (it is %u)",
					 setting_table[pow2[i]].name, config_get(c, pow2[i]));
	if (config_slices_check(c, e) || config_l0i_check(c, e))
		return STATUS_FAILED;
	if (config_slots(c) % c->sm_subcores)
		return error_set(e, STATUS_FAILED, "sm.warps (%u) must be a multiple of sm.subcores (%u)", c->sm_warps,
				 c->sm_subcores);
	if (c->sm_contexts && (c->sm_contexts < c->sm_warps || config_contexts(c) % c->sm_subcores))
		return error_set(
			e, STATUS_FAILED,
			"sm.contexts (%u) must be 0 or a multiple of sm.subcores (%u) and at least sm.warps (%u)",
			c->sm_contexts, c->sm_subcores, c->sm_warps);
	if (c->sm_residents && c->sm_residents < c->sm_ctas)
		return error_set(e, STATUS_FAILED, "sm.residents (%u) must be 0 or at least sm.ctas (%u)",
				 c->sm_residents, c->sm_ctas);
	if (c->sm_registers % c->sm_subcores)
		return error_set(e, STATUS_FAILED, "sm.registers (%u) must be a multiple of sm.subcores (%u)",
				 c->sm_registers, c->sm_subcores);
	if (config_slots(c) / c->sm_subcores < c->sm_schedulers)
		return error_set(e, STATUS_FAILED, "sm.schedulers (%u) must not exceed the %u warp slots of a sub-core",
				 c->sm_schedulers, config_slots(c) / c->sm_subcores);
	if (c->sm_cta_shared > c->sm_shared)
		return error_set(e, STATUS_FAILED, "sm.cta_shared (%u) must not exceed sm.shared (%u)",
				 c->sm_cta_shared, c->sm_shared);
	if (c->l1i_line % c->gpu_inst_bytes)
		return error_set(e, STATUS_FAILED, "l1i.line (%u) must be a multiple of gpu.inst_bytes (%u)",
				 c->l1i_line, c->gpu_inst_bytes);
	if (c->dram_channels > c->l2_slices)
		return error_set(e, STATUS_FAILED, "dram.channels (%u) must not exceed l2.slices (%u)",
				 c->dram_channels, c->l2_slices);
	if (c->dram_banks % c->dram_groups)
		return error_set(e, STATUS_FAILED, "dram.banks (%u) must be a multiple of dram.groups (%u)",
				 c->dram_banks, c->dram_groups);
	if (c->dram_refi && c->dram_refi <= config_refresh_takes(c))
		return error_set(e, STATUS_FAILED,
				 "dram.refi (%u) must exceed the %u clocks that a refresh and one access take",
				 c->dram_refi, config_refresh_takes(c));
	if (c->l1i_line > c->l1d_line)
		return error_set(e, STATUS_FAILED,
				 "l1i.line (%u) must not exceed l1d.line (%u), the line size of the L2", c->l1i_line,
				 c->l1d_line);
	if (c->const_line > c->l1d_line)
		return error_set(e, STATUS_FAILED,
				 "const.line (%u) must not exceed l1d.line (%u), the line size of the L2",
				 c->const_line, c->l1d_line);
	if (c->l2_halves > 1 && c->l2_slices % 2)
		return error_set(e, STATUS_FAILED, "l2.slices (%u) must be even with l2.halves 2", c->l2_slices);
	if (c->l2_sectors && c->icnt_queue < c->l1d_line / 32)
		return error_set(e, STATUS_FAILED, "icnt.queue (%u) must hold the %u sectors of a line (l2.sectors)",
				 c->icnt_queue, c->l1d_line / 32);
	if (c->l1d_local && c->l1d_write)
		return error_set(e, STATUS_FAILED, "l1d.local on needs l1d.write update");
	if (c->l2_sectors && c->l2_fetch > 32)
		return error_set(e, STATUS_FAILED, "l2.fetch (%u) must be 32 with l2.sectors on", c->l2_fetch);
	if (c->l2_hash && !is_pow2(c->l2_slices))
		return error_set(e, STATUS_FAILED, "l2.slices (%u) must be a power of two with l2.hash polynomial",
				 c->l2_slices);
	if (c->l2_merges > c->l2_queue)
		return error_set(e, STATUS_FAILED, "l2.merges (%u) must not exceed l2.queue (%u)", c->l2_merges,
				 c->l2_queue);
	if (c->l1d_unified && c->l1d_unified < c->l1d_bytes)
		return error_set(e, STATUS_FAILED, "l1d.unified (%u) must be 0 or at least l1d.bytes (%u)",
				 c->l1d_unified, c->l1d_bytes);
	if (c->l1d_mshrs * c->l1d_merges >= 65535 || c->l2_mshrs * c->l2_merges >= 65535)
		return error_set(e, STATUS_FAILED, "product of MSHRs and merges must be below 65535 in each cache");
	if (config_cache_check("const", c->const_bytes, c->const_line, c->const_ways, e) ||
	    config_cache_check("l1i", c->l1i_bytes, c->l1i_line, c->l1i_ways, e) ||
	    config_cache_check("l1d", c->l1d_bytes, c->l1d_line, c->l1d_ways, e) ||
	    config_cache_check("l2", c->l2_bytes, c->l1d_line, c->l2_ways, e))
		return STATUS_FAILED;
	if (c->ccws_entries % c->ccws_ways)
		return error_set(e, STATUS_FAILED, "ccws.entries (%u) must be a multiple of ccws.ways (%u)",
				 c->ccws_entries, c->ccws_ways);
	return STATUS_OK;
}

/* Why not even one block fits. */
static enum status config_occupancy_refuse(const struct config *c, u32 threads, u32 regs, u32 shared,
					   const struct occupancy *o, struct error *e)
{
	u32 lanes = config_lanes(c), warps = ceil_div(threads, WARP_LANES) * config_slices(c);

	switch (o->binding) {
	case LIMIT_REGISTERS:
		return error_set(e, STATUS_FAILED,
				 "a block of %u threads x %u registers does not fit: it needs %u warps of "
				 "%u registers, and an SM has %u sub-core%s of %u",
				 threads, regs, warps, round_up(regs * lanes, config_register_unit(c)), c->sm_subcores,
				 c->sm_subcores == 1 ? "" : "s", c->sm_registers / c->sm_subcores);
	case LIMIT_SHARED:
		return error_set(e, STATUS_FAILED,
				 "a block with %u bytes of shared memory does not fit: the limit is %u per CTA "
				 "and %u per SM",
				 shared, c->sm_cta_shared, c->sm_shared);
	default:
		return error_set(e, STATUS_FAILED,
				 "a block of %u threads does not fit: the limit is %u threads and %u warps "
				 "per SM",
				 threads, config_threads(c), config_slots(c));
	}
}

enum status occupancy_of(const struct config *c, u32 threads, u32 regs, u32 shared, struct occupancy *out,
			 struct error *e)
{
	u32 lanes = config_lanes(c), warps = max_u32(1, ceil_div(threads, WARP_LANES)) * config_slices(c);
	u32 warp_regs = round_up(regs * lanes, config_register_unit(c));
	u32 cta_shared = round_up(shared, c->sm_shared_unit);

	*out = (struct occupancy){.limit = {config_active(c),
					    min_u32(config_threads(c) / (warps * lanes), config_slots(c) / warps), ~0u,
					    ~0u}};
	if (warp_regs)
		out->limit[LIMIT_REGISTERS] = c->sm_registers / c->sm_subcores / warp_regs * c->sm_subcores / warps;
	if (cta_shared)
		out->limit[LIMIT_SHARED] = shared > c->sm_cta_shared ? 0 : c->sm_shared / cta_shared;
	out->binding = LIMIT_CTAS;
	for (u32 i = 0; i < LIMIT_COUNT; i++)
		if (out->limit[i] < out->limit[out->binding])
			out->binding = (u8)i;
	/* CTA slots and threads that bind alike: threads are named, which is what a user can change */
	if (out->limit[LIMIT_THREADS] == out->limit[out->binding] && out->binding == LIMIT_CTAS)
		out->binding = LIMIT_THREADS;
	out->ctas = out->limit[out->binding];
	out->resident = min_u32(min_u32(out->limit[LIMIT_REGISTERS], out->limit[LIMIT_SHARED]),
				min_u32(config_contexts(c) / warps, config_residents(c)));
	if (!out->ctas)
		return config_occupancy_refuse(c, threads, regs, shared, out, e);
	return STATUS_OK;
}
