/*
 * interrupt.c - what ends a move before its time: Ctrl-C, --max-seconds, and a screen that looks after keys meanwhile.
 */
#include "front.h"
#include "interrupt.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t timed_out, pressed;
static const struct interrupt_watch *watch; /* NULL: none */
static double seconds_given;		    /* --max-seconds */
static u32 catching;			    /* pairs of interrupt_catch() and interrupt_release() that are open */
static struct sigaction prompts;	    /* what was there before the outermost */

/* Standard signal handler of a run: Ctrl-C. */
static void on_interrupt(int signal_number UNUSED)
{
	pressed = 1;
	timeline_interrupt = functional_interrupt = 1;
}

/* --max-seconds are over. */
static void on_alarm(int signal_number UNUSED)
{
	timed_out = 1;
	timeline_interrupt = functional_interrupt = 1;
}

void interrupt_after(double seconds)
{
	struct itimerval timer = {
		.it_value = {.tv_sec = (time_t)seconds,
			     .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)},
	};

	seconds_given = seconds;
	if (!timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static struct session *watched; /* whose move runs; NULL: none */

/* timeline_interrupt is set: who wants to stop? */
static bool attend(void)
{
	if (!watch || !watched || pressed || timed_out)
		return true;
	timeline_interrupt = 0;
	if (watch->tick(watched) || pressed || timed_out)
		timeline_interrupt = 1;
	return timeline_interrupt;
}

void interrupt_set_watch(const struct interrupt_watch *w)
{
	watch = w;
	timeline_attend = w ? attend : NULL;
}

bool interrupt_timed_out(void)
{
	return timed_out;
}

bool interrupt_pressed(void)
{
	return pressed;
}

bool interrupt_wanted(void)
{
	return timed_out || pressed;
}

/* Which of the two ended a command, as its error. */
static enum status ended(double seconds, struct error *e)
{
	if (timed_out)
		return error_set(e, STATUS_LIMIT, "the limit of %g seconds was reached (--max-seconds)", seconds);
	return error_set(e, STATUS_FAILED, "interrupted");
}

enum status interrupt_status(const struct session *s, struct error *e)
{
	return ended(s->max_seconds, e);
}

/* What is asked while something is loaded: outside of commands Ctrl-C is the prompt's. */
static enum status poll_work(struct error *e)
{
	return timed_out || (catching && pressed) ? ended(seconds_given, e) : STATUS_OK;
}

void interrupt_poll_work(void)
{
	work_poll = poll_work;
}

/* Ctrl-C is a run's from here on; @old, if given, gets what was there. */
static void take_interrupts(struct sigaction *old)
{
	struct sigaction now = {.sa_handler = on_interrupt};

	sigemptyset(&now.sa_mask);
	sigaction(SIGINT, &now, old);
}

void interrupt_catch(struct sigaction *old)
{
	take_interrupts(old);
	if (!catching++) {
		pressed = watch && watch->pressed();
		prompts = *old;
	}
	timeline_interrupt = functional_interrupt = timed_out || pressed;
}

void interrupt_release(const struct sigaction *old)
{
	sigaction(SIGINT, old, NULL);
	catching--;
	timeline_interrupt = functional_interrupt = catching && pressed;
}

void interrupt_pause(void)
{
	if (catching)
		sigaction(SIGINT, &prompts, NULL);
}

void interrupt_resume(void)
{
	if (catching)
		take_interrupts(NULL);
}

void interrupt_begin(struct session *s)
{
	watched = s;
	if (watch)
		watch->begin(s);
}

void interrupt_end(struct session *s)
{
	if (watch)
		watch->end(s);
	watched = NULL;
}
