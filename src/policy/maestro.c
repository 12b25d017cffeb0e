/*
 * maestro.c - GPU Maestro: what partition of an SM is best is found on live SMs, epoch by epoch, and the others follow.
 *
 * Where two kernels run, each has an SM of its own, which shows how fast it would be alone. Of one of them, the trial
 * kernel, of which fewer CTAs fit, the followers hold so many, one SM tries one more, one SM one less; the other kernel
 * fills them up. When no SM holds more CTAs than it is to, however long that takes, an epoch begins (maestro.epoch). At
 * its end each kernel's slowdown is known for each partition: instructions that a dedicated SM has issued over those
 * that the SM has. Of these, and of SMs apart (each kernel on half of them), the one with the best ANTT or STP
 * (maestro.objective) is taken up; nothing changes where none is better. While SMs apart are best each kernel gets one
 * more of its own after every epoch, as long as a follower and the two that try are left. Roles go to the SMs whose
 * CTAs suit them best. When nothing has changed for two epochs and the dedicated SMs were as fast as before, within a
 * twentieth, these follow, too, and are dedicated again after 100 epochs, when something changes, and when a kernel
 * begins or ends. Source: Park, Park, Mahlke, ASPLOS 2017, as Park, University of Michigan, 2016, section 5.4.1, has
 * it. Decided where it is silent: one dedicated SM for each kernel, the twentieth, roles by distance.
 *
 * History: what each of two kernels came to in a shared SM is remembered by its name, as a part of the CTAs that fit. A
 * kernel that came to less than its even part begins with what it came to, and the other fills the SM up. Decided: if
 * both did, each beside another kernel, the trial kernel's count is the one that holds, for both cannot have less.
 *
 * More than two kernels (section 5.4.2): pairs of them have SMs apart (maestro_pairs.c), and partitions are tried for
 * one pair at a time, within its SMs; this is its turn. Decided: a turn ends when the pair's dedicated SMs follow, or
 * after 10 epochs, and the pairs have theirs in order, again and again. Between its turns a pair has no trial SMs, and
 * dedicated ones only if SMs apart were best: it stays at what it came to. A pair of less than 5 SMs has no turn: it
 * shares them by history or evenly. A kernel that is left over has its SMs to itself, which then are its dedicated
 * ones. Pairs are made anew when a kernel begins or ends; one both of whose kernels go on keeps what it came to, but it
 * is not steady any more. While more than two run the speeds of dedicated SMs are kept from turn to turn. As many
 * kernels are dealt with at once as SMK_KERNELS and the SMs allow; others wait. Nothing but allocate=twoway sees to it
 * that an SM which changes hands never holds three kernels: the CTAs of those that have lost it leave as slot preempt
 * says.
 */
#include "events.h"
#include "policy_maestro.h"

#include "policy_multi.h"

__extension__ typedef unsigned __int128 product;

OWN_FIELDS(maestro, MAESTRO_FIELDS)
OWN_FIELDS(maestro_kernel, MAESTRO_KERNEL_FIELDS)
OWN_FIELDS(maestro_option, MAESTRO_OPTION_FIELDS)
OWN_FIELDS(maestro_sm, MAESTRO_SM_FIELDS)
OWN_FIELDS(maestro_pair, MAESTRO_PAIR_FIELDS)

#define POLL 512	  /* cycles between looks whether CTAs have moved */
#define STEADY_EPOCHS 2	  /* nothing has changed */
#define STEADY_SHARE 20	  /* a twentieth: how far CPIs of dedicated SMs may be apart */
#define RETURN_EPOCHS 100 /* after which the dedicated SMs return */
#define TURN_EPOCHS 10	  /* the longest turn of a pair, if others wait for theirs */

static u32 maestro_kernel_count(const struct config *c UNUSED)
{
	return SMK_KERNELS;
}
static u32 maestro_pair_count(const struct config *c UNUSED)
{
	return MAESTRO_PAIRS;
}
static u32 maestro_option_count(const struct config *c UNUSED)
{
	return OPTION_COUNT;
}
static u32 maestro_sm_count(const struct config *c)
{
	return c->gpu_sms;
}

/* The same as maestro_state(), to be changed, with what it looks at. */
struct maestro_now {
	const struct gpu_view *v;
	struct maestro *own;
	struct maestro_kernel *kernel;
	struct maestro_option *option;
	struct maestro_sm *sm;
	struct maestro_pair *pair;
	u32 sms;
};
static void *maestro_part(const struct gpu_view *v, u8 *gpu, u32 k)
{
	return gpu + own_offset(&scheme_maestro, &v->m->config, IN_GPU, k);
}
static struct maestro_now maestro_look(const struct gpu_view *v, void *gpu)
{
	return (struct maestro_now){v,
				    maestro_part(v, gpu, 0),
				    maestro_part(v, gpu, 1),
				    maestro_part(v, gpu, 2),
				    maestro_part(v, gpu, 3),
				    maestro_part(v, gpu, 4),
				    v->m->config.gpu_sms};
}
static struct maestro_state maestro_as_state(const struct maestro_now *w)
{
	return (struct maestro_state){w->own, w->kernel, w->option, w->sm, w->pair};
}
/* The two kernels of the pair whose turn it is. */
static u32 maestro_launch_of(const struct maestro_now *w, u32 k)
{
	return maestro_launch(w->kernel, w->own->turn, k);
}
/* Do CTAs of the pair whose turn it is come to an SM? */
static bool maestro_in_turn(const struct maestro_now *w, u32 sm)
{
	return w->sm[sm].pair == w->own->turn;
}

/* Slot partition. Kernels that are not dealt with wait. */
static u32 maestro_partition(const struct sched_view *v, u32 launch)
{
	if (maestro_state(v->m).own->phase == PHASE_OFF)
		return NONE32;
	return maestro_wanted_of(v->m, v->launch, v->run, v->sm_id, launch);
}

/* --- measuring --- */

/* Instructions of a kernel in its SMs of its own, and the cycles of these. */
static struct maestro_kernel maestro_issued_alone(const struct maestro_now *w, u32 kernel, u64 cycles)
{
	struct maestro_kernel now = {.launch = w->kernel[kernel].launch};
	for (u32 i = 0; i < w->sms; i++)
		if (w->sm[i].role == ROLE_DEDICATED && 2 * w->sm[i].pair + w->sm[i].kernel == kernel) {
			now.issued += maestro_issued(w->v->m, i, kernel % 2);
			now.cycles += cycles;
		}
	return now;
}

/* How much slower an SM is that has issued so many of a kernel in some cycles than one of its own, x MAESTRO_ONE. */
static u64 maestro_slower(const struct maestro_kernel *alone, u64 issued, u64 cycles)
{
	product can = (product)alone->issued * cycles * MAESTRO_ONE, does = (product)alone->cycles * issued;
	return does && can / does < MAESTRO_MOST ? (u64)(can / does) : MAESTRO_MOST;
}

/* The mean slowdown of a kernel of the pair in its SMs of a role, x MAESTRO_ONE; 0: there are none. */
static u64 maestro_slowdown(const struct maestro_now *w, u32 role, u32 k, u64 cycles)
{
	u64 sum = 0, n = 0;
	for (u32 i = 0; i < w->sms; i++) {
		if (w->sm[i].role != role || !maestro_in_turn(w, i))
			continue;
		sum += maestro_slower(&w->kernel[2 * w->own->turn + k], maestro_issued(w->v->m, i, k), cycles);
		n++;
	}
	return n ? max_u64(sum / n, 1) : 0;
}

/* What the epoch has measured; nothing, if nobody knows how fast a kernel is alone. */
static void maestro_measure(const struct maestro_now *w, u64 cycles)
{
	static const u32 role[OPTION_COUNT] = {
		[OPTION_SAME] = ROLE_FOLLOWER, [OPTION_MORE] = ROLE_MORE, [OPTION_LESS] = ROLE_LESS};
	const struct maestro_kernel *kernel = w->kernel + 2 * w->own->turn;
	u32 sms = maestro_sms(w->v->m, w->own->turn), half = sms / 2;
	memset(w->option, 0, OPTION_COUNT * sizeof *w->option);
	w->own->last = w->own->turn;
	if (!kernel[0].cycles || !kernel[1].cycles)
		return;
	w->option[OPTION_SPATIAL] =
		(struct maestro_option){(u64)sms * MAESTRO_ONE / (sms - half), (u64)sms * MAESTRO_ONE / half};
	for (u32 i = OPTION_SAME; i < OPTION_COUNT; i++)
		w->option[i] = (struct maestro_option){maestro_slowdown(w, role[i], 0, cycles),
						       maestro_slowdown(w, role[i], 1, cycles)};
}

/* Are two speeds no further apart than a part of the first? */
static bool maestro_near(const struct maestro_kernel *before, const struct maestro_kernel *now)
{
	product was = (product)before->issued * now->cycles, is = (product)now->issued * before->cycles;
	return before->cycles && (is > was ? is - was : was - is) <= was / STEADY_SHARE;
}

/* The speed of dedicated SMs, where there are any; true: those of the pair are as fast as before. It is kept as what
 * was counted: speeds of kernels that issue seldom are small. */
static bool maestro_learn_alone(const struct maestro_now *w, u64 cycles)
{
	bool alike = true;
	for (u32 k = 0; k < w->own->kernels; k++) {
		struct maestro_kernel now = maestro_issued_alone(w, k, cycles);
		if (!now.issued)
			continue;
		alike &= k / 2 != w->own->turn || maestro_near(&w->kernel[k], &now);
		w->kernel[k] = now;
	}
	return alike;
}

/* --- roles --- */

/* How far an SM is from what a role wants: CTAs of the pair that would have to go or come. */
static u32 maestro_distance(const struct maestro_now *w, u32 i, const struct maestro_sm *role)
{
	u32 sum = 0;
	for (u32 k = 0; k < 2; k++) {
		u32 launch = maestro_launch(w->kernel, (u32)role->pair, k),
		    has = kernel_on(w->v->m, i, launch)->resident;
		u32 wanted = maestro_wanted(w->v->m, w->v->launch, w->v->run, role, k);
		if (wanted == NONE32)
			wanted = max_u32(launch_residency(w->v->m, launch)->fit, 1);
		sum += has > wanted ? has - wanted : wanted - has;
	}
	return sum;
}

/* A role goes to the SM without one, of those of a pair, that suits it best. */
static void maestro_assign(const struct maestro_now *w, u32 pair, u32 role, u32 kernel)
{
	struct maestro_sm want = {.role = role, .kernel = kernel, .pair = pair};
	u32 best = NONE32, least = NONE32;
	for (u32 i = 0; i < w->sms; i++) {
		u32 far = w->sm[i].role || w->sm[i].pair != pair ? NONE32 : maestro_distance(w, i, &want);
		if (far < least) {
			least = far;
			best = i;
		}
	}
	if (best == NONE32)
		return;
	w->sm[best].role = role;
	w->sm[best].kernel = kernel;
}

/* Can the trial kernel have so many CTAs in an SM, and leave the other at least one? */
static bool maestro_can_hold(const struct maestro_now *w, u32 ctas)
{
	u32 trial = maestro_launch_of(w, w->own->trial), other = maestro_launch_of(w, !w->own->trial);
	return ctas && ctas <= launch_residency(w->v->m, trial)->fit &&
	       maestro_fill(w->v->m, &w->v->launch[trial], ctas, &w->v->launch[other]);
}

/* SMs of its own that each kernel of a pair is to have. */
static u32 maestro_dedicated(const struct maestro_now *w, u32 pair)
{
	struct maestro_state s = maestro_as_state(w);
	struct maestro_pair p = maestro_pair(&s, pair);
	if (maestro_turn(w->own, pair))
		return p.steady ? 0 : 1 + p.spatial;
	return p.apart ? 1 + p.spatial : 0;
}

/* The SMs of a pair get their roles. */
static void maestro_give_roles(const struct maestro_now *w, u32 pair)
{
	bool single = maestro_launch(w->kernel, pair, 1) == NONE32;
	for (u32 i = 0, n = maestro_dedicated(w, pair); i < n; i++)
		for (u32 k = 0; k < 2; k++)
			maestro_assign(w, pair, ROLE_DEDICATED, k);
	if (maestro_turn(w->own, pair) && maestro_can_hold(w, w->own->ctas + 1))
		maestro_assign(w, pair, ROLE_MORE, 0);
	if (maestro_turn(w->own, pair) && maestro_can_hold(w, w->own->ctas - 1))
		maestro_assign(w, pair, ROLE_LESS, 0);
	for (u32 i = 0; i < w->sms; i++)
		if (w->sm[i].pair == pair && !w->sm[i].role) {
			w->sm[i].role = single ? ROLE_DEDICATED : ROLE_FOLLOWER;
			w->sm[i].kernel = single ? 0 : w->sm[i].kernel;
		}
}

/* Roles are given anew, and CTAs move, if they have to. */
static void maestro_begin_moving(const struct maestro_now *w)
{
	for (u32 i = 0; i < w->sms; i++)
		w->sm[i].role = ROLE_NONE;
	for (u32 p = 0; 2 * p < w->own->kernels; p++)
		maestro_give_roles(w, p);
	w->own->phase = w->own->phase == PHASE_UNTRIED ? PHASE_UNTRIED : PHASE_MOVING;
	w->own->since = w->v->cycle + 1;
}

/* --- what kernels came to --- */

/* A kernel of the pair came to so many CTAs in a shared SM; 0: they do not fit side by side, which says nothing. */
static void maestro_remember(const struct maestro_now *w, u32 k, u32 ctas)
{
	u32 launch = maestro_launch_of(w, k);
	u64 name = maestro_name(&w->v->launch[launch]), fit = max_u32(launch_residency(w->v->m, launch)->fit, 1);
	if (ctas)
		w->own->history[maestro_place(w->own, name)] = name << 32 | ctas * 1000 / fit;
}

/* Both kernels: the one that fills the SM up, and the trial kernel, which counts if both have one name. */
static void maestro_remember_both(const struct maestro_now *w)
{
	u32 trial = w->own->trial, ctas = w->own->ctas;
	maestro_remember(w, !trial,
			 maestro_fill(w->v->m, &w->v->launch[maestro_launch_of(w, trial)], ctas,
				      &w->v->launch[maestro_launch_of(w, !trial)]));
	maestro_remember(w, trial, ctas);
}

/* --- pairs --- */

/* SMs of their own that each kernel of a pair with so many SMs may have beside the first. */
static u32 maestro_most_apart(u32 sms)
{
	return (sms - 3) / 2 - 1;
}

/* What is known of the pair whose turn it is. */
static void maestro_put_pair(struct maestro *own, const struct maestro_pair *p)
{
#define PUT(type, name, doc) own->name = p->name;
#define NO_ARRAY(type, name, count, doc)
	MAESTRO_PAIR_FIELDS(PUT, NO_ARRAY)
#undef NO_ARRAY
#undef PUT
}

/* Another pair has its turn. */
static void maestro_turn_to(const struct maestro_now *w, u32 pair)
{
	struct maestro_state s = maestro_as_state(w);
	w->pair[w->own->turn] = maestro_pair(&s, w->own->turn);
	maestro_put_pair(w->own, &w->pair[pair]);
	w->pair[pair] = (struct maestro_pair){0};
	w->own->turn = pair;
	w->own->turn_epochs = 0;
}

/* The first of some pairs that has the SMs to be tried, from one on, round and round; NONE32: none. */
static u32 maestro_pair_to_try(const struct maestro_now *w, u32 from, u32 pairs)
{
	for (u32 i = from; i < from + pairs; i++) {
		u32 p = i % MAESTRO_PAIRS;
		if (maestro_launch(w->kernel, p, 1) != NONE32 && maestro_sms(w->v->m, p) >= MAESTRO_LEAST_SMS)
			return p;
	}
	return NONE32;
}

/* The kernels that run and can be dealt with, in their order, as numbers + 1. */
static u32 maestro_find_kernels(const struct gpu_view *v, u64 *launch)
{
	u32 n = 0, most = min_u32(SMK_KERNELS, v->m->config.gpu_sms);
	for (u32 i = 0; i < v->launches && n < most; i++)
		if (launch_goes_on(&v->run[i], &v->launch[i]))
			launch[n++] = i + 1;
	return n;
}

/* What a pair of kernels begins with. */
static struct maestro_pair maestro_fresh_pair(const struct maestro_now *w, u32 pair)
{
	u32 launch[2] = {maestro_launch(w->kernel, pair, 0), maestro_launch(w->kernel, pair, 1)};
	struct maestro_pair p = {0};
	if (launch[1] == NONE32)
		return p;
	p.trial = launch_residency(w->v->m, launch[1])->fit < launch_residency(w->v->m, launch[0])->fit;
	p.ctas = maestro_first(w->v->m, w->v->launch, launch[p.trial], launch[!p.trial]);
	return p;
}

/* What a pair keeps that goes on with so many SMs. */
static struct maestro_pair maestro_kept_pair(const struct maestro_pair *before, u32 sms)
{
	struct maestro_pair p = {.trial = before->trial, .ctas = before->ctas};
	p.apart = before->apart && sms >= MAESTRO_LEAST_SMS;
	p.spatial = p.apart ? min_u32(before->spatial, maestro_most_apart(sms)) : 0;
	return p;
}

/* Kernels, by number + 1, get into pairs, and pairs their SMs. */
static void maestro_regroup(const struct maestro_now *w, const u64 *launch, u32 n)
{
	struct maestro_kernel old[SMK_KERNELS];
	struct maestro_pair was[MAESTRO_PAIRS];
	struct maestro_state s = maestro_as_state(w);
	bool keep = w->own->kernels > 2 || n > 2;
	memcpy(old, w->kernel, sizeof old);
	for (u32 p = 0; p < MAESTRO_PAIRS; p++)
		was[p] = maestro_pair(&s, p);
	for (u32 k = 0; k < SMK_KERNELS; k++) {
		w->kernel[k] = (struct maestro_kernel){.launch = launch[k]};
		for (u32 i = 0; keep && launch[k] && i < SMK_KERNELS; i++)
			w->kernel[k] = old[i].launch == launch[k] ? old[i] : w->kernel[k];
	}
	w->own->kernels = n;
	maestro_deal(w->v->m, w->kernel, n, w->sm);
	for (u32 p = 0; p < MAESTRO_PAIRS; p++) {
		w->pair[p] = maestro_fresh_pair(w, p);
		for (u32 i = 0; i < MAESTRO_PAIRS; i++)
			if (launch[2 * p + 1] && old[2 * i].launch == launch[2 * p] &&
			    old[2 * i + 1].launch == launch[2 * p + 1])
				w->pair[p] = maestro_kept_pair(&was[i], maestro_sms(w->v->m, p));
	}
}

/* The first pair that has the SMs to be tried has its turn. */
static void maestro_first_turn(const struct maestro_now *w)
{
	u32 found = maestro_pair_to_try(w, 0, MAESTRO_PAIRS), first = found == NONE32 ? 0 : found;
	maestro_put_pair(w->own, &w->pair[first]);
	w->pair[first] = (struct maestro_pair){0};
	w->own->turn = w->own->last = first;
	w->own->turn_epochs = 0;
	w->own->phase = found == NONE32 ? PHASE_UNTRIED : PHASE_MOVING;
}

/* A kernel has begun or ended. */
static void maestro_begin(const struct maestro_now *w)
{
	const struct config *c = &w->v->m->config;
	u64 running[SMK_KERNELS], before[SMK_KERNELS], launch[SMK_KERNELS];
	u32 n = maestro_find_kernels(w->v, running);
	for (u32 k = 0; k < SMK_KERNELS; k++)
		before[k] = w->kernel[k].launch;
	if (n < 2 || c->gpu_sms < MAESTRO_LEAST_SMS || !c->maestro_epoch) {
		w->own->phase = PHASE_OFF;
		w->own->kernels = 0;
		for (u32 k = 0; k < SMK_KERNELS; k++)
			w->kernel[k].launch = 0;
		return;
	}
	maestro_pair_up(before, running, n, launch);
	if (w->own->phase != PHASE_OFF && !memcmp(launch, before, sizeof launch))
		return;
	maestro_regroup(w, launch, n);
	maestro_first_turn(w);
	memset(w->option, 0, OPTION_COUNT * sizeof *w->option);
	w->own->decided = OPTION_SAME;
	maestro_begin_moving(w);
}

/* --- epochs --- */

/* Have all CTAs gone that are to go? */
static bool maestro_reached(const struct maestro_now *w)
{
	for (u32 i = 0; i < w->sms; i++)
		for (u32 k = 0; k < w->own->kernels; k++) {
			u32 launch = (u32)w->kernel[k].launch - 1;
			if (kernel_on(w->v->m, i, launch)->resident >
			    maestro_wanted_of(w->v->m, w->v->launch, w->v->run, i, launch))
				return false;
		}
	return true;
}

/* An epoch begins, with CTAs that have moved for so many cycles. */
static struct emitted maestro_begin_epoch(const struct maestro_now *w, u64 cycles)
{
	for (u32 i = 0; i < w->sms; i++)
		for (u32 k = 0; k < 2; k++) {
			u32 launch = maestro_launch(w->kernel, (u32)w->sm[i].pair, k);
			w->sm[i].issued[k] = launch == NONE32 ? 0 : kernel_on(w->v->m, i, launch)->issued;
		}
	w->own->phase = PHASE_MEASURING;
	w->own->since = w->v->cycle + 1;
	return (struct emitted){.kind = EVENT_EPOCH_START,
				.launch = maestro_launch_of(w, w->own->trial),
				.a = w->own->epochs + 1,
				.b = (u32)min_u64(cycles, NONE32)};
}

/* What was decided is done. */
static void maestro_take_up(const struct maestro_now *w, u32 option)
{
	struct maestro *own = w->own;
	u32 even = smk_even(w->v->m, &w->v->launch[maestro_launch_of(w, own->trial)], 2);
	own->decided = option;
	own->epochs++;
	own->apart = option == OPTION_SPATIAL;
	own->spatial = own->apart ? min_u32(own->spatial + 1, maestro_most_apart(maestro_sms(w->v->m, own->turn))) : 0;
	own->ctas += option == OPTION_MORE;
	own->ctas -= option == OPTION_LESS;
	own->epochs_apart += own->apart;
	own->epochs_even += !own->apart && own->ctas == even;
	own->epochs_other += !own->apart && own->ctas != even;
	maestro_remember_both(w);
}

/* Nothing has changed, or something has; are the dedicated SMs to follow? True: that is new. */
static bool maestro_settle(struct maestro *own, bool same, bool alike)
{
	u32 steady = own->steady;
	own->same = same && alike ? own->same + 1 : 0;
	own->waited = steady ? own->waited + 1 : 0;
	own->steady = own->same >= STEADY_EPOCHS && own->waited < RETURN_EPOCHS && !own->apart;
	own->same = steady && !own->steady ? 0 : own->same;
	return own->steady != steady;
}

/* Is the turn of a pair over that has just become steady, or not? Then the next has its own. */
static bool maestro_pass_on(const struct maestro_now *w, bool settled)
{
	u32 next = maestro_pair_to_try(w, w->own->turn + 1, MAESTRO_PAIRS - 1);
	if (next == NONE32)
		return false;
	for (u32 p = 0; p < MAESTRO_PAIRS; p++)
		w->pair[p].waited += w->pair[p].steady;
	w->own->turn_epochs++;
	if (!(settled && w->own->steady) && w->own->turn_epochs < TURN_EPOCHS)
		return false;
	maestro_turn_to(w, next);
	return true;
}

/* What was measured is decided, and the next epoch begins, if CTAs are where they are wanted; returns what there is to
 * tell of it. */
static u32 maestro_end_epoch(const struct maestro_now *w, struct emitted *out)
{
	struct maestro *own = w->own;
	u32 ctas = own->ctas, spatial = own->spatial, apart = own->apart, n = 0;
	u64 cycles = w->v->cycle + 1 - own->since;
	bool alike = maestro_learn_alone(w, cycles), stp = w->v->m->config.maestro_objective == OBJECTIVE_STP;
	maestro_measure(w, cycles);
	maestro_take_up(w, maestro_decide(w->option, apart ? OPTION_SPATIAL : OPTION_SAME, stp));
	bool same = ctas == own->ctas && apart == own->apart;
	out[n++] = (struct emitted){.kind = EVENT_EPOCH,
				    .launch = maestro_launch_of(w, own->trial),
				    .a = own->apart ? 0 : own->ctas,
				    .b = apart ? 0 : ctas};
	bool settled = maestro_settle(own, same, alike), moves = settled || !same || spatial != own->spatial;
	if (maestro_pass_on(w, settled) || moves)
		maestro_begin_moving(w);
	else
		out[n++] = maestro_begin_epoch(w, 0);
	return n;
}

static u32 maestro_on_notice_gpu_emit(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes,
				      struct emitted *out)
{
	struct maestro_now w = maestro_look(v, bytes.gpu);
	u64 waited = v->cycle + 1 - w.own->since;
	if (n->kind != NOTICE_EPOCH) {
		maestro_begin(&w);
		return 0;
	}
	if (w.own->phase == PHASE_MEASURING)
		return maestro_end_epoch(&w, out);
	if (w.own->phase != PHASE_MOVING || !maestro_reached(&w))
		return 0;
	out[0] = maestro_begin_epoch(&w, waited);
	return 1;
}

/* The next look: whether CTAs have moved, or what the epoch has measured. */
static u64 maestro_due(const struct gpu_view *v, u64 from)
{
	const struct maestro *own = maestro_state(v->m).own;
	if (own->phase == PHASE_OFF || own->phase == PHASE_UNTRIED || !v->m->config.maestro_epoch)
		return NEVER;
	if (own->phase == PHASE_MOVING)
		return window_last(POLL, from);
	return max_u64(own->since + v->m->config.maestro_epoch - 1, from);
}

static const char *maestro_idle(const struct config *c)
{
	return c->gpu_sms < MAESTRO_LEAST_SMS ? "it measures partitions on separate SMs and needs at least 5 (gpu.sms)"
					      : NULL;
}

const struct scheme scheme_maestro = {
	.name = "maestro",
	.paper =
		"Park, Park, Mahlke, \"Dynamic Resource Management for Efficient Utilization of Multitasking GPUs\", ASPLOS 2017; thesis, 2016, chapter V",
	.doc = "GPU Maestro: two kernels share SMs as live SMs show to be best, each partition measured for an epoch; more than two get SMs in pairs, measured one pair at a time",
	.idle = maestro_idle,
	.decide.partition = maestro_partition,
	.sm_local = true,
	.depends_on_remaining_ctas = true,
	.on_notice_gpu_emit = maestro_on_notice_gpu_emit,
	.subscribes = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END | 1ULL << NOTICE_EPOCH,
	.due = maestro_due,
	.own = {OWN(maestro, "maestro", IN_GPU, NULL),
		OWN(maestro_kernel, "maestro.kernel", IN_GPU, maestro_kernel_count),
		OWN(maestro_option, "maestro.option", IN_GPU, maestro_option_count),
		OWN(maestro_sm, "maestro.sm", IN_GPU, maestro_sm_count),
		OWN(maestro_pair, "maestro.pair", IN_GPU, maestro_pair_count)},
};
