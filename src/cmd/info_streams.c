/* info_streams.c - info streams: programs that share the GPU, how long each took to go through once, and what that says
 * of all: average normalised turnaround time and system throughput.
 *
 * ANTT is the mean over streams of cycles per instruction here over those alone, STP the sum of the inverse (Park,
 * University of Michigan, 2016, equations 4.1 and 4.2, after Eyerman, Eeckhout, IEEE Micro 28(3), 2008). Cycles count
 * from the time at which the stream may begin; what CTAs had done that were begun again counts once. What it takes
 * alone is found by `alone streams`.
 */
#include "alone.h"
#include "info.h"
#include "machine.h"

/* Launches of the stream that begins with launch i, and the fewest times that one of them has ended. */
static u32 info_streams_count(const struct session *s, u32 i, u32 *rounds)
{
	const struct launch_run *run = machine_gpu_section(s->sim.m, SECTION_LAUNCH);
	u32 n = 0;

	*rounds = NONE32;
	for (u32 k = i; k < s->program.nlaunch; k++)
		if (stream_first(&s->program, k) == i) {
			*rounds = min_u32(*rounds, run[k].iteration);
			n++;
		}
	return n;
}

/* One row; returns the slowdown, 0: not known. */
static double info_streams_row(struct columns *c, struct session *s, u32 i)
{
	const struct stream_time *alone = alone_stream_of(s, &s->sim, i);
	struct stream_time here = stream_here(s, &s->sim, i);
	double slowdown = stream_slowdown(alone, &here);
	u32 rounds, n = info_streams_count(s, i, &rounds);

	columns_row(c, s->program.launch[i].stream, safe_text(s->program.launch[i].name), n, rounds,
		    here.cycles ? here.cycles : NO_NUMBER, alone ? alone->cycles : NO_NUMBER,
		    slowdown > 0 ? slowdown : NO_REAL);
	return slowdown;
}

/* ANTT and STP of n streams, or what is missing. */
static void info_streams_sum(struct session *s, u32 n, u32 known, double slowdowns, double speeds)
{
	if (!n)
		return;
	if (known < n) {
		session_print(s, "ANTT and STP: known when all streams have finished and `alone streams` has run\n");
		return;
	}
	session_print(s, "ANTT %.4f  STP %.4f\n", slowdowns / n, speeds);
	member_real(session_result(s), "antt", slowdowns / n);
	member_real(session_result(s), "stp", speeds);
}

void info_streams_show(struct session *s)
{
	double slowdowns = 0, speeds = 0;
	u32 n = 0, known = 0;
	struct columns c;

	sim_sync(&s->sim);
	columns_open(&c, s, "stream first_kernel launches rounds cycles isolated_cycles slowdown");
	for (u32 i = 0; i < s->program.nlaunch; i++) {
		double x;

		if (s->program.launch[i].every || stream_first(&s->program, i) != i)
			continue;
		x = info_streams_row(&c, s, i);
		n++;
		known += x > 0;
		slowdowns += x;
		speeds += x > 0 ? 1 / x : 0;
	}
	columns_close(&c, "streams", "every stream repeats: none finishes");
	info_streams_sum(s, n, known, slowdowns, speeds);
}

const struct info info_streams = {
	.name = "streams",
	.doc = "streams: cycles of the first pass, shared and in an isolated run (`alone streams`), ANTT and STP",
	.needs_machine = true,
	.show = info_streams_show,
};
