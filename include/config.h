/*
 * config.h - settings by value: one u32 each, named in settings.def.
 */
#ifndef WARPSTEP_CONFIG_H
#define WARPSTEP_CONFIG_H

#include "kernel.h"

enum setting_id {
#define SETTING(id, max) SET_##id,
#include "settings.ids"
#undef SETTING
	SETTING_COUNT
};
/* MOST_ID: the highest value of a setting, for what is sized by it. */
enum {
#define SETTING(id, max) MOST_##id = max,
#include "settings.ids"
#undef SETTING
};

struct config {
#define SETTING(id, max) u32 id;
#include "settings.ids"
#undef SETTING
};

enum setting_kind {
#define KIND(id, ...) KIND_##id,
#include "settingkinds.def"
#undef KIND
};
enum idempotence_rule { IDEMPOTENCE_RELAXED, IDEMPOTENCE_STRICT };	       /* chimera.idempotence */
enum switching { SWITCH_FREE, SWITCH_TIME, SWITCH_MEMORY };		       /* chimera.switch */
enum objective { OBJECTIVE_ANTT, OBJECTIVE_STP };			       /* maestro.objective */
enum perfect { PERFECT_OFF, PERFECT_ON, PERFECT_L1I };			       /* l1i.perfect */
enum reexec { REEXEC_OFF, REEXEC_CAR, REEXEC_NEWCAR };			       /* lsu.reexec */
enum warp_first { FIRST_PROGRAM, FIRST_MOST };				       /* warp.first */
enum warp_independent { INDEPENDENT_TARGET, INDEPENDENT_OFF, INDEPENDENT_ON }; /* warp.independent */
enum dyncta_start { START_HALF, START_ONE, START_ALL };			       /* dyncta.start */
enum elf_branches { BRANCHES_ALL, BRANCHES_BACKWARD };			       /* elf.branches */
enum dyncta_idle_cycles { IDLE_EMPTY, IDLE_TEXT };			       /* dyncta.idle_cycles */
enum vws_split { SPLIT_CONTROL, SPLIT_GROUP, SPLIT_IMPATIENT };		       /* vws.split */
enum number_format { NUMBER_HEX, NUMBER_DECIMAL, NUMBER_FLOAT };	       /* registers.format */
enum compare_by { COMPARE_BY_CYCLES, COMPARE_BY_INSTRUCTIONS };		       /* compare.by */
enum code_heat { HEAT_STALLS, HEAT_BLOCKS };				       /* code.heat */
enum time_rows { TIME_GANGS, TIME_WARPS, TIME_SUBCORE };		       /* time.rows */
enum profile { PROFILE_ONLINE, PROFILE_TABLE };				       /* ws.profile */
enum setting_flag { FLAG_LAYOUT = 1, FLAG_TIMING = 2, FLAG_HOST = 4, FLAG_VIEW = 8, FLAG_BOUND = 16 };

struct setting {
	const char *name, *unit, *doc;
	u8 kind, flags;
	u32 min, max, def;
};
extern const struct setting setting_table[SETTING_COUNT];

void config_default(struct config *c);
u32 config_get(const struct config *c, enum setting_id id);
void config_set(struct config *c, enum setting_id id, u32 value);
/* The setting of that name (or an unambiguous prefix of one), or -1 with an error that suggests the nearest. */
int setting_find(const char *name, struct error *e);
/* Is a word a glob of settings (lat.*)? The first that matches behind `after` (-1: of all), -1: none. */
bool setting_is_glob(const char *word);
int setting_match(const char *glob, int after);
/* Text to value by kind and range; the error says what would be right. */
enum status setting_parse(enum setting_id id, const char *text, u32 *value, struct error *e);
/* Value to text ("on", "shared", "32"); out must hold 32 bytes. */
const char *setting_text(enum setting_id id, u32 value, char *out);
/* The values that a setting takes: "1 to 64", "off, on", "4 or 16 digits". */
void setting_values(enum setting_id id, struct text *out);
/* Bytes of memory that may be used (memory.limit). */
u64 config_memory(const struct config *c);
/* Rules across settings (powers of two, slots divisible by sub-cores, ...): checked before a machine is made. */
enum status config_check(const struct config *c, struct error *e);

/* Lanes of a context, and contexts of a warp of WARP_LANES, which is their home: one, or its slices. */
static inline u32 config_lanes(const struct config *c)
{
	return c->warp_size;
}
static inline u32 config_slices(const struct config *c)
{
	return WARP_LANES / c->warp_size;
}
/* Registers are given to a context in multiples of this: a warp's share. */
static inline u32 config_register_unit(const struct config *c)
{
	return c->sm_register_unit > config_slices(c) ? c->sm_register_unit / config_slices(c) : 1;
}
/* Contexts and CTAs that can be resident on an SM, with or without slots. */
static inline u32 config_contexts(const struct config *c)
{
	return (c->sm_contexts ? c->sm_contexts : c->sm_warps) * config_slices(c);
}
static inline u32 config_residents(const struct config *c)
{
	return c->sm_residents ? c->sm_residents : c->sm_ctas;
}
/* The L1D's sets, and the most ways that it can have. */
static inline u32 config_l1d_sets(const struct config *c)
{
	u32 sets = c->l1d_bytes / (c->l1d_line * c->l1d_ways);
	return sets ? sets : 1;
}
static inline u32 config_l1d_ways_max(const struct config *c)
{
	u32 ways = c->l1d_unified / (config_l1d_sets(c) * c->l1d_line);
	return ways > c->l1d_ways ? ways : c->l1d_ways;
}
/* DRAM clock in which the first refresh of a channel is due (dram.refi): its group's turn (dram.refresh_groups). */
static inline u64 config_refresh_first(const struct config *c, u32 channel)
{
	u32 n = c->dram_refresh_groups < c->dram_channels ? c->dram_refresh_groups : c->dram_channels;
	return (u64)c->dram_refi * (channel % n + 1) / n;
}
/* DRAM clock in which a channel's refresh ends that was due at or before clock 0; 0: none is under way then. */
static inline u64 config_refresh_before(const struct config *c, u32 channel)
{
	u64 ends = config_refresh_first(c, channel) + c->dram_rfc;
	return c->dram_refresh_groups > 1 && ends > c->dram_refi ? ends - c->dram_refi : 0;
}
/* DRAM clock in which a channel's next refresh is due after one due in `clock`: again its group's turn, whatever
 * settings were before. */
static inline u64 config_refresh_next(const struct config *c, u32 channel, u64 clock)
{
	u64 turn = config_refresh_first(c, channel) % c->dram_refi;
	u64 late = c->dram_refresh_groups > 1 ? (clock + c->dram_refi - turn) % c->dram_refi : 0;
	return clock + c->dram_refi - late;
}
/* Do first loads of constants take longer than others, although the constant cache is perfect? */
static inline bool config_const_cold(const struct config *c)
{
	return c->const_perfect && (c->const_cold | c->const_cold_block | c->const_cold_line);
}
/* Are ready slots also kept by the kind of execution unit that they want? */
static inline bool config_notes_kinds(const struct config *c)
{
	return c->collector_share || c->collector_allocate || c->lsu_sub_queue;
}
/* Scheduling limits of an SM: slots of contexts, active CTAs, their threads; with sm.unlimited as many as can be
 * resident. */
static inline u32 config_slots(const struct config *c)
{
	return c->sm_unlimited ? config_contexts(c) : c->sm_warps * config_slices(c);
}
static inline u32 config_active(const struct config *c)
{
	return c->sm_unlimited ? config_residents(c) : c->sm_ctas;
}
static inline u32 config_threads(const struct config *c)
{
	return c->sm_unlimited ? config_contexts(c) * config_lanes(c) : c->sm_threads;
}

/* Clock domains. Completed clocks of a domain of `mhz` (0: the SM's clock) after `cycle` SM cycles: floor(cycle x mhz /
 * gpu.clock). */
static inline u64 domain_clock(const struct config *c, u32 mhz, u64 cycle)
{
	return !mhz || mhz == c->gpu_clock ? cycle : cycle * mhz / c->gpu_clock;
}
/* The SM cycle in which a clock of the domain takes place. */
static inline u64 domain_cycle(const struct config *c, u32 mhz, u64 clock)
{
	return !mhz || mhz == c->gpu_clock ? clock : ((clock + 1) * c->gpu_clock + mhz - 1) / mhz - 1;
}

/* Occupancy of a kernel on a configuration. Every limit, and the binding one. */
enum occupancy_limit { LIMIT_CTAS, LIMIT_THREADS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };
extern const char *const occupancy_limit_name[LIMIT_COUNT];
struct occupancy {
	u32 limit[LIMIT_COUNT]; /* CTAs that each resource allows; ~0 = does not bind */
	u32 ctas;		/* the least of them */
	u32 resident; /* CTAs that can be resident: as many as capacity (registers, shared memory), sm.contexts,
			 sm.residents allow */
	u8 binding;   /* enum occupancy_limit */
};
/* CTAs that the slots for CTAs and warps allow, and that registers and shared memory allow (~0 = any number). A kernel
 * for which the second are more is limited by scheduling (Type S), any other by capacity (Type C). */
static inline u32 occupancy_scheduling(const struct occupancy *o)
{
	return min_u32(o->limit[LIMIT_CTAS], o->limit[LIMIT_THREADS]);
}
static inline u32 occupancy_capacity(const struct occupancy *o)
{
	return min_u32(o->limit[LIMIT_REGISTERS], o->limit[LIMIT_SHARED]);
}

/* regs per thread, shared bytes per CTA, threads per CTA. ctas = 0: a block does not fit; *e says why. */
enum status occupancy_of(const struct config *c, u32 threads, u32 regs, u32 shared, struct occupancy *out,
			 struct error *e);

/* Bits that are kept of an inactive CTA of so many warps (context.c). */
u64 context_bits(const struct config *c, u32 warps);
/* Bytes of shared memory that n such contexts take. */
u32 context_region(const struct config *c, u32 n, u32 warps);

/* Is what was asked for in one cycle and is there in another later than chimera.bound? What takes no time, a flush, is
 * there in the cycle after that in which it was asked for: in time, whatever the bound. */
static inline bool beyond_bound(const struct config *c, u64 asked, u64 there)
{
	return there - asked > max_u32(c->chimera_bound, 1);
}

#endif
