/*
 * streams.c - streams that begin again, and runs that end when enough has been issued: pairs of programs are measured
 * while all of them run.
 *
 * A stream whose launches say `restart` begins again when its last launch has ended, as long as some launch of another
 * has not ended once; a round that has begun is finished. Buffers that only launches of the stream are given are then
 * as they were at the beginning, so that every round computes the same; variables of modules stay as they are. Of each
 * launch the first round counts (launch_run.through). With multi.insts a stream is through when it has issued so many
 * thread instructions; when all are, nothing begins any more and what still runs is killed. Source: Park, University of
 * Michigan, 2016, section 4.4.4.
 */
#include "blocks/blocks.h"

#define LOOK 1024 /* cycles between two looks at what streams have issued */

bool streams_over(const struct sim *s)
{
	const struct agenda *agenda = machine_gpu_section(s->m, SECTION_AGENDA);
	return s->m->config.multi_insts && agenda->others && !agenda->others_left;
}

/* Warp instructions of a launch that were not in vain: those of CTAs that have not left before their end. */
static u64 streams_useful(struct sim *s, u32 launch)
{
	u64 issued = launch_runs(s->m)[launch].issued;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++)
		issued -= kernel_on(s->m, i, launch)->wasted;
	return issued;
}

void launch_through(struct sim *s, u32 launch, u64 now)
{
	const struct launch *l = &s->program->launch[launch];
	struct launch_run *run = &launch_runs(s->m)[launch];
	if (l->every || run->through)
		return;
	launch_agenda(s->m)->others_left--;
	if (!l->restart && !s->m->config.multi_insts)
		return;
	run->through = now;
	run->first_issued = streams_useful(s, launch);
	run->first_threads = run->threads;
}

/* --- again --- */

/* The first launch of the stream of a launch. */
static u32 streams_stream_head(const struct sim *s, u32 launch)
{
	for (u32 i = launch; i-- > 0;)
		if (s->next_in_stream[i] == launch)
			launch = i;
	return launch;
}

/* Is a launch given an address in a buffer? */
static bool streams_is_given(const struct sim *s, u32 launch, const struct buffer *b)
{
	const struct launch *l = &s->program->launch[launch];
	for (u32 at = 0; at + 8 <= l->kernel->param_bytes; at += 8) {
		u64 address;
		memcpy(&address, l->param + at, sizeof address);
		if (address - b->address < b->bytes)
			return true;
	}
	return false;
}

/* Is a buffer given to a launch of a stream, and to none of others? */
static bool streams_is_own(const struct sim *s, u32 head, const struct buffer *b)
{
	bool own = false;
	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (streams_is_given(s, i, b)) {
			if (streams_stream_head(s, i) != head)
				return false;
			own = true;
		}
	return own;
}

/* A buffer is as it was at the beginning. */
static void streams_restore(struct sim *s, const struct buffer *b)
{
	for (u64 at = 0; at < b->bytes; at += STORE_PAGE)
		store_poke(&s->store, b->address + at, b->init ? b->init + at : store_zero_page,
			   min_u64(STORE_PAGE, b->bytes - at));
}

void stream_again(struct sim *s, u32 launch)
{
	u32 head = streams_stream_head(s, launch);
	if (!(s->program->launch[launch].restart && launch_agenda(s->m)->others_left))
		return;
	for (u32 i = 0; i < s->program->nbuffer; i++)
		if (streams_is_own(s, head, &s->program->buffer[i]))
			streams_restore(s, &s->program->buffer[i]);
	for (u32 i = head; i != NONE32; i = s->next_in_stream[i]) {
		struct launch_run *run = &launch_runs(s->m)[i];
		run->state = LAUNCH_WAITING;
		run->next_cta = run->finished = 0;
		run->ready_at = 0;
		machine_gpu(s->m)->running++;
	}
	launch_queue_add(s, head);
}

/* --- enough --- */

u64 streams_next(const struct sim *s)
{
	const struct agenda *agenda = machine_gpu_section(s->m, SECTION_AGENDA);
	return s->m->config.multi_insts && agenda->others ? agenda->look : NEVER;
}

/* Thread instructions that the launches of a stream have issued; none goes again before all are through. */
static u64 streams_stream_issued(struct sim *s, u32 head)
{
	u64 sum = 0;
	for (u32 i = head; i != NONE32; i = s->next_in_stream[i])
		sum += launch_runs(s->m)[i].threads;
	return sum;
}

/* Nothing begins any more; what runs is killed. */
static void streams_end_all(struct sim *s)
{
	u64 now = machine_gpu(s->m)->cycle;
	for (u32 i = 0; i < s->program->nlaunch; i++) {
		struct launch_run *run = &launch_runs(s->m)[i];
		if (run->state == LAUNCH_RUNNING) {
			retire_all(s, i);
		} else if (run->state == LAUNCH_WAITING && launch_queue_has(s, i)) {
			launch_done(s, i, now);
		} else if (run->state == LAUNCH_WAITING) {
			run->state = LAUNCH_DONE;
			machine_gpu(s->m)->running--;
		}
	}
}

void streams_look(struct sim *s)
{
	u64 now = machine_gpu(s->m)->cycle;
	launch_agenda(s->m)->next = 0;
	launch_agenda(s->m)->look = now + LOOK - now % LOOK;
	kernels_sync(s);
	for (u32 i = 0; i < s->program->nlaunch; i++)
		if (!s->program->launch[i].every && streams_stream_head(s, i) == i &&
		    streams_stream_issued(s, i) >= s->m->config.multi_insts)
			for (u32 k = i; k != NONE32; k = s->next_in_stream[k])
				launch_through(s, k, now);
	if (streams_over(s))
		streams_end_all(s);
}
