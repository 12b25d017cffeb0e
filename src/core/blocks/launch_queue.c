/*
 * launch_queue.c - launches whose turn has come, in order of launch, and of them those that run, in order of dispatch.
 * Those that wait behind others of their stream cost nothing.
 */
#include "blocks/blocks.h"

void launch_queue_add(struct sim *s, u32 launch)
{
	struct agenda *agenda = launch_agenda(s->m);
	struct turn *turn = launch_turns(s->m);
	u32 at = agenda->active++;
	for (; at && turn[at - 1].active > launch; at--)
		turn[at].active = turn[at - 1].active;
	turn[at].active = (u16)launch;
	agenda->next = 0;
}

void launch_queue_remove(struct sim *s, u32 launch)
{
	struct agenda *agenda = launch_agenda(s->m);
	struct turn *turn = launch_turns(s->m);
	u32 at = 0;
	while (turn[at].active != launch)
		at++;
	for (agenda->active--; at < agenda->active; at++)
		turn[at].active = turn[at + 1].active;
	turn[at].active = 0;
	agenda->next = 0;
}

/* Does launch a dispatch before launch b? */
static bool launch_queue_goes_before(const struct sim *s, u32 a, u32 b)
{
	const struct launch *l = s->program->launch;
	return l[a].priority != l[b].priority ? l[a].priority > l[b].priority : a < b;
}

void launch_queue_run(struct sim *s, u32 launch)
{
	struct agenda *agenda = launch_agenda(s->m);
	struct turn *turn = launch_turns(s->m);
	u32 at = agenda->running++;
	for (; at && launch_queue_goes_before(s, launch, turn[at - 1].running); at--)
		turn[at].running = turn[at - 1].running;
	turn[at].running = (u16)launch;
	agenda->next = 0;
}

void launch_queue_stop(struct sim *s, u32 launch)
{
	struct agenda *agenda = launch_agenda(s->m);
	struct turn *turn = launch_turns(s->m);
	u32 at = 0;
	while (turn[at].running != launch)
		at++;
	for (agenda->running--; at < agenda->running; at++)
		turn[at].running = turn[at + 1].running;
	turn[at].running = 0;
	agenda->next = 0;
}

bool launch_queue_has(struct sim *s, u32 launch)
{
	const struct turn *turn = launch_turns(s->m);
	for (u32 i = 0; i < launch_agenda(s->m)->active; i++)
		if (turn[i].active == launch)
			return true;
	return false;
}
