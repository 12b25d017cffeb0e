/*
 * test_panes.c - every number of every pane, in random cycles of every scenario, against a second machine and a book of
 * it.
 *
 * The session whose panes are read goes to and fro between the cycles that are looked at, so what it shows has come out
 * of keyframes and replays.
 */
#include "counters.h"
#include "events.h"
#include "machine.h"
#include "panes_book.h"

#include "lang.h"
#include "source.h"
#include "stats.h"
#include "policy.h"
#include "session_ops.h"

#include <glob.h>
#include <math.h>

#define LOOKS 16 /* cycles in which a scenario is looked at */
#define FIRST_CYCLES 2400u

/* Registers that a slot waits for. */
static u32 pending(const struct slot *s)
{
	u32 n = 0;

	for (u32 i = 0; s && i < HAZARD_WORDS; i++)
		n += (u32)__builtin_popcountll(s->pending_long[i] | s->pending_short[i]);
	return n;
}

/* Names in a text, and what stands behind a +. */
static u32 names_in(const char *text)
{
	u32 n = 0;

	for (const char *at = text; *at; at += strcspn(at, " "), at += strspn(at, " "))
		n += *at == '+' ? (u32)strtoul(at + 1, NULL, 10) : 1;
	return n;
}

/* What a warp issued in this cycle, if it did; else the two stay as they are. */
static void issued_now(const struct warp_book *b, u32 *pc, u32 *lanes)
{
	const struct issue *last = &b->issue[(b->nissues - 1) % ISSUES];

	if (!b->nissues || last->cycle != book.now)
		return;
	*pc = last->pc;
	*lanes = last->lanes;
}

static void check_warps(json_t *data, u32 sm)
{
	struct machine *m = book.sim.m;
	const struct warp *warp = machine_sm_section(m, sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(m, sm, SECTION_CTA);
	const struct slot *slot = machine_sm_section(m, sm, SECTION_SLOT);
	u32 here = 0;
	json_t *row;
	size_t k;

	for (u32 i = 0; i < book.contexts; i++)
		here += sim_warp_status(&book.sim, sm, i) < WARP_STATUS_COUNT;
	same("warps", data, "sum", here);
	assert_int_equal(json_array_size(json_object_get(data, "warps")), here);
	json_array_foreach (json_object_get(data, "warps"), k, row) {
		u32 i = (u32)real(row, "warp"), mask, pc = sim_warp_pc(&book.sim, sm, i, &mask), lanes;
		const struct warp_book *b = &book.sm[sm].warp[i];

		lanes = (u32)__builtin_popcount(mask);
		issued_now(b, &pc, &lanes);

		same("warps", row, "sub", i % m->config.sm_subcores);
		same("warps", row, "cta", cta[warp[i].cta].id);
		same("warps", row, "k", warp[i].launch);
		same("warps", row, "lanes", lanes);
		same_text("warps", row, "state",
			  warp_status_table[book.sm[sm].status[book.now % WINDOW * book.contexts + i]].name);
		same("warps", row, "wait", (double)(book.now - (b->nissues ? b->last : b->came)));
		same("warps", row, "age", (double)warp[i].age);
		assert_int_equal(names_in(word(row, "pending")),
				 pending(warp[i].slot == NONE16 ? NULL : &slot[warp[i].slot]));
		if (pc != NONE32)
			same("warps", row, "pc", pc);
	}
}

/* The grants of the last cycle at a bank: the last of them. */
static void granted(u32 sm, u32 sub, u32 bank, char *out, size_t size)
{
	out[0] = '\0';
	for (u32 i = 0; i < book.sim.bus.count; i++) {
		const struct record *r = &book.sim.bus.record[i];

		if (r->kind == EVENT_GRANT && r->sm == sm && r->sub == sub && r->a == bank)
			snprintf(out, size, "w%u r%u", r->warp, r->b);
	}
}

/* Operands that the units of the pane still lack, by the bank that the formula gives them; a unit's issue is in the
 * book. */
static void check_units(json_t *data, u32 sm, u32 sub, u32 *lacked)
{
	const struct config *c = &book.sim.m->config;
	const struct collector *unit =
		(struct collector *)machine_sm_section(book.sim.m, sm, SECTION_COLLECTOR) + sub * c->sm_collectors;
	json_t *row;
	size_t k;

	json_array_foreach (json_object_get(data, "units"), k, row) {
		const char *at = word(row, "operands");
		u32 warp = unit[k].context;
		bool found = false;

		if (warp == NONE16) {
			assert_true(json_is_null(json_object_get(row, "warp")));
			continue;
		}
		same("banks", row, "warp", warp);
		for (u32 i = 0; i < ISSUES; i++) {
			const struct issue *x = &book.sm[sm].warp[warp].issue[i];

			found |= x->pc == unit[k].pc && x->cycle && (double)(book.now - x->cycle) == real(row, "since");
		}
		assert_true(found);
		for (; (at = strchr(at, 'r')); at++)
			if (strspn(at + 1, "0123456789") &&
			    !strncmp(at + 1 + strspn(at + 1, "0123456789"), "□", strlen("□")))
				lacked[(strtoul(at + 1, NULL, 10) + (c->sm_bank_swizzle ? warp : 0)) % c->sm_banks]++;
	}
}

static void check_banks(json_t *data, u32 sm, u32 sub)
{
	const struct config *c = &book.sim.m->config;
	u32 *lacked, sum = 0;
	json_t *row;
	size_t k;

	lacked = xcalloc(c->sm_banks, sizeof(u32));
	check_units(data, sm, sub, lacked);
	assert_int_equal(json_array_size(json_object_get(data, "banks")), c->sm_banks);
	json_array_foreach (json_object_get(data, "banks"), k, row) {
		char grant[32];

		if (c->collector_allocate) {
			u64 port = book.sm[sm].port[sub * c->sm_banks + k], passes = c->collector_passes;
			u64 now = book.now * passes;

			assert_false(c->collector_writes); /* the book knows reads alone */
			if (port > now)
				same("banks", row, "taken", (double)((port - now + passes - 1) / passes));
			else
				assert_true(json_is_null(json_object_get(row, "taken")));
		} else {
			granted(sm, sub, (u32)k, grant, sizeof(grant));
			same_text("banks", row, "grant", grant);
		}
		same("banks", row, "conflicts", (double)book.sm[sm].conflicts[sub * c->sm_banks + k]);
		same("banks", row, "queued", lacked[k]);
		sum += lacked[k];
	}
	same("banks", data, "sum", sum);
	free(lacked);
}

/* The numbers of a text that the pane draws, after a word. */
static double drawn(enum pane_id id, const char *after)
{
	struct canvas c;
	struct text out = {0};
	const char *at;
	double n = 0;

	canvas_init(&c, 200, 200, false);
	pane_draw(&session, id, &c, 0, NULL);
	canvas_text(&c, &out);
	at = strstr(out.s, after);
	if (!at)
		fail_msg("%s: nothing called '%s'", pane_table[id]->name, after);
	else
		n = strtod(at + strlen(after), NULL);
	canvas_free(&c);
	text_free(&out);
	numbers++;
	return n;
}

/* The slots lost to the pipeline come apart into its three causes; where none was lost there is no table of them. */
static void check_causes(json_t *data, u32 sm, double lost, double slots)
{
	static const enum sm_counter stat[] = {STAT_PIPELINE_LSU, STAT_PIPELINE_UNIT, STAT_PIPELINE_COLLECTOR};
	const struct sm *x = machine_sm_section(book.sim.m, sm, SECTION_SM);
	json_t *row, *table = json_object_get(data, "pipeline");
	double sum = 0;
	size_t k;

	assert_int_equal(json_array_size(table), lost > 0 ? ARRAY_LEN(stat) : 0);
	json_array_foreach (table, k, row) {
		same("subcores", row, "count", (double)x->stat[stat[k]]);
		same("subcores", row, "percent", share((double)x->stat[stat[k]], slots));
		sum += real(row, "count");
	}
	assert_true(sum == lost);
}

static void check_subcores(json_t *data, u32 sm)
{
	const struct config *c = &book.sim.m->config;
	const struct sm_book *b = &book.sm[sm];
	const struct collector *unit = machine_sm_section(book.sim.m, sm, SECTION_COLLECTOR);
	double all = 0, squares = 0, slots = 0, *issued = xcalloc(c->sm_subcores, sizeof(double));
	json_t *row;
	size_t k;

	for (u32 i = 0; i < c->sm_subcores; i++)
		all += (double)b->issued[i];
	json_array_foreach (json_object_get(data, "schedulers"), k, row) {
		u32 sub = (u32)real(row, "sub"), held = 0, warps = 0, of = 0, says = 0;

		for (u32 i = 0; i < c->sm_collectors; i++)
			held += unit[sub * c->sm_collectors + i].context != NONE16;
		for (u32 i = sub; i < book.contexts; i += c->sm_subcores)
			warps += sim_warp_status(&book.sim, sm, i) < WARP_STATUS_COUNT;
		issued[sub] += real(row, "issued");
		same("subcores", row, "warps", warps);
		same("subcores", row, "percent", share(real(row, "issued"), all));
		assert_int_equal(sscanf(word(row, "collectors"), "%u of %u", &says, &of), 2);
		assert_true(says == held && of == c->sm_collectors);
	}
	for (u32 i = 0; i < c->sm_subcores; i++) {
		assert_true(issued[i] == (double)b->issued[i]);
		squares += (issued[i] - all / c->sm_subcores) * (issued[i] - all / c->sm_subcores);
	}
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		slots += (double)b->outcome[i];
	same("subcores", data, "sum", slots);
	json_array_foreach (json_object_get(data, "outcomes"), k, row) {
		same("subcores", row, "count", (double)b->outcome[k]);
		same("subcores", row, "percent", share((double)b->outcome[k], slots));
	}
	check_causes(data, sm, (double)b->outcome[SLOT_PIPELINE], slots);
	assert_true(fabs(drawn(PANE_subcores, "cov ") -
			 (all > 0 ? sqrt(squares / c->sm_subcores) / (all / c->sm_subcores) : 0)) < 5.1e-4);
	assert_true(fabs(drawn(PANE_subcores, "ipc ") - all / (double)book.now) < 5.1e-3);
	free(issued);
}

static void check_ctas(json_t *data, u32 sm)
{
	struct machine *m = book.sim.m;
	const struct warp *warp = machine_sm_section(m, sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(m, sm, SECTION_CTA);
	u32 here = 0;
	json_t *row;
	size_t k;

	for (u32 i = 0; i < book.ctas * 4; i++)
		here += book.sm[sm].cta[i].here;
	same("ctas", data, "sum", here);
	json_array_foreach (json_object_get(data, "ctas"), k, row) {
		const struct cta_book *b = cta_of(&book.sm[sm], (u32)real(row, "k"), (u32)real(row, "cta"));
		u32 waits = 0, slot = 0;
		char done[32];

		assert_true(b->here);
		while (cta[slot].launch != b->launch || cta[slot].id != b->id)
			slot++;
		for (u32 i = 0; i < book.contexts; i++)
			waits += warp[i].cta == slot && warp[i].at_barrier;
		snprintf(done, sizeof(done), "%u/%u", b->done, b->warps);
		same_text("ctas", row, "done", done);
		same("ctas", row, "barrier", waits);
		same("ctas", row, "regs", b->registers);
		same("ctas", row, "shared", cta[slot].shared);
		same("ctas", row, "since", (double)(book.now - b->came));
		same("ctas", row, "progress", (double)b->done / b->warps);
		assert_int_equal(strlen(word(row, "warps")), b->warps);
	}
}

static void check_kernels(json_t *data)
{
	double slots = 0;
	json_t *row;
	size_t k;

	for (u32 sm = 0; sm < book.sms; sm++)
		for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
			slots += (double)book.sm[sm].outcome[i];
	json_array_foreach (json_object_get(data, "kernels"), k, row) {
		const struct launch_book *l = &book.launch[k];
		u32 ctas = session.program.launch[k].ctas, again = (u32)real(row, "repeats");
		double cycles = 0;

		if (l->issued)
			cycles = (double)(!strcmp(word(row, "state"), "done") ? l->last - l->first
									      : book.now - l->first + 1);
		same("kernels", row, "run", l->started - l->finished);
		if (!again) {
			same("kernels", row, "done", l->finished);
			same("kernels", row, "wait", ctas - l->started);
		}
		same("kernels", row, "issued", (double)l->issued);
		same("kernels", row, "cycles", cycles);
		same("kernels", row, "slots", share((double)l->issued, slots));
		if (cycles > 0)
			same("kernels", row, "ipc", (double)l->issued / cycles);
	}
}

/* Issues of an instruction by every launch of a kernel. */
static double issues_of(const struct kernel *kernel, size_t pc)
{
	double n = 0;

	for (u32 i = 0; i < session.program.nlaunch; i++)
		n += book.sim.kernel[i] == kernel ? (double)book.launch[i].pc[pc] : 0;
	return n;
}

/* The warps that stand on each instruction of the focused warp's kernel. */
static void check_code(json_t *data, u32 sm, u32 focused)
{
	const struct warp *warp = machine_sm_section(book.sim.m, sm, SECTION_WARP);
	const struct kernel *kernel;
	json_t *row;
	size_t k;

	if (warp[focused].cta == NONE16)
		return;
	kernel = book.sim.kernel[warp[focused].launch];
	assert_int_equal(json_array_size(json_object_get(data, "code")), kernel->ninst);
	json_array_foreach (json_object_get(data, "code"), k, row) {
		struct source_frame at;
		struct text want = {0};
		u32 mask;

		text_add(&want, "%s", "");
		for (u32 i = 0; i < book.contexts; i++) {
			u32 pc = NONE32;

			issued_now(&book.sm[sm].warp[i], &pc, &mask);
			if (warp[i].cta != NONE16 && book.sim.kernel[warp[i].launch] == kernel && pc == k)
				text_add(&want, "%s*%u", want.len ? " " : "", i);
		}
		for (u32 i = 0; i < book.contexts; i++)
			if (warp[i].cta != NONE16 && book.sim.kernel[warp[i].launch] == kernel &&
			    sim_warp_pc(&book.sim, sm, i, &mask) == k)
				text_add(&want, "%s%u", want.len ? " " : "", i);
		same("code", row, "pc", (double)k);
		same_text("code", row, "warps", want.s);
		if (source_user(kernel, (u32)k, &at))
			same("code", row, "line", at.line);
		if (json_object_get(row, "issued"))
			same("code", row, "issued", issues_of(kernel, k));
		text_free(&want);
	}
}

/* One cache's row. */
static void check_cache(json_t *row, u64 hits, u64 misses, u64 merges, u64 refused)
{
	char rate[16];

	snprintf(rate, sizeof(rate), "%.0f %%", share((double)hits, (double)(hits + misses + merges)));
	same("memory", row, "accesses", (double)(hits + misses + merges));
	same("memory", row, "hits", (double)hits);
	same("memory", row, "misses", (double)misses);
	same("memory", row, "merges", (double)merges);
	same("memory", row, "rejected", (double)refused);
	same_text("memory", row, "rate", rate);
}

static int older(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x > *y ? -1 : *x < *y;
}

/* What waits aside: as many as have moved there and not come back, numbered; each behind one before it, or none. */
static void check_aside(json_t *data, u32 sm)
{
	const struct sm_book *b = &book.sm[sm];
	json_t *row, *table = json_object_get(data, "reexec");
	size_t k;

	assert_int_equal(json_array_size(table), b->kind[EVENT_REEXEC] - b->kind[EVENT_REEXEC_SERVED]);
	json_array_foreach (table, k, row) {
		json_t *behind = json_object_get(row, "after");
		u32 done, of;

		same("memory", row, "entry", (double)k + 1);
		assert_true(!json_is_number(behind) || real(row, "after") <= (double)k);
		assert_int_equal(sscanf(word(row, "lines"), "%u/%u", &done, &of), 2);
		assert_true(done < of);
	}
}

static void check_memory(json_t *data, u32 sm)
{
	const struct sm_book *b = &book.sm[sm];
	const u64 *stat = ((struct sm *)machine_sm_section(book.sim.m, sm, SECTION_SM))->stat;
	json_t *row, *caches = json_object_get(data, "caches"), *l1i = json_array_get(caches, 0);
	u64 *age = xcalloc(b->nsent + 1, sizeof(u64));
	size_t k, at = 0;

	same("memory", data, "sum", b->nsent);
	for (u32 i = 0; i < b->nsent; i++)
		age[i] = book.now - b->sent[i].cycle;
	qsort(age, b->nsent, sizeof(u64), older);
	json_array_foreach (json_object_get(data, "requests"), k, row) {
		same("memory", row, "age", (double)age[k]);
		assert_true(real(row, "earliest") > (double)book.now);
	}
	free(age);
	if (book.sim.m->config.l0i_latency && book.sim.m->config.l1i_perfect != PERFECT_ON) {
		/* L0 caches ask, which is no event */
		assert_true(b->fetched[0] + b->fetched[1] == 0);
	} else {
		assert_true(b->fetched[0] + b->fetched[1] == stat[STAT_FETCHES]);
		same("memory", l1i, "hits", (double)b->fetched[1]);
	}
	check_cache(l1i, stat[STAT_L1I_HITS], stat[STAT_L1I_MISSES], stat[STAT_L1I_MERGES], stat[STAT_L1I_REFUSED]);
	if (book.sim.m->config.l1i_prefetch) {
		row = json_array_get(caches, ++at);
		same("memory", row, "accesses", (double)b->kind[EVENT_IPREFETCH]);
		check_cache(row, stat[STAT_L1I_AHEAD_USEFUL] - stat[STAT_L1I_AHEAD_LATE],
			    stat[STAT_L1I_AHEAD] - stat[STAT_L1I_AHEAD_USEFUL], stat[STAT_L1I_AHEAD_LATE],
			    stat[STAT_L1I_AHEAD_HELD] + stat[STAT_L1I_AHEAD_REFUSED]);
	}
	check_aside(data, sm);
	check_cache(json_array_get(caches, ++at), b->kind[EVENT_L1D_HIT], b->kind[EVENT_L1D_MISS],
		    b->kind[EVENT_L1D_MERGE], b->kind[EVENT_L1D_REFUSED]);
	check_cache(json_array_get(caches, ++at), sim_l2_stat(&book.sim, STAT_L2_HITS),
		    sim_l2_stat(&book.sim, STAT_L2_MISSES), sim_l2_stat(&book.sim, STAT_L2_MERGES),
		    sim_l2_stat(&book.sim, STAT_L2_REFUSED));
}

/* The queues, from the fields of the second machine. */
static void check_queues(json_t *data, u32 sm)
{
	static const struct {
		const char *queue, *field, *of;
	} row_of[] = {{"lsu", "sm[%u].lsu_count", "lsu.queue"},
		      {"l1d mshrs", "sm[%u].mshrs_used", "l1d.mshrs"},
		      {"l1i mshrs", "sm[%u].imiss_used", "l1i.mshrs"},
		      {"port out", "port[%u].out_count", "icnt.queue"},
		      {"port in", "port[%u].in_count", NULL}};
	json_t *row;
	size_t k;

	json_array_foreach (json_object_get(data, "queues"), k, row)
		for (u32 i = 0; i < ARRAY_LEN(row_of); i++) {
			char name[64];

			if (strcmp(word(row, "queue"), row_of[i].queue))
				continue;
			snprintf(name, sizeof(name), row_of[i].field, sm);
			same("memory", row, "used", field(name));
			if (row_of[i].of)
				same("memory", row, "of", field(row_of[i].of));
		}
}

/* The letters of the cycles up to now, and the instructions per cycle. */
static void check_timeline(json_t *data, u32 sm, u32 sub)
{
	const struct sm_book *b = &book.sm[sm];
	const u32 n = book.sim.m->config.sm_schedulers;
	u64 from = (u64)real(data, "from"), to = min_u64((u64)real(data, "to"), book.now);
	const char *name;
	json_t *letters;

	assert_int_equal(real(data, "cycles"), 1);
	for (u64 c = max_u64(from, book.now > WINDOW ? book.now - WINDOW + 1 : 1); c <= to; c++) {
		u64 at = c % WINDOW;

		json_object_foreach (json_object_get(data, "warps"), name, letters) {
			u32 status = b->status[at * book.contexts + strtoul(name, NULL, 10)];

			assert_int_equal(json_string_value(letters)[c - from],
					 status < WARP_STATUS_COUNT ? warp_status_table[status].letter : ' ');
			numbers++;
		}
		for (u32 i = 0; i < n; i++) {
			u32 outcome = b->slot[at * book.schedulers + sub * n + i];

			letters = json_array_get(json_object_get(data, "slots"), i);
			assert_int_equal(json_string_value(letters)[c - from],
					 outcome < SLOT_OUTCOME_COUNT ? slot_outcome_table[outcome].letter : ' ');
		}
		assert_true(json_real_value(json_array_get(json_object_get(data, "ipc"), c - from)) == b->issues[at]);
	}
}

/* Events of the SM, and of the GPU as a whole. */
static bool shown(const struct record *r, u32 sm)
{
	return r->sm == sm || r->sm == NONE16;
}

/* The events of this cycle in the focused SM, in their order. */
static void check_events(json_t *data, u32 sm)
{
	u32 at = 0, n = 0;
	json_t *row;
	size_t k;

	json_array_foreach (json_object_get(data, "events"), k, row) {
		const struct record *r;

		if ((u64)real(row, "cycle") != book.now)
			continue;
		while (at < book.sim.bus.count && !shown(&book.sim.bus.record[at], sm))
			at++;
		assert_true(at < book.sim.bus.count);
		r = &book.sim.bus.record[at++];
		same_text("events", row, "event", event_table[r->kind].name);
		if (r->warp != NONE16)
			same("events", row, "warp", r->warp);
		if (r->pc != NONE32)
			same("events", row, "pc", r->pc);
		n++;
	}
	for (; at < book.sim.bus.count; at++)
		assert_false(shown(&book.sim.bus.record[at], sm));
	numbers += n;
}

/* Every statistic, as the second machine has it. */
static void check_stats(json_t *data)
{
	struct session other = session;
	json_t *row;
	size_t k;

	other.sim = book.sim;
	sim_sync(&book.sim);
	json_array_foreach (json_object_get(data, "stats"), k, row) {
		const char *name = word(row, "statistic");
		struct value v;

		if (strchr(name, '[') || json_is_string(json_object_get(row, "value")) || !strncmp(name, "host.", 5))
			continue;
		assert_true(stat_get(&other, name, &v));
		same("stats", row, "value", value_as_real(v));
	}
}

/* Whether every whole number of a row below a thousand (greater ones may be shortened) stands in a line. */
static bool holds_all(const char *line, json_t *row)
{
	const char *name;
	json_t *x;

	json_object_foreach (row, name, x) {
		char digits[32];

		snprintf(digits, sizeof(digits), "%lld", (long long)json_integer_value(x));
		if (json_is_integer(x) && json_integer_value(x) >= 0 && json_integer_value(x) < 1000 &&
		    !strstr(line, digits))
			return false;
	}
	return true;
}

/* The rows of a table are drawn, in their order. */
static void check_drawing(enum pane_id id, json_t *data, const char *key)
{
	struct canvas c;
	u32 height = pane_height(&session, id, 200) + 8, y = 1;
	json_t *row;
	size_t k;

	canvas_init(&c, 200, height, false);
	pane_draw(&session, id, &c, 0, NULL);
	json_array_foreach (json_object_get(data, key), k, row) {
		struct text line = {0};

		do {
			if (y == height)
				fail_msg("%s: row %zu of %s is not drawn in cycle %llu of %s", pane_table[id]->name, k,
					 key, (unsigned long long)book.now, session.scenario);
			text_clear(&line);
			text_add(&line, "%s", "");
			canvas_row_text(&c, y++, &line);
		} while (!holds_all(line.s, row));
		text_free(&line);
	}
	canvas_free(&c);
}

/* All panes of an SM, in the cycle of the book. */
static void check_all(u32 sm, u32 sub, u32 warp)
{
	json_t *data[PANE_COUNT];

	session.focus = (struct focus){.sm = sm, .sub = sub, .warp = warp};
	for (u32 i = 0; i < PANE_COUNT; i++)
		data[i] = pane_json(&session, (enum pane_id)i);
	check_warps(data[PANE_warps], sm);
	check_banks(data[PANE_banks], sm, sub);
	check_subcores(data[PANE_subcores], sm);
	check_ctas(data[PANE_ctas], sm);
	check_kernels(data[PANE_kernels]);
	check_code(data[PANE_code], sm, warp);
	check_memory(data[PANE_memory], sm);
	check_queues(data[PANE_memory], sm);
	check_timeline(data[PANE_timeline], sm, sub);
	check_events(data[PANE_events], sm);
	check_stats(data[PANE_stats]);
	check_drawing(PANE_warps, data[PANE_warps], "warps");
	check_drawing(PANE_ctas, data[PANE_ctas], "ctas");
	check_drawing(PANE_kernels, data[PANE_kernels], "kernels");
	check_drawing(PANE_memory, data[PANE_memory], "requests");
	for (u32 i = 0; i < PANE_COUNT; i++)
		json_decref(data[i]);
}

/* In that cycle the panes of some SM, after a detour. */
static void look(u64 cycle, u64 seed, u64 end)
{
	struct machine *m = book.sim.m;
	u32 sm = (u32)(mix64(seed) % book.sms), sub = (u32)(mix64(seed + 1) % m->config.sm_subcores);
	u32 warp = (u32)(mix64(seed + 2) % book.contexts);
	char line[64];

	while (book.now < cycle)
		book_cycle();
	snprintf(line, sizeof(line), "goto %llu", (unsigned long long)(mix64(seed + 3) % (end + 1)));
	must(line);
	snprintf(line, sizeof(line), "goto %llu", (unsigned long long)cycle);
	must(line);
	for (u32 i = 0; i < book.contexts && sim_warp_status(&book.sim, sm, warp) == WARP_STATUS_COUNT; i++)
		warp = (warp + 1) % book.contexts;
	check_all(sm, sub, warp);
}

static int lower(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* A scenario, in cycles drawn from the first ones of it. */
static void walk(const char *path, u64 seed)
{
	u64 cycle[LOOKS], end;
	char line[64];
	struct error e;
	FILE *out;

	session_open(&session, &all_session_ops);
	session.out = out = fopen("/dev/null", "w");
	session.quiet = session.batch = true;
	session.scenario = xstrdup(path);
	if (command_run_file(&session, path, &e))
		fail_msg("%s: %s", path, e.message);
	snprintf(line, sizeof(line), "goto %u", FIRST_CYCLES);
	must("step 0");
	must(seed % 2 ? "set stats.lines on" : "set stats.lines off");
	book_open();
	command_run_line(&session, line, NULL, 0, &e);
	end = timeline_now(session.timeline).cycle;
	for (u32 i = 0; i < LOOKS; i++)
		cycle[i] = 1 + mix64(seed * 100 + i) % end;
	qsort(cycle, LOOKS, sizeof(*cycle), lower);
	for (u32 i = 0; i < LOOKS; i++)
		look(cycle[i], seed * 1000 + i * 10, end);
	book_close();
	session_close(&session);
	fclose(out);
}

/* Every scenario of the library. */
static void test_every_scenario(void **state UNUSED)
{
	glob_t found;

	assert_int_equal(glob("scenarios/*.scn", 0, NULL, &found), 0);
	assert_int_equal(glob("scenarios/subcore/*.scn", GLOB_APPEND, NULL, &found), 0);
	assert_int_equal(glob("scenarios/elf/*.scn", GLOB_APPEND, NULL, &found), 0);
	size_t each = getenv("WARPSTEP_LONG") || getenv("WARPSTEP_MORE") ? 1 : 3;
	for (size_t i = 0; i < found.gl_pathc; i += each)
		walk(found.gl_pathv[i], i + 1);
	assert_true(found.gl_pathc > 40 && numbers > 1000 * found.gl_pathc / each);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_scenario)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
