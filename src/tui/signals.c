/*
 * signals.c - handlers (signals.h). INT, WINCH, CONT raise flags; TSTP leaves the screen, stops, and enters it again;
 * all that end the process leave the screen first and are raised again, so that the parent sees them.
 */
#include "signals.h"

#include "outfile.h"
#include "timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define ALTERNATE_STACK 65536

static struct signal_terminal terminal;
static volatile sig_atomic_t flags, owned;
static int wake[2] = {-1, -1};
static timer_t timer;
static char stack[ALTERNATE_STACK];

static struct sigaction before[NSIG];
static bool installed[NSIG];

/* Write all of it, or what can be. */
static void write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t k = write(fd, s, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return;
		s += k;
		n -= (size_t)k;
	}
}

/* The last output on standard error, which was not shown yet. */
static void show_captured(void)
{
	char part[512];
	off_t at = 0;
	ssize_t n;

	while (terminal.captured >= 0 && (n = pread(terminal.captured, part, sizeof(part), at)) > 0) {
		write_all(terminal.fd, part, (size_t)n);
		at += n;
	}
}

/* The terminal as it was. */
static void leave(void)
{
	write_all(terminal.fd, terminal.leave, terminal.nleave);
	tcsetattr(terminal.fd, TCSADRAIN, &terminal.outside);
}

/* A signal that ends the process. */
static void on_fatal(int number)
{
	if (owned) {
		owned = 0;
		leave();
		show_captured();
	}
	outfile_settle();
	signal(number, SIG_DFL);
	raise(number);
}

/* Stop as any process does, and be back. */
static void stop(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
	sigset_t set;

	if (owned)
		leave();
	sigemptyset(&usual.sa_mask);
	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* it stops here */
	sigaction(SIGTSTP, &ours, NULL);
}

/* A signal that the loop deals with. */
static void on_flag(int number)
{
	int saved = errno;

	switch (number) {
	case SIGINT:
		flags |= SIGNAL_INTERRUPT;
		timeline_interrupt = 1;
		break;
	case SIGWINCH: flags |= SIGNAL_RESIZE; break;
	case SIGUSR2:
		flags |= SIGNAL_TICK;
		timeline_interrupt = 1;
		break;
	case SIGTSTP: stop(); break;
	default: /* SIGCONT, after SIGTSTP or SIGSTOP */
		if (owned) {
			tcsetattr(terminal.fd, TCSADRAIN, &terminal.inside);
			write_all(terminal.fd, terminal.enter, terminal.nenter);
		}
		flags |= SIGNAL_RESUME | SIGNAL_RESIZE;
	}
	write_all(wake[1], "", 1);
	errno = saved;
}

/* Does the loop deal with a signal? */
static bool raises_flag(int number)
{
	return number == SIGINT || number == SIGWINCH || number == SIGCONT || number == SIGTSTP || number == SIGUSR2;
}

/* Handlers for all that the loop deals with and all that end the process. */
static void install(void)
{
	struct sigaction fatal = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER},
			 flag = {.sa_handler = on_flag, .sa_flags = SA_RESTART};

	sigemptyset(&fatal.sa_mask);
	sigemptyset(&flag.sa_mask);
	for (int i = 1; i < NSIG; i++) {
		installed[i] = (raises_flag(i) || signal_ends(i)) && !sigaction(i, NULL, &before[i]);
		/* ignored as nohup and shells without job control wish */
		if (installed[i] && before[i].sa_handler != SIG_IGN)
			sigaction(i, raises_flag(i) ? &flag : &fatal, NULL);
	}
}

int signals_open(void)
{
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};

	if (pipe2(wake, O_NONBLOCK | O_CLOEXEC))
		return -1;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	sigaltstack(&alternate, NULL);
	install();
	return wake[0];
}

void signals_terminal(const struct signal_terminal *t)
{
	owned = 0;
	if (t) {
		terminal = *t;
		owned = 1;
	}
}

void signals_close(void)
{
	owned = 0;
	timer_delete(timer);
	for (int i = 1; i < NSIG; i++)
		if (installed[i])
			sigaction(i, &before[i], NULL);
	close(wake[0]);
	close(wake[1]);
	wake[0] = wake[1] = -1;
}

u32 signals_take(void)
{
	u32 now = (u32)__atomic_exchange_n(&flags, 0, __ATOMIC_RELAXED);

	return now;
}

bool signals_interrupted(void)
{
	return __atomic_fetch_and(&flags, ~SIGNAL_INTERRUPT, __ATOMIC_RELAXED) & SIGNAL_INTERRUPT;
}

bool signals_pending(void)
{
	return flags;
}

void signals_tick(u32 milliseconds)
{
	struct itimerspec when = {
		.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000L},
	};

	timer_settime(timer, 0, &when, NULL);
}
