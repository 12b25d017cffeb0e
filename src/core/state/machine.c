/*
 * machine.c - the layout of the flat machine: sections.def laid out for a configuration.
 */
#include "state/view.h"

#define ASSERT_TILED(tag, LIST) \
	_Static_assert(sizeof(struct tag) == 0 LIST(FIELD_SIZE, FIELD_ARRAY_SIZE), "struct " #tag " has holes");
#define SECTION(id, where, tag, LIST, path, count, flags) ASSERT_TILED(tag, LIST)
#define SECTION_MORE(id, where, tag, path, count, flags)
#include "sections.def"
#undef SECTION
#undef SECTION_MORE
ASSERT_TILED(simt_entry, SIMT_FIELDS)
ASSERT_TILED(write_entry, WRITE_FIELDS)

/* Sizes that follow from a configuration. */
void machine_counts(const struct config *c, u32 launches, u32 seats, u32 insts, struct counts *n)
{
	n->launches = launches;
	n->insts = insts;
	n->seats = seats;
	n->contexts = config_contexts(c);
	n->residents = config_residents(c);
	n->cta_warps = max_u32(1, min_u32(config_slots(c), config_threads(c) / config_lanes(c)));
	n->slots = config_slots(c);
	n->bank_queue = c->sm_collectors * 8;
	n->units = c->unit_int_count + c->unit_fp32_count + c->unit_fp64_count + c->unit_sfu_count +
		   c->unit_tensor_count + c->unit_half_count + c->unit_uniform_count + c->unit_branch_count;
	n->results = 512 * config_slices(c) + n->contexts;
	n->gangs = config_slices(c) == 1 ? 0 : n->contexts / config_slices(c) * GANG_ENTRIES;
	n->loads = config_slices(c) == 1 ? c->lsu_loads : 2 * c->lsu_loads * config_slices(c);
	n->reexec = c->lsu_reexec ? c->lsu_reexec_entries : 0;
	n->reexec_inactive = n->reexec ? c->lsu_reexec_inactive : 0;
	n->memops = c->sm_subcores * c->sm_collectors + c->lsu_queue + n->reexec + n->reexec_inactive;
	n->l0i_misses = config_slices(c) == 1 && c->l0i_latency ? c->sm_subcores * (L0I_PENDING + c->l1i_stream) : 0;
	n->l0i_ways = config_slices(c) == 1 && !c->l0i_latency ? 0 : c->l0i_bytes / c->l0i_line;
	n->l1i_sets = max_u32(1, c->l1i_bytes / (c->l1i_line * c->l1i_ways));
	n->const_sets = max_u32(1, c->const_bytes / (c->const_line * c->const_ways));
	n->const_seen = config_const_cold(c) ? seats * (1 + CONSTANT_LINES) : 0;
	n->l1d_sets = config_l1d_sets(c);
	n->l1d_ways_max = config_l1d_ways_max(c);
	n->l2_sets = max_u32(1, c->l2_bytes / (c->l1d_line * c->l2_ways));
	n->register_words = ceil_div(max_u32(1, c->sm_registers / c->sm_subcores / config_register_unit(c)), 64);
	n->shared_words = ceil_div(max_u32(1, c->sm_shared / c->sm_shared_unit), 64);
	n->reply_queue = c->icnt_queue + c->icnt_latency;
	n->writes = c->sm_subcores * c->sm_schedulers * config_lanes(c);
	n->slice_in = c->l2_queue + c->icnt_latency + c->l2_latency;
	n->slice_far = c->l2_halves > 1 ? c->l2_queue + c->l2_far : 0;
	n->dram_service = c->dram_latency + c->dram_cl + 64;
}

static const u8 section_in[SECTION_COUNT] = {
#define SECTION(id, where, tag, LIST, path, count, flags) [SECTION_##id] = where,
#include "sections.def"
#undef SECTION
};

/* Place the sections of one kind of block from `at`; returns its end, a multiple of 64. */
static u64 machine_lay_block(struct machine *m, u8 where, u64 at)
{
	for (u32 i = 0; i < SECTION_COUNT; i++) {
		if (section_in[i] != where)
			continue;
		m->section[i].offset = at;
		at += (u64)m->section[i].count * m->section[i].size;
		at = (at + 63) & ~63ULL;
	}
	return at;
}

/* First unit of each kind within a sub-core; the kind whose units stand for one that has none. */
static void machine_number_units(struct machine *m)
{
	const struct config *c = &m->config;
	const u32 count[UNIT_COUNT] = {[UNIT_INT] = c->unit_int_count,	       [UNIT_FP32] = c->unit_fp32_count,
				       [UNIT_FP64] = c->unit_fp64_count,       [UNIT_SFU] = c->unit_sfu_count,
				       [UNIT_TENSOR] = c->unit_tensor_count,   [UNIT_HALF] = c->unit_half_count,
				       [UNIT_UNIFORM] = c->unit_uniform_count, [UNIT_BRANCH] = c->unit_branch_count};
	u32 at = 0;
	for (u32 k = 0; k < UNIT_COUNT; k++) {
		m->warp_units[k] = at;
		at += count[k];
	}
	m->warp_units[UNIT_COUNT] = at;
	for (u32 k = 0; k < UNIT_COUNT; k++) {
		bool own = (k >= UNIT_INT && k < UNIT_HALF) || count[k];
		m->unit_kind[k] = (u8)(own ? k : k == UNIT_HALF ? UNIT_FP32 : UNIT_INT);
	}
	for (u32 class = 0; class < CLASS_COUNT; class ++)
		m->class_kind[class] = m->unit_kind[class_table[class].unit];
}

/* A number modulo an irreducible polynomial over GF(2) whose degree is that of the slices (Rau, "Pseudo-randomly
 * Interleaved Memory", ISCA 1991): pieces at a distance of any power of two are in different slices. */
static u32 machine_polynomial_hash(u64 piece, u32 slices)
{
	static const u8 polynomial[] = {1, 3, 7, 11, 19, 37, 67, 131};
	u32 degree = (u32)__builtin_ctz(slices);
	while (piece >= slices) {
		u32 above = 63 - (u32)__builtin_clzll(piece) - degree;
		piece ^= (u64)polynomial[degree] << above;
	}
	return (u32)piece;
}

/* The remainder of a sum is the sum of the remainders: what the bytes of a piece's number add to it, one by one. */
static void machine_hash_slices(struct machine *m)
{
	for (u32 byte = 0; m->config.l2_hash && byte < ARRAY_LEN(m->slice_share); byte++)
		for (u32 value = 0; value < ARRAY_LEN(m->slice_share[byte]); value++)
			m->slice_share[byte][value] =
				(u8)machine_polynomial_hash((u64)value << byte * 8, m->config.l2_slices);
}

/* What schemes keep for themselves; the chosen ones may change while the machine runs, so all have theirs. */
static void machine_lay_policies(struct machine *m)
{
	u32 at = 0, gpu = 0;
	for (u32 i = 0; i < SCHEME_ROWS; i++) {
		m->policy_at[i] = at;
		m->policy_gpu_at[i] = gpu;
		at += own_offset(scheme_table[i], &m->config, IN_SM, SCHEME_OWN);
		gpu += own_offset(scheme_table[i], &m->config, IN_GPU, SCHEME_OWN);
	}
	m->policy_stride = round_up(at, 64);
	m->policy_sm = m->policy_base + round_up(gpu, 64);
	m->policy_bytes = round_up(gpu, 64) + m->policy_stride * m->config.gpu_sms;
}

/* Fill the header of a machine: counts, offsets, sizes of blocks. */
static void machine_lay_out(struct machine *m, const struct config *c, u32 launches, u32 seats, u32 insts)
{
	struct counts n;
	machine_counts(c, launches, seats, insts, &n);
	m->config = *c;
#define SECTION(id, where, tag, LIST, path, count_, flags) \
	m->section[SECTION_##id].count = (count_); \
	m->section[SECTION_##id].size = sizeof(struct tag);
#include "sections.def"
#undef SECTION
	m->slots_per_sub = n.slots / c->sm_subcores;
	m->schedulers = c->sm_subcores * c->sm_schedulers;
	m->contexts = n.contexts;
	m->residents = n.residents;
	m->lanes = config_lanes(c);
	m->parent_shift = (u32)__builtin_ctz(WARP_LANES / m->lanes);
	m->words = ceil_div(n.slots, 64);
	m->line_shift = (u32)__builtin_ctz(c->l1d_line);
	m->sectors = c->l1d_line / 32;
	machine_number_units(m);
	m->sm_base = machine_lay_block(m, IN_GPU, (sizeof *m + 63) & ~63ULL);
	m->sm_stride = machine_lay_block(m, IN_SM, 0);
	m->slice_base = m->sm_base + m->sm_stride * c->gpu_sms;
	m->slice_stride = machine_lay_block(m, IN_SLICE, 0);
	m->channel_base = m->slice_base + m->slice_stride * c->l2_slices;
	m->channel_stride = machine_lay_block(m, IN_CHANNEL, 0);
	m->policy_base = m->channel_base + m->channel_stride * c->dram_channels;
	machine_lay_policies(m);
	m->bytes = m->policy_base + m->policy_bytes;
}

/* Link entries 0..n-1 whose first u16 is `next` (all lists of the machine keep it there). */
static void machine_link_free(void *entries, u32 n, u32 size)
{
	for (u32 i = 0; i < n; i++) {
		u16 next = (u16)(i + 1 < n ? i + 1 : NONE16);
		memcpy((u8 *)entries + (size_t)i * size, &next, sizeof next);
	}
}

static void machine_fill_u16(u16 *p, u32 n)
{
	memset(p, 0xff, n * sizeof *p);
}

/* The MSHRs of a cache at cycle 0: all free, in their order. */
static void machine_reset_mshrs(struct mshr_table t)
{
	for (u32 i = 0; i < t.n; i++)
		t.mshr[i] = (struct mshr){.first = NONE16, .last = NONE16, .next = (u16)(i + 1 < t.n ? i + 2 : 0)};
	*t.free = 1;
}

/* The state of one SM at cycle 0. */
static void machine_reset_sm(struct machine *m, u32 id)
{
	const struct config *c = &m->config;
	struct sm *sm = machine_sm_section(m, id, SECTION_SM);
	struct warp *warp = machine_sm_section(m, id, SECTION_WARP);
	struct cta *cta = machine_sm_section(m, id, SECTION_CTA);
	for (u32 i = 0; i < m->contexts; i++) {
		warp[i].cta = warp[i].slot = NONE16;
		SET_ADD(sm->free_contexts, i);
	}
	for (u32 i = 0; i < m->residents; i++) {
		cta[i].launch = NONE16;
		sm->free_ctas |= 1ULL << i;
	}
	sm->shared_free = c->sm_shared;
	sm->lsu_taken = m->parent_shift != 0;
	machine_fill_u16(sm->wheel, WHEEL_SIZE);
	machine_link_free(machine_sm_section(m, id, SECTION_RESULT), m->section[SECTION_RESULT].count,
			  sizeof(struct result));
	machine_link_free(machine_sm_section(m, id, SECTION_LOAD), m->section[SECTION_LOAD].count, sizeof(struct load));
	machine_link_free(machine_sm_section(m, id, SECTION_CONST_WAITER), m->section[SECTION_CONST_WAITER].count,
			  sizeof(struct waiter));
	machine_link_free(machine_sm_section(m, id, SECTION_MEMOP), m->section[SECTION_MEMOP].count,
			  sizeof(struct memop));
	machine_reset_mshrs(
		(struct mshr_table){machine_sm_section(m, id, SECTION_L1D_MSHR), c->l1d_mshrs, &sm->mshr_free});
	machine_link_free(machine_sm_section(m, id, SECTION_L1D_WAITER), m->section[SECTION_L1D_WAITER].count,
			  sizeof(struct waiter));
}

/* The sub-cores, schedulers, slots, collectors and banks of one SM at cycle 0. */
static void machine_reset_subcores(struct machine *m, u32 id)
{
	const struct config *c = &m->config;
	struct sub *sub = machine_sm_section(m, id, SECTION_SUB);
	struct sched *sched = machine_sm_section(m, id, SECTION_SCHED);
	struct slot *slot = machine_sm_section(m, id, SECTION_SLOT);
	struct collector *cu = machine_sm_section(m, id, SECTION_COLLECTOR);
	struct bank *bank = machine_sm_section(m, id, SECTION_BANK);
	for (u32 i = 0; i < c->sm_subcores; i++) {
		sub[i].free_collectors = (u32)((1ULL << c->sm_collectors) - 1);
		sub[i].registers_free = c->sm_registers / c->sm_subcores;
		sub[i].fetch_last = NONE16;
	}
	for (u32 i = 0; i < m->schedulers; i++) {
		sched[i].last = sched[i].chosen = NONE16;
		sched[i].outcome = SLOT_IDLE;
	}
	for (u32 i = 0; i < m->section[SECTION_SLOT].count; i++)
		slot[i].context = NONE16;
	for (u32 i = 0; i < m->section[SECTION_COLLECTOR].count; i++)
		cu[i].context = cu[i].memory_op = NONE16;
	for (u32 i = 0; i < m->section[SECTION_BANK].count; i++)
		bank[i].granted_context = NONE16;
}

/* A DRAM channel at cycle 0: rows closed, nothing waits. */
static void machine_reset_channel(struct machine *m, u32 id)
{
	struct dbank *bank = machine_channel_section(m, id, SECTION_DBANK);
	struct channel *ch = machine_channel_section(m, id, SECTION_CHANNEL);

	ch->refresh_due = config_refresh_first(&m->config, id);
	for (u32 i = 0; i < m->config.dram_banks; i++) {
		bank[i].act_at = config_refresh_before(&m->config, id);
		for (u32 k = 0; k < 2; k++)
			bank[i].first[k] = bank[i].last[k] = bank[i].pick[k] = NONE16;
	}
	machine_link_free(machine_channel_section(m, id, SECTION_DQUEUE), m->config.dram_queue, sizeof(struct dreq));
}

/* L2 slices, DRAM channels and launches at cycle 0. */
static void machine_reset_gpu(struct machine *m, u32 launches)
{
	for (u32 i = 0; i < m->config.l2_slices; i++) {
		struct slice *slice = machine_slice_section(m, i, SECTION_SLICE);
		machine_reset_mshrs((struct mshr_table){machine_slice_section(m, i, SECTION_L2_MSHR),
							m->config.l2_mshrs, &slice->mshr_free});
		machine_link_free(machine_slice_section(m, i, SECTION_L2_LINK), m->section[SECTION_L2_LINK].count,
				  sizeof(struct waiter));
	}
	for (u32 i = 0; i < m->config.dram_channels; i++)
		machine_reset_channel(m, i);
	struct launch_run *run = machine_gpu_section(m, SECTION_LAUNCH);
	for (u32 i = 0; i < launches; i++)
		run[i].started_at = run[i].first_issue = run[i].last_retire = NEVER;
	struct parked *parked = machine_gpu_section(m, SECTION_PARKED);
	for (u32 i = 0; i < m->config.preempt_ctas; i++)
		parked[i].launch = NONE16;
	machine_gpu(m)->running = launches;
	struct sleep *sleep = machine_gpu_section(m, SECTION_SLEEP);
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		sleep[i].until = NEVER;
}

u64 machine_size(const struct config *c, u32 launches, u32 seats, u32 insts)
{
	struct machine header;
	memset(&header, 0, sizeof header);
	machine_lay_out(&header, c, launches, seats, insts);
	return header.bytes;
}

struct machine *machine_new(const struct config *c, u32 launches, u32 seats, u32 insts)
{
	struct machine header;
	memset(&header, 0, sizeof header);
	machine_lay_out(&header, c, launches, seats, insts);
	struct machine *m = xcalloc_large(header.bytes);
	*m = header;
	machine_hash_slices(m);
	for (u32 i = 0; i < c->gpu_sms; i++) {
		machine_reset_sm(m, i);
		machine_reset_subcores(m, i);
	}
	machine_reset_gpu(m, launches);
	return m;
}
