/*
 * maestro.c - GPU Maestro: what partition of an SM is best is found on live SMs, epoch by epoch, and the others follow.
 *
 * Where two kernels run, each has an SM of its own, which shows how fast it would be alone. Of one of them, the trial
 * kernel, of which fewer CTAs fit, the followers hold so many, one SM tries one more, one SM one less; the other kernel
 * fills them up. When no SM holds more CTAs than it is to, an epoch begins (maestro.epoch). At its end each kernel's
 * slowdown is known for each partition: instructions that a dedicated SM has issued over those that the SM has. Of
 * these, and of SMs apart (each kernel on half of them), the one with the best ANTT or STP (maestro.objective) is taken
 * up; nothing changes where none is better. While SMs apart are best each kernel gets one more of its own after every
 * epoch, as long as a follower and the two that try are left. Roles go to the SMs whose CTAs suit them best. When
 * nothing has changed for two epochs and the dedicated SMs were as fast as before, within 5 %, these follow, too, and
 * are dedicated again after 100 epochs, when something changes, and when a kernel begins or ends. Kernels begin with
 * equal parts, or with what they came to before, if that was less (history). Source: Park, University of Michigan,
 * 2016, section 5.4.1. Decided where it is silent: one dedicated SM for each kernel, the 5 %, roles by distance.
 */
#include "policy_maestro.h"

#include "policy_multi.h"
#include "policy_smk.h"

#include <string.h>

__extension__ typedef unsigned __int128 product;

OWN_FIELDS(maestro, MAESTRO_FIELDS)
OWN_FIELDS(maestro_kernel, MAESTRO_KERNEL_FIELDS)
OWN_FIELDS(maestro_option, MAESTRO_OPTION_FIELDS)
OWN_FIELDS(maestro_sm, MAESTRO_SM_FIELDS)

#define POLL 512	  /* cycles between looks whether CTAs have moved */
#define STEADY_EPOCHS 2	  /* nothing has changed */
#define STEADY_SHARE 20	  /* a twentieth: how far CPIs of dedicated SMs may be apart */
#define RETURN_EPOCHS 100 /* after which the dedicated SMs return */

static u32 kernel_count(const struct config *c UNUSED)
{
	return 2;
}
static u32 option_count(const struct config *c UNUSED)
{
	return OPTION_COUNT;
}
static u32 sm_count(const struct config *c)
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
	u32 sms;
};
static void *part(const struct gpu_view *v, u8 *gpu, u32 k)
{
	return gpu + own_offset(&scheme_maestro, &v->m->config, IN_GPU, k);
}
static struct maestro_now look(const struct gpu_view *v, void *gpu)
{
	return (struct maestro_now){
		v, part(v, gpu, 0), part(v, gpu, 1), part(v, gpu, 2), part(v, gpu, 3), v->m->config.gpu_sms};
}
static u32 launch_of(const struct maestro_now *w, u32 k)
{
	return (u32)w->kernel[k].launch - 1;
}

/* Slot partition. A third kernel waits. */
static u32 partition(const struct sched_view *v, u32 launch)
{
	struct maestro_state s = maestro_state(v->m);
	if (s.own->phase == PHASE_OFF)
		return NONE32;
	for (u32 k = 0; k < 2; k++)
		if (s.kernel[k].launch == launch + 1ULL)
			return maestro_wanted(v->m, v->launch, v->run, &s.sm[v->sm_id], k);
	return 0;
}

/* --- measuring --- */

/* Instructions of a kernel in its SMs of its own, and the cycles of these. */
static struct maestro_kernel issued_alone(const struct maestro_now *w, u32 k, u64 cycles)
{
	struct maestro_kernel now = {.launch = w->kernel[k].launch};
	for (u32 i = 0; i < w->sms; i++)
		if (w->sm[i].role == ROLE_DEDICATED && w->sm[i].kernel == k) {
			now.issued += maestro_issued(w->v->m, i, k);
			now.cycles += cycles;
		}
	return now;
}

/* How much slower an SM is that has issued so many of a kernel in some cycles than one of its own, x MAESTRO_ONE. */
static u64 slower(const struct maestro_kernel *alone, u64 issued, u64 cycles)
{
	product can = (product)alone->issued * cycles * MAESTRO_ONE, does = (product)alone->cycles * issued;
	return does && can / does < MAESTRO_MOST ? (u64)(can / does) : MAESTRO_MOST;
}

/* The mean slowdown of a kernel in the SMs of a role, x MAESTRO_ONE; 0: there are none. */
static u64 slowdown(const struct maestro_now *w, u32 role, u32 k, u64 cycles)
{
	u64 sum = 0, n = 0;
	for (u32 i = 0; i < w->sms; i++) {
		if (w->sm[i].role != role)
			continue;
		sum += slower(&w->kernel[k], maestro_issued(w->v->m, i, k), cycles);
		n++;
	}
	return n ? max_u64(sum / n, 1) : 0;
}

/* What the epoch has measured; nothing, if nobody knows how fast a kernel is alone. */
static void measure(const struct maestro_now *w, u64 cycles)
{
	static const u32 role[OPTION_COUNT] = {
		[OPTION_SAME] = ROLE_FOLLOWER, [OPTION_MORE] = ROLE_MORE, [OPTION_LESS] = ROLE_LESS};
	u32 half = w->sms / 2;
	memset(w->option, 0, OPTION_COUNT * sizeof *w->option);
	if (!w->kernel[0].cycles || !w->kernel[1].cycles)
		return;
	w->option[OPTION_SPATIAL] =
		(struct maestro_option){(u64)w->sms * MAESTRO_ONE / (w->sms - half), (u64)w->sms * MAESTRO_ONE / half};
	for (u32 i = OPTION_SAME; i < OPTION_COUNT; i++)
		w->option[i] =
			(struct maestro_option){slowdown(w, role[i], 0, cycles), slowdown(w, role[i], 1, cycles)};
}

/* Are two speeds no further apart than a part of the first? */
static bool near(const struct maestro_kernel *before, const struct maestro_kernel *now)
{
	product was = (product)before->issued * now->cycles, is = (product)now->issued * before->cycles;
	return before->cycles && (is > was ? is - was : was - is) <= was / STEADY_SHARE;
}

/* The speed of dedicated SMs, where there are any; true: as before. It is kept as what was counted: speeds of kernels
 * that issue seldom are small. */
static bool learn_alone(const struct maestro_now *w, u64 cycles)
{
	bool alike = true;
	for (u32 k = 0; k < 2; k++) {
		struct maestro_kernel now = issued_alone(w, k, cycles);
		if (!now.issued)
			continue;
		alike &= near(&w->kernel[k], &now);
		w->kernel[k] = now;
	}
	return alike;
}

/* --- roles --- */

/* How far an SM is from what a role wants: CTAs that would have to go or come. */
static u32 distance(const struct maestro_now *w, u32 i, const struct maestro_sm *role)
{
	u32 sum = 0;
	for (u32 k = 0; k < 2; k++) {
		u32 launch = launch_of(w, k), has = kernel_on(w->v->m, i, launch)->resident;
		u32 wanted = maestro_wanted(w->v->m, w->v->launch, w->v->run, role, k);
		if (wanted == NONE32)
			wanted = max_u32(launch_residency(w->v->m, launch)->fit, 1);
		sum += has > wanted ? has - wanted : wanted - has;
	}
	return sum;
}

/* A role goes to the SM without one that suits it best. */
static void assign(const struct maestro_now *w, u32 role, u32 kernel)
{
	struct maestro_sm want = {.role = role, .kernel = kernel};
	u32 best = NONE32, least = NONE32;
	for (u32 i = 0; i < w->sms; i++) {
		u32 far = w->sm[i].role ? NONE32 : distance(w, i, &want);
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
static bool can_hold(const struct maestro_now *w, u32 ctas)
{
	u32 trial = launch_of(w, w->own->trial), other = launch_of(w, !w->own->trial);
	return ctas && ctas <= launch_residency(w->v->m, trial)->fit &&
	       maestro_fill(w->v->m, &w->v->launch[trial], ctas, &w->v->launch[other]);
}

/* Roles are given anew, and CTAs move, if they have to. */
static void begin_moving(const struct maestro_now *w)
{
	u32 n = w->own->steady ? 0 : 1 + w->own->spatial;
	for (u32 i = 0; i < w->sms; i++)
		w->sm[i].role = ROLE_NONE;
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < 2; k++)
			assign(w, ROLE_DEDICATED, k);
	if (can_hold(w, w->own->ctas + 1))
		assign(w, ROLE_MORE, 0);
	if (can_hold(w, w->own->ctas - 1))
		assign(w, ROLE_LESS, 0);
	for (u32 i = 0; i < w->sms; i++)
		if (!w->sm[i].role)
			w->sm[i].role = ROLE_FOLLOWER;
	w->own->phase = PHASE_MOVING;
	w->own->since = w->v->cycle + 1;
}

/* --- what kernels came to --- */

static void remember(const struct maestro_now *w)
{
	u32 launch = launch_of(w, w->own->trial);
	u64 name = maestro_name(&w->v->launch[launch]), fit = max_u32(launch_residency(w->v->m, launch)->fit, 1);
	w->own->history[maestro_place(w->own, name)] = name << 32 | w->own->ctas * 1000 / fit;
}

/* CTAs that a trial kernel begins with: its even part, or what it came to before, if that is less. */
static u32 first_ctas(const struct maestro_now *w, u32 launch)
{
	u32 even = smk_even(w->v->m, &w->v->launch[launch], 2), fit = launch_residency(w->v->m, launch)->fit;
	u32 before = maestro_before(w->v->m, &w->v->launch[launch], launch);
	return max_u32(min_u32(min_u32(even, before), fit), 1);
}

/* --- epochs --- */

/* The two kernels that run, the first of them, as numbers + 1; 0: there are not two. */
static void find_kernels(const struct gpu_view *v, u64 *launch)
{
	u32 n = 0;
	launch[0] = launch[1] = 0;
	for (u32 i = 0; i < v->launches && n < 2; i++)
		if (launch_goes_on(&v->run[i], &v->launch[i]))
			launch[n++] = i + 1;
}

/* A kernel has begun or ended. */
static void begin(const struct maestro_now *w)
{
	const struct config *c = &w->v->m->config;
	struct maestro *own = w->own;
	u64 launch[2];
	find_kernels(w->v, launch);
	if (!launch[1] || c->gpu_sms < MAESTRO_LEAST_SMS || !c->maestro_epoch) {
		own->phase = PHASE_OFF;
		w->kernel[0].launch = w->kernel[1].launch = 0;
		return;
	}
	if (own->phase != PHASE_OFF && w->kernel[0].launch == launch[0] && w->kernel[1].launch == launch[1])
		return;
	for (u32 k = 0; k < 2; k++)
		w->kernel[k] = (struct maestro_kernel){.launch = launch[k]};
	memset(w->option, 0, OPTION_COUNT * sizeof *w->option);
	own->trial = launch_residency(w->v->m, launch_of(w, 1))->fit < launch_residency(w->v->m, launch_of(w, 0))->fit;
	own->ctas = first_ctas(w, launch_of(w, own->trial));
	while (own->ctas > 1 && !can_hold(w, own->ctas))
		own->ctas--;
	own->spatial = own->apart = own->same = own->steady = own->waited = 0;
	own->decided = OPTION_SAME;
	begin_moving(w);
}

/* Have all CTAs gone that are to go? */
static bool reached(const struct maestro_now *w)
{
	for (u32 i = 0; i < w->sms; i++)
		for (u32 k = 0; k < 2; k++)
			if (kernel_on(w->v->m, i, launch_of(w, k))->resident >
			    maestro_wanted(w->v->m, w->v->launch, w->v->run, &w->sm[i], k))
				return false;
	return true;
}

/* An epoch begins, with CTAs that have moved for so many cycles. */
static struct telling begin_epoch(const struct maestro_now *w, u64 cycles)
{
	for (u32 i = 0; i < w->sms; i++)
		for (u32 k = 0; k < 2; k++)
			w->sm[i].issued[k] = kernel_on(w->v->m, i, launch_of(w, k))->issued;
	w->own->phase = PHASE_MEASURING;
	w->own->since = w->v->cycle + 1;
	return (struct telling){.kind = EVENT_EPOCH_START,
				.launch = launch_of(w, w->own->trial),
				.a = w->own->epochs + 1,
				.b = (u32)min_u64(cycles, NONE32)};
}

/* SMs of their own that each kernel may have beside the first. */
static u32 most_apart(const struct config *c)
{
	return (c->gpu_sms - 3) / 2 - 1;
}

/* What was decided is done. */
static void take_up(const struct maestro_now *w, u32 option)
{
	struct maestro *own = w->own;
	u32 even = smk_even(w->v->m, &w->v->launch[launch_of(w, own->trial)], 2);
	own->decided = option;
	own->epochs++;
	own->apart = option == OPTION_SPATIAL;
	own->spatial = own->apart ? min_u32(own->spatial + 1, most_apart(&w->v->m->config)) : 0;
	own->ctas += option == OPTION_MORE;
	own->ctas -= option == OPTION_LESS;
	own->epochs_apart += own->apart;
	own->epochs_even += !own->apart && own->ctas == even;
	own->epochs_other += !own->apart && own->ctas != even;
	remember(w);
}

/* Nothing has changed, or something has; are the dedicated SMs to follow? True: that is new. */
static bool settle(struct maestro *own, bool same, bool alike)
{
	u32 steady = own->steady;
	own->same = same && alike ? own->same + 1 : 0;
	own->waited = steady ? own->waited + 1 : 0;
	own->steady = own->same >= STEADY_EPOCHS && own->waited < RETURN_EPOCHS && !own->apart;
	own->same = steady && !own->steady ? 0 : own->same;
	return own->steady != steady;
}

/* What was measured is decided, and the next epoch begins, if CTAs are where they are wanted; returns what there is to
 * tell of it. */
static u32 end_epoch(const struct maestro_now *w, struct telling *out)
{
	struct maestro *own = w->own;
	u32 ctas = own->ctas, spatial = own->spatial, apart = own->apart, n = 0;
	u64 cycles = w->v->cycle + 1 - own->since;
	bool alike = learn_alone(w, cycles), stp = w->v->m->config.maestro_objective == OBJECTIVE_STP;
	measure(w, cycles);
	take_up(w, maestro_decide(w->option, apart ? OPTION_SPATIAL : OPTION_SAME, stp));
	bool same = ctas == own->ctas && apart == own->apart;
	out[n++] = (struct telling){.kind = EVENT_EPOCH,
				    .launch = launch_of(w, own->trial),
				    .a = own->apart ? 0 : own->ctas,
				    .b = apart ? 0 : ctas};
	if (settle(own, same, alike) || !same || spatial != own->spatial)
		begin_moving(w);
	else
		out[n++] = begin_epoch(w, 0);
	return n;
}

static u32 tells_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes bytes, struct telling *out)
{
	struct maestro_now w = look(v, bytes.gpu);
	u64 waited = v->cycle + 1 - w.own->since;
	if (n->kind != NOTICE_EPOCH) {
		begin(&w);
		return 0;
	}
	if (w.own->phase == PHASE_MEASURING)
		return end_epoch(&w, out);
	if (w.own->phase != PHASE_MOVING || (!reached(&w) && waited < v->m->config.maestro_epoch))
		return 0;
	out[0] = begin_epoch(&w, waited);
	return 1;
}

/* The next look: whether CTAs have moved, or what the epoch has measured. */
static u64 due(const struct gpu_view *v, u64 from)
{
	const struct maestro *own = maestro_state(v->m).own;
	if (own->phase == PHASE_OFF || !v->m->config.maestro_epoch)
		return NEVER;
	if (own->phase == PHASE_MOVING)
		return window_last(POLL, from);
	return max_u64(own->since + v->m->config.maestro_epoch - 1, from);
}

static const char *idle(const struct config *c)
{
	return c->gpu_sms < MAESTRO_LEAST_SMS ? "it tries partitions on SMs of their own, and needs 5 SMs (gpu.sms)"
					      : NULL;
}

const struct scheme scheme_maestro = {
	.name = "maestro",
	.paper = "Park, University of Michigan, 2016, chapter V",
	.doc = "GPU Maestro: two kernels share SMs as live SMs show to be best, each partition tried for an epoch",
	.idle = idle,
	.partition = partition,
	.steady = true,
	.outlook = true,
	.tells_gpu = tells_gpu,
	.hears = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END | 1ULL << NOTICE_EPOCH,
	.due = due,
	.own = {OWN(maestro, "maestro", IN_GPU, NULL), OWN(maestro_kernel, "maestro.kernel", IN_GPU, kernel_count),
		OWN(maestro_option, "maestro.option", IN_GPU, option_count),
		OWN(maestro_sm, "maestro.sm", IN_GPU, sm_count)},
};
