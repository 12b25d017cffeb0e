/* journal.c - settings, policies, pokes and departures of CTAs: checked, applied, kept to be applied again (journal.h).
 */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

void journal_free(struct journal *j)
{
	j->lost.from = 0;
	inputs_free(&j->lost);
	journal_truncate(j, 0);
	free(j->item);
	*j = (struct journal){0};
}

/* Whether a poke lies inside the global window. */
static enum status poke_check(const struct sim *s, const struct input *in, struct error *e)
{
	u64 size = (u64)s->store.npages * STORE_PAGE, offset = in->address - STORE_GLOBAL_BASE;

	if (in->address >= STORE_GLOBAL_BASE && offset <= size && in->bytes <= size - offset)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED, "%llu bytes at 0x%llx: outside global memory (0x%llx to 0x%llx)", in->bytes,
			 in->address, STORE_GLOBAL_BASE, STORE_GLOBAL_BASE + size);
}

/* Whether a control bit takes a value. */
static enum status control_check(const struct input *in, struct error *e)
{
	static const u8 most[sizeof(struct control)] = {CONTROL_MOST_STALL, 1, CONTROL_NONE, CONTROL_NONE, 63, 7};
	static const char *const name[sizeof(struct control)] = {"stall", "yield", "write", "read", "wait", "reuse"};
	u32 field = (u32)(in->address % sizeof(struct control)), value = in->data[0];
	bool counter = field == offsetof(struct control, write) || field == offsetof(struct control, read);

	if (value > most[field] || (counter && value == CONTROL_COUNTERS))
		return error_set(e, STATUS_FAILED,
				 counter ? "control bit %s is 0 to 5 (SB0 to SB5), or 7 for none, not %u"
					 : "control bit %s is 0 to %u, not %u",
				 name[field], counter ? value : most[field], value);
	return STATUS_OK;
}

/* Whether the values are there and have those bytes. */
static enum status values_check(const struct sim *s, const struct input *in, struct error *e)
{
	bool exists = in->sm < s->m->config.gpu_sms && in->slot < s->m->contexts;
	u64 size = exists ? sim_values_bytes(s, in->sm, in->slot, (enum values_of)in->how) : 0;

	if (in->address <= size && in->bytes <= size - in->address && size)
		return in->how == VALUES_CONTROL ? control_check(in, e) : STATUS_OK;
	return error_set(e, STATUS_FAILED, "warp %u of SM %u has no such values", in->slot, in->sm);
}

enum status journal_check(const struct sim *s, const struct input *in, struct error *e)
{
	if (in->kind == INPUT_POKE)
		return poke_check(s, in, e);
	if (in->kind == INPUT_VALUES)
		return values_check(s, in, e);
	if (in->kind == INPUT_SETTING && in->setting >= SETTING_COUNT)
		return error_set(e, STATUS_FAILED, "no setting number %u", in->setting);
	return STATUS_OK;
}

enum status journal_apply(struct sim *s, const struct input *in, struct error *e)
{
	switch (in->kind) {
	case INPUT_SETTING: return sim_set(s, in->setting, in->value, e);
	case INPUT_POLICY: sim_set_policy(s, &in->policy); return STATUS_OK;
	case INPUT_DEPART: return sim_depart(s, in->sm, in->slot, in->how, e);
	case INPUT_VALUES:
		sim_poke_values(s, in->sm, in->slot, (enum values_of)in->how, in->address, in->data, in->bytes);
		return STATUS_OK;
	default: sim_poke(s, in->address, in->data, in->bytes); return STATUS_OK;
	}
}

void journal_add(struct journal *j, const struct input *in)
{
	struct input *to;

	j->item = array_grow(j->item, j->count, sizeof(*j->item));
	to = &j->item[j->count++];
	*to = *in;
	to->data = NULL;
	if ((in->kind == INPUT_POKE || in->kind == INPUT_VALUES) && in->bytes) {
		to->data = xmalloc(in->bytes);
		memcpy(to->data, in->data, in->bytes);
	}
	j->applied = j->count;
}

void inputs_free(struct inputs *i)
{
	for (u32 k = 0; k < i->count; k++)
		free(i->item[k].data);
	free(i->item);
	*i = (struct inputs){0};
}

void journal_watch(struct journal *j)
{
	inputs_free(&j->lost);
	j->lost.from = j->count;
}

/* Inputs from index on that are watched go in front of those that are lost already. */
static void lose(struct journal *j, u32 index)
{
	u32 more = j->lost.from - index;
	struct input *item = xmalloc((more + j->lost.count + 1) * sizeof(*item));

	memcpy(item, &j->item[index], more * sizeof(*item));
	if (j->lost.count)
		memcpy(item + more, j->lost.item, j->lost.count * sizeof(*item));
	for (u32 i = index; i < j->lost.from; i++)
		j->item[i].data = NULL;
	free(j->lost.item);
	j->lost = (struct inputs){.item = item, .from = index, .count = j->lost.count + more};
}

void journal_truncate(struct journal *j, u32 index)
{
	if (index < j->lost.from)
		lose(j, index);
	while (j->count > index)
		free(j->item[--j->count].data);
	if (j->applied > j->count)
		j->applied = j->count;
}
