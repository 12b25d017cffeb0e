/* floor_say.c - the pane `floor` as sentences, and as numbers. */
#include "floor_plan.h"

#include "lesson.h"
#include "machine.h"

/* SMs that pass, as ranges: "0-39, 44". Returns how many. */
static u32 floor_list(struct text *out, const struct floor_view *f, bool (*is)(const struct floor_sm *x, u32 what),
		      u32 what)
{
	u32 n = 0, ranges = 0;

	for (u32 i = 0; i < f->sms; i++) {
		u32 end = i;

		if (!is(&f->sm[i], what))
			continue;
		while (end + 1 < f->sms && is(&f->sm[end + 1], what))
			end++;
		text_add(out, end > i ? "%s%u-%u" : "%s%u", ranges++ ? ", " : "", i, end);
		n += end - i + 1;
		i = end;
	}
	return n;
}

static bool floor_holds(const struct floor_sm *x, u32 launch)
{
	for (u32 k = 0; k < x->nparts; k++)
		if (x->part[k].launch == launch)
			return true;
	return false;
}

static bool floor_has_mark(const struct floor_sm *x, u32 mark)
{
	return x->mark == mark;
}

static bool floor_holds_nothing(const struct floor_sm *x, u32 what UNUSED)
{
	return !x->ctas && x->mark != FLOOR_OFF;
}

static bool floor_stalls(const struct floor_sm *x, u32 outcome)
{
	return floor_stall(x) == outcome;
}

/* Which SMs pass, as a sentence; nothing if none does. */
static void floor_say_which(struct text *out, const char *what, const struct floor_view *f,
			    bool (*is)(const struct floor_sm *x, u32 what), u32 number)
{
	struct text list = {0};
	u32 n = floor_list(&list, f, is, number);

	if (n)
		text_add(out, "%s: %u SM%s (%s).\n", what, n, n == 1 ? "" : "s", list.s);
	text_free(&list);
}

/* The kernels and their SMs. */
static void floor_say_kernels(struct text *out, const struct pane_view *v, const struct floor_view *f)
{
	char what[96];

	for (u32 i = 0; i < v->sim->m->section[SECTION_LAUNCH].count; i++) {
		snprintf(what, sizeof(what), "kernel %u %.48s, %u CTAs", i, view_launch(v, i),
			 (u32)machine_residency(v->sim->m, i)->ctas);
		floor_say_which(out, what, f, floor_holds, i);
	}
	floor_say_which(out, "idle", f, floor_holds_nothing, 0);
}

/* The least, the mean and the most of the value. */
static void floor_say_values(struct text *out, const struct pane_view *v, const struct floor_view *f)
{
	u32 least = NONE32, most = NONE32, n = 0;
	double sum = 0;

	for (u32 i = 0; i < f->sms; i++) {
		if (!f->sm[i].known)
			continue;
		least = least == NONE32 || f->sm[i].value < f->sm[least].value ? i : least;
		most = most == NONE32 || f->sm[i].value > f->sm[most].value ? i : most;
		sum += f->sm[i].value;
		n++;
	}
	if (!n)
		text_add(out, "%s: no value yet.\n", floor_color_text(floor_of(v->session)));
	else
		text_add(out, "%s: from %.4g (SM %u) to %.4g (SM %u), mean %.4g; colors from %.4g to %.4g.\n",
			 floor_color_text(floor_of(v->session)), f->sm[least].value, least, f->sm[most].value, most,
			 sum / n, f->low, f->high);
}

/* SMs by what stands in their tiles: "8: SMs 0-3". */
static void floor_say_tiles(struct text *out, const struct pane_view *v, const struct floor_view *f)
{
	struct text *value = xcalloc(f->sms, sizeof(*value));
	enum floor_color color = floor_color(floor_of(v->session));

	for (u32 i = 0; i < f->sms; i++)
		floor_value_text(v, &f->sm[i], &value[i]);
	text_add(out, "%s by SM:", color == FLOOR_KERNEL ? "CTAs" : floor_color_text(floor_of(v->session)));
	for (u32 i = 0, groups = 0; i < f->sms; i++) {
		u32 first = i;

		while (first && strcmp(value[first - 1].s, value[i].s))
			first--;
		if (first)
			continue;
		text_add(out, "%s %s on", groups++ ? ";" : "", value[i].s);
		for (u32 k = i, n = 0; k < f->sms; k++) {
			u32 end = k;

			if (strcmp(value[k].s, value[i].s))
				continue;
			while (end + 1 < f->sms && !strcmp(value[end + 1].s, value[i].s))
				end++;
			text_add(out, end > k ? "%s %u-%u" : "%s %u", n++ ? "," : "", k, end);
			k = end;
		}
	}
	text_add(out, ".\n");
	for (u32 i = 0; i < f->sms; i++)
		text_free(&value[i]);
	free(value);
}

/* Rows of the memory in words. */
static const char *const floor_say_name[FLOOR_ROWS] = {
	[FLOOR_TO_L2] = "packets of L2 slices per cycle",	    [FLOOR_L2_QUEUE] = "entries of L2 queues used",
	[FLOOR_L2_LOOKUPS] = "lookups of L2, of the most possible", [FLOOR_TO_DRAM] = "traffic of DRAM",
	[FLOOR_DRAM_QUEUE] = "entries of DRAM queues used",	    [FLOOR_DRAM_BUS] = "use of the DRAM bus"};

/* Where what is followed is. */
static void floor_say_followed(struct text *out, const struct pane_view *v)
{
	struct follow_spot spot;

	if (!follow_where(v->session, &spot))
		return;
	text_add(out, "followed: ");
	follow_place(&spot, out);
	text_add(out, ", ");
	follow_here(v->session, &spot, !lesson_hides(v->session), out);
	text_add(out, ".\n");
}

void floor_say(struct text *out, const struct pane_view *v)
{
	enum floor_color color = floor_color(floor_of(v->session));
	struct floor_view f;
	bool holds;
	u64 ctas;

	if (!floor_open(&f, panes_floor(v->session), v->session, v->sim))
		return;
	ctas = floor_ctas(&f, v, &holds);
	text_add(out, "floor: %u SM%s by %s, %llu CTAs, sum %s; counts of the last %llu cycle%s.\n", f.sms,
		 f.sms == 1 ? "" : "s", floor_color_text(floor_of(v->session)), ctas, holds ? "correct" : "WRONG",
		 f.cycles, f.cycles == 1 ? "" : "s");
	floor_say_kernels(out, v, &f);
	floor_say_tiles(out, v, &f);
	for (u32 i = 0; i < FLOOR_PLAIN; i++)
		floor_say_which(out, floor_mark_table[i].name, &f, floor_has_mark, i);
	for (u32 o = 0; color == FLOOR_STALL && o < SLOT_OUTCOME_COUNT; o++)
		floor_say_which(out, slot_outcome_table[o].name, &f, floor_stalls, o);
	if (color != FLOOR_KERNEL)
		floor_say_values(out, v, &f);
	for (u32 row = 0; row < FLOOR_ROWS; row++) {
		text_add(out, "%s: ", floor_say_name[row]);
		floor_words(&f, v, row, out);
		text_add(out, ".\n");
	}
	floor_say_followed(out, v);
	floor_close(&f);
}

/* A tile's numbers. */
static json_t *floor_data_sm(const struct floor_sm *x, u32 sm)
{
	json_t *row = json_object(), *kernels = json_array();

	member_int(row, "sm", sm);
	member_int(row, "ctas", x->ctas);
	member_int(row, "warps", x->warps);
	for (u32 k = 0; k < x->nparts; k++) {
		json_t *part = json_object();

		member_int(part, "k", x->part[k].launch);
		member_int(part, "ctas", x->part[k].ctas);
		member_int(part, "warps", x->part[k].warps);
		json_array_append_new(kernels, part);
	}
	json_object_set_new(row, "kernels", kernels);
	member_text(row, "mark", floor_mark_table[x->mark].name);
	json_object_set_new(row, "value", x->known ? json_real(x->value) : json_null());
	member_text(row, "stall", floor_stall(x) < SLOT_OUTCOME_COUNT ? slot_outcome_table[floor_stall(x)].name : "");
	member_int(row, "issued", (i64)x->issued);
	member_int(row, "requests", (i64)x->requests);
	member_int(row, "replies", (i64)x->replies);
	return row;
}

json_t *floor_data(const struct pane_view *v)
{
	json_t *data = json_object(), *sms = json_array(), *slices = json_array(), *channels = json_array();
	struct text place = {0};
	struct follow_spot spot;
	struct floor_view f;
	bool holds;

	if (!floor_open(&f, panes_floor(v->session), v->session, v->sim))
		return data;
	member_int(data, "sum", (i64)floor_ctas(&f, v, &holds));
	member_bool(data, "holds", holds);
	member_text(data, "color", floor_color_text(floor_of(v->session)));
	member_int(data, "cycles", (i64)f.cycles);
	member_real(data, "low", f.low);
	member_real(data, "high", f.high);
	for (u32 i = 0; i < f.sms; i++)
		json_array_append_new(sms, floor_data_sm(&f.sm[i], i));
	for (u32 i = 0; i < f.slices; i++)
		json_array_append_new(slices, json_pack("{sisIsI}", "queued", (int)f.slice[i].queued, "lookups",
							(json_int_t)f.slice[i].lookups, "replies",
							(json_int_t)f.slice[i].replies));
	for (u32 i = 0; i < f.channels; i++)
		json_array_append_new(channels, json_pack("{sisIsI}", "queued", (int)f.channel[i].queued, "busy",
							  (json_int_t)f.channel[i].busy, "sectors",
							  (json_int_t)f.channel[i].sectors));
	json_object_set_new(data, "sms", sms);
	json_object_set_new(data, "slices", slices);
	json_object_set_new(data, "channels", channels);
	if (follow_where(v->session, &spot)) {
		follow_place(&spot, &place);
		json_object_set_new(data, "followed", json_pack("{siss}", "sm", (int)spot.sm, "place", place.s));
		text_free(&place);
	}
	floor_close(&f);
	return data;
}
