/*
 * collect.c - stage collect: register-file banks grant reads, collector units dispatch.
 *
 * Every bank has one read port and a queue, oldest request first; a collector unit whose operands are all read hands its
 * instruction to an execution unit of its kind that is free, oldest first, in the same cycle (collector.late: one arbitration
 * later), and is free again for this cycle's issue stage. The LSU takes one instruction per cycle from the whole SM, its
 * sub-cores in turn. With collector.writes, registers written in this cycle take their banks' ports first.
 * Deviation: a write never waits; several in one bank hold its port for as many arbitrations, one after another.
 * Source: the operand collector of Barnes, Shen, Rogers, HPCA 2023, section II.
 */
#include "core.h"

/* One bank grants its oldest read. */
static void grant(struct sm_view *v, u32 sub_id, u32 bank_id)
{
	struct sub *sub = &v->sub[sub_id];
	u32 index = sub_id * v->m->config.sm_banks + bank_id;
	struct bank *bank = &v->bank[index];
	struct bankq *queue = &v->bankq[index * v->bank_queue];
	struct bankq q = queue[bank->head];
	struct collector *cu = &v->collector[sub_id * v->m->config.sm_collectors + q.collector];
	bank->head = (u16)(bank->head + 1u == v->bank_queue ? 0 : bank->head + 1);
	if (!--bank->count)
		sub->busy_banks &= ~(1u << bank_id);
	bank->granted_context = cu->context;
	bank->granted_register = q.reg;
	v->sm->granted = 1;
	v->sm->stat[STAT_RF_READS]++;
	emit(v, EVENT_GRANT, cu->context, cu->pc, 0, bank_id, bank->granted_register);
	cu->read |= (u16)(1u << q.operand);
	if (!--cu->need)
		sub->ready_collectors |= 1u << q.collector;
}

/* The settings with the latency of a class and the initiation interval of a kind of unit. */
static const u8 latency_setting[CLASS_COUNT] = {
	[CLASS_INT] = SET_lat_int, [CLASS_IMUL] = SET_lat_imul, [CLASS_IDIV] = SET_lat_idiv, [CLASS_FP32] = SET_lat_fp32,
	[CLASS_FP64] = SET_lat_fp64, [CLASS_SFU] = SET_lat_sfu, [CLASS_DIV32] = SET_lat_div32, [CLASS_DIV64] = SET_lat_div64,
	[CLASS_SHFL] = SET_lat_shfl, [CLASS_CONST] = SET_lat_const,
};
static const u8 interval_setting[UNIT_COUNT] = {
	[UNIT_INT] = SET_unit_int_interval, [UNIT_FP32] = SET_unit_fp32_interval, [UNIT_FP64] = SET_unit_fp64_interval,
	[UNIT_SFU] = SET_unit_sfu_interval,
};

/* A setting's value: struct config is an array of u32 in the order of settings.def. */
static u32 setting_value(const struct config *c, u32 id)
{
	_Static_assert(sizeof(struct config) == SETTING_COUNT * sizeof(u32), "struct config is an array of u32");
	return ((const u32 *)c)[id];
}

/* A unit of a kind that takes an instruction now, or NULL. */
static struct unit *free_unit(struct sm_view *v, u32 sub_id, u32 kind)
{
	struct unit *u = &v->unit[sub_id * v->units];
	for (u32 i = v->m->warp_units[kind]; i < v->m->warp_units[kind + 1]; i++)
		if (u[i].free_at <= view_cycle(v))
			return &u[i];
	return NULL;
}

/* Hand an instruction to an execution unit. */
static bool dispatch_unit(struct sm_view *v, u32 sub_id, const struct collector *cu, u32 kind)
{
	struct unit *u = free_unit(v, sub_id, kind);
	if (!u || !result_room(v) || (cu->memory_op != NONE16 && !const_access(v, cu)))
		return false;
	u->free_at = view_cycle(v) + setting_value(&v->m->config, interval_setting[kind]);
	u->issued++;
	if (cu->memory_op != NONE16)
		return true;
	result_due(v, setting_value(&v->m->config, latency_setting[cu->class]),
		   &(struct result){ .kind = RESULT_VALUE, .context = cu->context, .generation = cu->generation,
				     .pc = cu->pc });
	return true;
}

/* Hand a memory instruction to the LSU. */
static bool dispatch_lsu(struct sm_view *v, u32 sub_id, const struct collector *cu)
{
	struct sm *sm = v->sm;
	u32 size = v->m->config.lsu_queue, at = sm->lsu_head + sm->lsu_count;
	if (sm->lsu_count >= size || sm->lsu_taken)
		return false;
	v->lsuq[at >= size ? at - size : at].memop = cu->memory_op;
	sm->lsu_count++;
	sm->lsu_taken = sub_id + 1;
	return true;
}

/* Dispatch one collector unit if its execution unit accepts. */
static bool dispatch(struct sm_view *v, u32 sub_id, u32 index)
{
	struct sub *sub = &v->sub[sub_id];
	struct collector *cu = &v->collector[sub_id * v->m->config.sm_collectors + index];
	u32 kind = class_table[cu->class].unit;
	if (kind == UNIT_LSU ? !dispatch_lsu(v, sub_id, cu) : !dispatch_unit(v, sub_id, cu, kind))
		return false;
	emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, kind, index);
	*cu = (struct collector){ .context = NONE16, .memory_op = NONE16 };
	sub->ready_collectors &= ~(1u << index);
	sub->lsu_collectors &= ~(1u << index);
	sub->free_collectors |= 1u << index;
	v->sm->collectors_busy--;
	return true;
}

/* The oldest collector unit of a set. */
static u32 oldest(const struct collector *cu, u32 set)
{
	u32 best = (u32)__builtin_ctz(set);
	for (u32 rest = set & (set - 1); rest; rest &= rest - 1) {
		u32 i = (u32)__builtin_ctz(rest);
		if ((i32)(cu[i].age - cu[best].age) < 0)
			best = i;
	}
	return best;
}

/* Dispatch what can go from one sub-core, oldest first. */
static void dispatch_ready(struct sm_view *v, u32 sub_id)
{
	const struct collector *cu = &v->collector[sub_id * v->m->config.sm_collectors];
	const struct sub *sub = &v->sub[sub_id];
	bool lsu = v->sm->lsu_count < v->m->config.lsu_queue && !v->sm->lsu_taken;
	for (u32 set = sub->ready_collectors & (lsu ? ~0u : ~sub->lsu_collectors); set;) {
		u32 i = set & (set - 1) ? oldest(cu, set) : (u32)__builtin_ctz(set);
		dispatch(v, sub_id, i);
		set &= ~(1u << i);
	}
}

/* Forget which reads the banks granted in the last cycle. */
static void clear_grants(struct sm_view *v)
{
	for (u32 i = 0; i < v->m->section[SECTION_BANK].count; i++)
		v->bank[i].granted_context = NONE16;
	v->sm->granted = 0;
	v->sleep->active = 1;
}

/* Reads still wait at a bank after this cycle's grants: a conflict. */
static void conflict(struct sm_view *v, u32 sub_id, u32 bank_id)
{
	u32 index = sub_id * v->m->config.sm_banks + bank_id;
	struct bank *bank = &v->bank[index];
	const struct bankq *q = &v->bankq[index * v->bank_queue + bank->head];
	const struct collector *cu = &v->collector[sub_id * v->m->config.sm_collectors + q->collector];
	bank->conflicts++;
	v->sm->stat[STAT_RF_CONFLICT]++;
	emit(v, EVENT_CONFLICT, cu->context, cu->pc, 0, bank_id, bank->count);
}

/* Banks of a sub-core with reads queued whose port no write holds in this arbitration. */
static u32 open_banks(const struct sm_view *v, u32 sub_id, u32 pass)
{
	const struct config *c = &v->m->config;
	u32 set = v->sub[sub_id].busy_banks;
	u64 now = view_cycle(v) * c->collector_passes + pass;
	for (u32 rest = c->collector_writes ? set : 0; rest; rest &= rest - 1) {
		u32 i = (u32)__builtin_ctz(rest);
		if (v->bank[sub_id * c->sm_banks + i].written_until > now)
			set &= ~(1u << i);
	}
	return set;
}

/* Banks grant, then collector units dispatch, in one sub-core; with collector.late units dispatch before the banks of each pass. */
static void collect_sub(struct sm_view *v, u32 sub_id)
{
	const struct config *c = &v->m->config;
	struct sub *sub = &v->sub[sub_id];
	if (!(sub->busy_banks | sub->ready_collectors))
		return;
	for (u32 pass = 0; pass < c->collector_passes; pass++) {
		if (c->collector_late && sub->ready_collectors)
			dispatch_ready(v, sub_id);
		for (u32 banks = open_banks(v, sub_id, pass); banks; banks &= banks - 1)
			grant(v, sub_id, (u32)__builtin_ctz(banks));
	}
	for (u32 banks = sub->busy_banks; banks; banks &= banks - 1)
		conflict(v, sub_id, (u32)__builtin_ctz(banks));
	if (!c->collector_late && sub->ready_collectors)
		dispatch_ready(v, sub_id);
}

/* Stage collect. */
void sm_collect(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 subs = v->m->config.sm_subcores;
	if (sm->granted)
		clear_grants(v);
	if (!sm->collectors_busy)
		return;
	v->sleep->active = 1;
	for (u32 i = 0, k = sm->lsu_turn; i < subs; i++, k = k + 1 == subs ? 0 : k + 1)
		collect_sub(v, k);
	if (sm->lsu_taken)
		sm->lsu_turn = (u16)(sm->lsu_taken == subs ? 0 : sm->lsu_taken);
	sm->lsu_taken = 0;
}
