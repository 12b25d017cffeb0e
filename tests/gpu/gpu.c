/*
 * gpu.c - run the kernels of scenarios on the GPU of this machine, with the scenarios' own inputs, check what they
 * leave, and time them.
 *
 * usage: gpu SCENARIO...
 *        gpu -n SCENARIO...    no GPU is asked for: the marked PTX of each goes to the folder $OUT
 *        gpu -s PRESET SCENARIO...   cycles of each launch in the simulator, on a preset instead of the scenario's GPU;
 *                              of traces, too. Where DRAM refreshes: the median of STARTS, spread over dram.refi
 *        gpu -l PRESET SCENARIO...   the same at one start for each limit of limits.def: lifted; half, numbers
 *                              twice as good; twice, twice as bad. Further columns: limit, and which of the three.
 *                              What cannot be run so is left out
 *        gpu -1 SCENARIO...    each launch once, as it is and no other, in one process: for a profiler or a tracer;
 *                              prints each as scenario, launch, iteration
 *
 * Prints a line for each launch: medians of REPEATS. Cold: the L2 holds other lines; warm: the launches have just run
 * on the same data. `event` is what CUDA events tell of the kernel as it is, in nanoseconds; the other columns are of
 * the kernel with marks (marked.h): `span` from the first CTA's start to the last CTA's end, in nanoseconds
 * (%globaltimer, which counts in steps of 32), and in cycles of %clock64 the mean and the longest CTA, and the longest
 * time that an SM was at it. What a host loop repeats is summed. `differs` is how many elements of buffers are not what
 * `run --functional` computes; of f32 and f64 those that are off by more than a thousandth. Left out: `at`, `every`,
 * streams (launches run in order), `regs`, settings and policies.
 */
#include "driver.h"
#include "events.h"
#include "experiments.h"
#include "front.h"
#include "lang.h"
#include "machine.h"
#include "marked.h"
#include "session_ops.h"
#include "travel.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 20, WARMUPS = 2, SECONDS = 100, JIT_TEXT = 4096, STARTS = 7, MOST_LAUNCHES = 1023 };
#define FLUSH_BYTES (256u << 20)

/* What is measured of a launch in one repetition. */
enum { EVENT, SPAN, CTA_MEAN, CTA_MAX, SM, MEASURES };
static const char *const measure_name[MEASURES] = {"event", "span", "cta.mean", "cta.max", "sm"};
enum { COLD, WARM, STATES };

struct timed_launch {
	void *function[2]; /* as it is, with marks */
	u64 marks;
	u32 iterations, sms;
	double sample[STATES][MEASURES][REPEATS];
};

struct bench {
	struct session session;
	const struct program *program;
	u64 memory, pristine, bytes; /* what is at STORE_GLOBAL_BASE, and how it begins */
	u64 flush;
	void *flusher, *spinner, *from, *to;
	u64 scratch;
	double ghz;
	int sms;
	struct timed_launch *launch;
	u64 *mark;
	void **module[2]; /* by module */
};

static void __attribute__((noreturn, format(printf, 1, 2))) leave(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fflush(stdout);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	_exit(1);
}

#define MUST(call) \
	do { \
		int must_code = driver.call; \
		if (must_code) \
			leave("%s: %s: %s", named, #call, driver_text(must_code)); \
	} while (0)
static const char *named = "gpu"; /* the scenario */

static const char own_ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry flush(.param .u64 p, .param .u64 n)\n{\n"
	".reg .b64 %d<8>; .reg .b32 %r<8>; .reg .pred %p;\n"
	"ld.param.u64 %d0, [p]; ld.param.u64 %d1, [n];\n"
	"mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r0, %r0, %r1, %r2;\n"
	"mov.u32 %r3, %nctaid.x; mul.lo.u32 %r3, %r3, %r1; mul.wide.u32 %d2, %r0, 8; mul.wide.u32 %d3, %r3, 8;\n"
	"mov.u64 %d5, 0;\n"
	"AGAIN: add.u64 %d4, %d0, %d2; ld.global.u64 %d6, [%d4]; add.u64 %d5, %d5, %d6; add.u64 %d2, %d2, %d3;\n"
	"setp.lt.u64 %p, %d2, %d1; @%p bra AGAIN;\n"
	"setp.ne.u64 %p, %d5, 12345; @%p bra DONE; st.global.u64 [%d0], %d5;\nDONE: ret;\n}\n"
	".visible .entry spin(.param .u64 p, .param .u64 n)\n{\n"
	".reg .b64 %d<8>; .reg .pred %p;\n"
	"ld.param.u64 %d0, [p]; ld.param.u64 %d1, [n]; mov.u64 %d2, %globaltimer; mov.u64 %d3, %clock64;\n"
	"AGAIN: mov.u64 %d4, %clock64; sub.u64 %d5, %d4, %d3; setp.lt.u64 %p, %d5, %d1; @%p bra AGAIN;\n"
	"mov.u64 %d6, %globaltimer; sub.u64 %d6, %d6, %d2;\n"
	"st.global.u64 [%d0], %d5; st.global.u64 [%d0+8], %d6; ret;\n}\n"
	".visible .entry none()\n{\nret;\n}\n";

static void *module_load(const char *ptx, const char *path)
{
	static char message[JIT_TEXT];
	int option[] = {JIT_ERRORS, JIT_ERRORS_BYTES};
	void *value[] = {message, (void *)(uintptr_t)JIT_TEXT}, *module;
	int code = driver.cuModuleLoadDataEx(&module, ptx, 2, option, value);

	if (code)
		leave("%s: %s: %s: %s", named, path, driver_text(code), message);
	return module;
}

static void launch_own(void *function, u32 grid, u32 block, u64 a, u64 b)
{
	void *argument[] = {&a, &b};

	MUST(cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, NULL, argument, NULL));
}

/* Cycles in a nanosecond, while the SMs run. */
static double clock_now(struct bench *b)
{
	u64 read[2];

	launch_own(b->spinner, 1, 1, b->scratch, 4000000);
	MUST(cuMemcpyDtoH_v2(read, b->scratch, sizeof(read)));
	return (double)read[0] / (double)read[1];
}

static double event_ns(struct bench *b)
{
	float ms = 0;

	MUST(cuEventSynchronize(b->to));
	MUST(cuEventElapsedTime(&ms, b->from, b->to));
	return (double)ms * 1e6;
}

/* A launch without work, as events tell it: what they add to all others. */
static void none_print(struct bench *b, void *module)
{
	double least = INFINITY;
	void *none;

	MUST(cuModuleGetFunction(&none, module, "none"));
	for (u32 i = 0; i < REPEATS; i++) {
		MUST(cuEventRecord(b->from, NULL));
		MUST(cuLaunchKernel(none, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
		MUST(cuEventRecord(b->to, NULL));
		double ns = event_ns(b);
		least = ns < least ? ns : least;
	}
	printf("# %s: %.3f cycles per ns, a launch without work %.0f ns\n", named, b->ghz, least);
}

static void device_open(void)
{
	static void *context;
	const char *why;
	int device;

	if (context)
		return;
	if (!driver_open(&why))
		leave("%s: %s", named, why);
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
}

/* The kernels and the memory that measuring itself needs. */
static void own_open(struct bench *b)
{
	void *own;

	MUST(cuDeviceGetAttribute(&b->sms, DEVICE_SMS, 0));
	MUST(cuMemAlloc_v2(&b->flush, FLUSH_BYTES));
	MUST(cuMemsetD8_v2(b->flush, 1, FLUSH_BYTES));
	MUST(cuMemAlloc_v2(&b->scratch, 4096));
	own = module_load(own_ptx, "own");
	MUST(cuModuleGetFunction(&b->flusher, own, "flush"));
	MUST(cuModuleGetFunction(&b->spinner, own, "spin"));
	for (u32 i = 0; i < 3; i++)
		b->ghz = clock_now(b);
	none_print(b, own);
}

static u32 most_ctas(const struct program *p)
{
	u32 most = 1;

	for (u32 i = 0; i < p->nlaunch; i++)
		most = p->launch[i].ctas > most ? p->launch[i].ctas : most;
	return most;
}

/* The text of module m, with marks or without. */
static char *module_text(const struct program *p, u32 m, bool marked)
{
	struct error e;
	char *text, *out;
	size_t length;

	if (file_read(p->module[m]->path, 1u << 30, &text, &length, &e))
		leave("%s: %s", named, e.message);
	if (!marked)
		return text;
	out = ptx_marked(text, most_ctas(p));
	free(text);
	return out;
}

/* Its variables begin as the scenario says. */
static void module_variables(struct bench *b, u32 m)
{
	const struct module *from = b->program->module[m];

	for (u32 marked = 0; marked < 2; marked++)
		for (u32 i = 0; i < from->nsymbol; i++) {
			const struct module_symbol *y = &from->symbol[i];
			const u8 *init = y->space == SPACE_CONST ? from->constants + y->address : y->init;
			u64 address;
			size_t bytes;

			if (!y->name || driver.cuModuleGetGlobal_v2(&address, &bytes, b->module[marked][m], y->name) ||
			    bytes != y->size)
				continue;
			if (init)
				MUST(cuMemcpyHtoD_v2(address, init, bytes));
			else
				MUST(cuMemsetD8_v2(address, 0, bytes));
		}
}

static void modules_load(struct bench *b)
{
	const struct program *p = b->program;

	for (u32 marked = 0; marked < 2; marked++) {
		b->module[marked] = xcalloc(p->nmodule, sizeof(void *));
		for (u32 m = 0; m < p->nmodule; m++) {
			char *text = module_text(p, m, marked);

			b->module[marked][m] = module_load(text, p->module[m]->path);
			free(text);
		}
	}
	for (u32 i = 0; i < p->nlaunch; i++) {
		const struct launch *l = &p->launch[i];
		u32 m;

		for (m = 0; p->module[m] != l->kernel->module; m++)
			;
		for (u32 marked = 0; marked < 2; marked++) {
			void **f = &b->launch[i].function[marked];

			MUST(cuModuleGetFunction(f, b->module[marked][m], l->kernel->name));
			MUST(cuFuncSetAttribute(*f, FUNCTION_MOST_DYNAMIC, (int)l->dynamic_shared));
		}
		size_t bytes;
		MUST(cuModuleGetGlobal_v2(&b->launch[i].marks, &bytes, b->module[1][m], MARK_SYMBOL));
	}
}

static void memory_load(struct bench *b)
{
	const struct program *p = b->program;

	b->bytes = p->global_bytes + 4096;
	MUST(cuMemAlloc_v2(&b->memory, b->bytes));
	MUST(cuMemAlloc_v2(&b->pristine, b->bytes));
	MUST(cuMemsetD8_v2(b->pristine, 0, b->bytes));
	for (u32 i = 0; i < p->nbuffer; i++) {
		const struct buffer *x = &p->buffer[i];

		if (x->init)
			MUST(cuMemcpyHtoD_v2(b->pristine + x->address - STORE_GLOBAL_BASE, x->init, x->bytes));
	}
}

/* The arguments of an iteration, with the addresses of this GPU. */
static void arguments_fill(const struct bench *b, const struct launch *l, u32 iteration, u8 *out)
{
	launch_params(l, iteration, out);
	for (u32 at = 0; at + 8 <= l->kernel->param_bytes; at += 8) {
		u64 word;

		memcpy(&word, out + at, 8);
		if (word - STORE_GLOBAL_BASE < b->bytes) {
			word += b->memory - STORE_GLOBAL_BASE;
			memcpy(out + at, &word, 8);
		}
	}
}

static void launch_on_gpu(struct bench *b, u32 i, bool marked, u32 iteration)
{
	const struct launch *l = &b->program->launch[i];
	u8 arguments[4096 + 8];
	size_t bytes = l->kernel->param_bytes;
	void *extra[] = {(void *)(uintptr_t)1, arguments, (void *)(uintptr_t)2, &bytes, NULL};

	if (bytes > 4096)
		leave("%s: more than 4096 bytes of arguments", named);
	arguments_fill(b, l, iteration, arguments);
	MUST(cuLaunchKernel(b->launch[i].function[marked], l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
			    l->block[2], l->dynamic_shared, NULL, NULL, extra));
}

/* What the marks of a launch say, added to this repetition's sample. */
static void marks_read(struct bench *b, u32 i, double *out)
{
	u32 n = b->program->launch[i].ctas, used = 0;
	double first = INFINITY, last = 0, sum = 0, longest = 0, busiest = 0;
	u64 from[1024], until[1024];

	memset(from, 0xff, sizeof(from));
	memset(until, 0, sizeof(until));
	MUST(cuMemcpyDtoH_v2(b->mark, b->launch[i].marks, (size_t)n * MARK_WORDS * 8));
	for (u32 c = 0; c < n; c++) {
		const u64 *m = &b->mark[c * MARK_WORDS];
		u64 start = MARK_TOP - m[MARK_START];
		u32 sm = (u32)m[MARK_SM] % 1024;
		double cycles = (double)(m[MARK_STOP] - start);
		double ended = (double)(i64)(m[MARK_TIME] - b->mark[MARK_TIME]), began = ended - cycles / b->ghz;

		first = began < first ? began : first;
		last = ended > last ? ended : last;
		sum += cycles;
		longest = cycles > longest ? cycles : longest;
		from[sm] = start < from[sm] ? start : from[sm];
		until[sm] = m[MARK_STOP] > until[sm] ? m[MARK_STOP] : until[sm];
	}
	for (u32 sm = 0; sm < 1024; sm++)
		if (until[sm]) {
			used++;
			busiest = (double)(until[sm] - from[sm]) > busiest ? (double)(until[sm] - from[sm]) : busiest;
		}
	b->launch[i].sms = used > b->launch[i].sms ? used : b->launch[i].sms;
	out[SPAN] += last - first;
	out[CTA_MEAN] += sum / n;
	out[CTA_MAX] += longest;
	out[SM] += busiest;
}

/* Does the host launch it again? */
static bool again(struct bench *b, const struct host_loop *loop, u32 done)
{
	struct store s;
	u8 element[8];
	bool on;

	store_init(&s, 0, 0, b->bytes);
	MUST(cuMemcpyDtoH_v2(element, b->memory + loop->address - STORE_GLOBAL_BASE, value_type_size[loop->type]));
	store_poke(&s, loop->address, element, value_type_size[loop->type]);
	on = host_loop_again(loop, &s, done);
	store_free(&s);
	return on;
}

/* A launch, with what its host loop repeats. */
static void launch_repeat(struct bench *b, u32 i, bool marked, double *out)
{
	const struct host_loop *loop = &b->program->launch[i].loop;
	u32 done = 0;

	do {
		if (loop->present && loop->reset_bytes)
			MUST(cuMemsetD8_v2(b->memory + loop->reset_address - STORE_GLOBAL_BASE, 0, loop->reset_bytes));
		if (marked)
			MUST(cuMemsetD8_v2(b->launch[i].marks, 0, (size_t)b->program->launch[i].ctas * MARK_WORDS * 8));
		MUST(cuCtxSynchronize());
		if (!b->flusher)
			printf("%s\t%u\t%u\n", named, i, done);
		MUST(cuEventRecord(b->from, NULL));
		launch_on_gpu(b, i, marked, done);
		MUST(cuEventRecord(b->to, NULL));
		if (marked)
			marks_read(b, i, out);
		else
			out[EVENT] += event_ns(b);
		done++;
	} while (loop->present && again(b, loop, done));
	b->launch[i].iterations = done;
}

/* All launches once. */
static void program_once(struct bench *b, u32 state, bool marked, u32 repeat)
{
	MUST(cuMemcpyDtoD_v2(b->memory, b->pristine, b->bytes));
	for (u32 m = 0; m < b->program->nmodule; m++)
		module_variables(b, m);
	if (state == COLD && b->flusher)
		launch_own(b->flusher, (u32)b->sms * 2, 1024, b->flush, FLUSH_BYTES);
	MUST(cuCtxSynchronize());
	for (u32 i = 0; i < b->program->nlaunch; i++) {
		double measure[MEASURES] = {0};

		launch_repeat(b, i, marked, measure);
		for (u32 k = 0; k < MEASURES; k++)
			if ((k == EVENT) == !marked && repeat < REPEATS)
				b->launch[i].sample[state][k][repeat] = measure[k];
	}
}

/* Two elements of a type, near enough. */
static bool near(u8 type, const u8 *x, const u8 *y)
{
	float f[2];
	double d[2];

	if (type == VALUE_F32) {
		memcpy(&f[0], x, 4);
		memcpy(&f[1], y, 4);
		d[0] = (double)f[0];
		d[1] = (double)f[1];
	} else if (type == VALUE_F64) {
		memcpy(&d[0], x, 8);
		memcpy(&d[1], y, 8);
	} else {
		return !memcmp(x, y, value_type_size[type]);
	}
	return d[0] == d[1] || fabs(d[0] - d[1]) <= 1e-3 * (fabs(d[0]) + fabs(d[1])) + 1e-6 ||
	       (isnan(d[0]) && isnan(d[1]));
}

/* Elements of buffers that are not what the run without timing has left. */
static u64 differing(struct bench *b)
{
	u64 differ = 0;

	for (u32 i = 0; i < b->program->nbuffer; i++) {
		const struct buffer *x = &b->program->buffer[i];
		u8 *here = xmalloc(x->bytes + 1), *there = xmalloc(x->bytes + 1), size = value_type_size[x->type];

		MUST(cuMemcpyDtoH_v2(there, b->memory + x->address - STORE_GLOBAL_BASE, x->bytes));
		store_read(b->session.functional, x->address, here, x->bytes);
		for (u64 at = 0; size && at + size <= x->bytes; at += size)
			differ += !near(x->type, here + at, there + at);
		free(here);
		free(there);
	}
	return differ;
}

static int ascending(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static void report(struct bench *b, u64 differ)
{
	for (u32 i = 0; i < b->program->nlaunch; i++) {
		const struct launch *l = &b->program->launch[i];
		struct timed_launch *t = &b->launch[i];
		int regs = 0, shared = 0, local = 0;

		MUST(cuFuncGetAttribute(&regs, FUNCTION_REGS, t->function[0]));
		MUST(cuFuncGetAttribute(&shared, FUNCTION_SHARED, t->function[0]));
		MUST(cuFuncGetAttribute(&local, FUNCTION_LOCAL, t->function[0]));
		printf("%s\t%u\t%s\t%u\t%u\t%d\t%u\t%d\t%u\t%u", named, i, l->kernel->name, l->ctas, l->threads, regs,
		       (u32)shared + l->dynamic_shared, local, t->iterations, t->sms);
		for (u32 s = 0; s < STATES; s++)
			for (u32 k = 0; k < MEASURES; k++) {
				double *sample = t->sample[s][k];

				qsort(sample, REPEATS, sizeof(*sample), ascending);
				printf("\t%.0f", (sample[REPEATS / 2 - 1] + sample[REPEATS / 2]) / 2);
			}
		printf("\t%llu\n", differ);
	}
}

static void head_print(void)
{
	static const char *const state_name[STATES] = {"cold", "warm"};

	printf("scenario\tlaunch\tkernel\tctas\tthreads\tregs\tshared\tlocal\titerations\tsms");
	for (u32 s = 0; s < STATES; s++)
		for (u32 k = 0; k < MEASURES; k++)
			printf("\t%s.%s", state_name[s], measure_name[k]);
	printf("\tdiffers\n");
}

/* Without a GPU: the marked texts into a folder. */
static void dry(struct bench *b)
{
	const char *out = getenv("OUT");

	for (u32 m = 0; m < b->program->nmodule; m++) {
		char *text = module_text(b->program, m, true);
		char *path = xasprintf("%s/%s.%u.ptx", out ? out : ".", named, m);
		FILE *f;

		for (char *c = path + strlen(out ? out : ".") + 1; *c; c++)
			*c = *c == '/' ? '-' : *c;
		f = fopen(path, "w");
		if (!f || fputs(text, f) < 0 || fclose(f))
			leave("cannot write %s", path);
		free(path);
		free(text);
	}
}

static void scenario_open(struct bench *b, const char *path, const char *then, bool traces)
{
	char *lines = xasprintf("source %s\n%s\n", path, then);
	struct error e = {0};

	session_open(&b->session, &all_session_ops);
	b->session.batch = b->session.quiet = b->session.trust = true;
	b->session.out = fopen("/dev/null", "w");
	if (text_run(&b->session, lines, NULL, true, &e))
		leave("%s: %s", named, e.message);
	free(lines);
	b->program = &b->session.program;
	for (u32 i = 0; i < b->program->nlaunch; i++)
		if (b->program->launch[i].kernel->front != FRONT_PTX &&
		    !(traces && b->program->launch[i].kernel->front == FRONT_TRACE))
			leave("%s: no PTX", named);
	if (!b->program->nlaunch)
		leave("%s: nothing is launched", named);
	b->launch = xcalloc(b->program->nlaunch, sizeof(*b->launch));
	b->mark = xcalloc(most_ctas(b->program), MARK_WORDS * sizeof(u64));
}

/* Run it, and note of each launch the cycle in which a warp was the last to exit: that is where a GPU's marks end,
 * while the launch itself goes on until its stores are acknowledged. */
static void exits_find(struct sim *s, u64 *exit)
{
	s->bus.want |= EVENT_BIT(EVENT_WARP_DONE);
	while (!sim_finished(s) && !sim_faulted(s) && !sim_deadlocked(s)) {
		u64 now = machine_gpu(s->m)->cycle;

		if (sim_skip(s, NEVER) > now)
			continue;
		sim_cycle(s);
		for (u32 i = 0; i < s->bus.count; i++)
			if (s->bus.record[i].kind == EVENT_WARP_DONE)
				exit[s->bus.record[i].launch] = now;
	}
}

/* Cycles of each launch of a run. */
static void run_simulate(struct bench *b, double *cycles)
{
	const struct launch_run *run;
	u64 exit[MOST_LAUNCHES] = {0};

	exits_find(&b->session.sim, exit);
	run = machine_gpu_section(b->session.sim.m, SECTION_LAUNCH);
	for (u32 i = 0; i < b->program->nlaunch; i++)
		cycles[i] = exit[i] > run[i].first_issue && run[i].first_issue != NEVER
				    ? (double)(exit[i] - run[i].first_issue)
				    : 0;
}

/* Begin again, with launches that take `late` cycles to start. */
static void start_later(struct bench *b, u64 late)
{
	struct error e = {0};
	char *lines = xasprintf("set gpu.launch_latency %llu\nrestart\n", late);

	if (text_run(&b->session, lines, NULL, true, &e))
		leave("%s: %s", named, e.message);
	free(lines);
}

/* Open a scenario on a preset; launches that ours would run beside each other are left out. A trace may be simulated,
 * too. */
static void scenario_on(struct bench *b, const char *path, const char *preset)
{
	char *then = xasprintf("gpu %s\nrestart", preset);

	scenario_open(b, path, then, true);
	free(then);
	for (u32 i = 0; i < b->program->nlaunch; i++)
		if (b->program->launch[i].stream != b->program->launch[0].stream || b->program->launch[i].at ||
		    b->program->launch[i].every || i >= MOST_LAUNCHES)
			leave("%s: launches in several streams, or at a time of their own", named);
}

/* Run it from its start, or from several; print the median cycles of its launches, each line with `more` at its end. */
static void launches_print(struct bench *b, u32 starts, const char *more)
{
	static double cycles[STARTS][MOST_LAUNCHES], sample[STARTS];

	for (u32 k = 0; k < starts; k++) {
		const struct config *c = &b->session.sim.m->config;

		if (k)
			start_later(b, (u64)c->dram_refi * c->gpu_clock * k / starts / c->dram_clock);
		run_simulate(b, cycles[k]);
	}
	for (u32 i = 0; i < b->program->nlaunch; i++) {
		for (u32 k = 0; k < starts; k++)
			sample[k] = cycles[k][i];
		qsort(sample, starts, sizeof(*sample), ascending);
		printf("%s\t%u\t%s\t%.0f%s\n", named, i, b->program->launch[i].kernel->name, sample[starts / 2], more);
	}
	fflush(stdout);
}

enum { LIFTED, HALF, TWICE, DEGREES };
static const char *const degree_name[DEGREES] = {"lifted", "half", "twice"};

/* What limit_lift() takes to change the numbers of a row by a factor of two: a good number is low for "<=", high for
 * ">=" and "*=". Words without numbers are left out. */
static void degree_words(const struct limit *l, int degree, struct text *out)
{
	char *list = xstrdup(l->sets), *next = list, *word;

	while ((word = strsep(&next, " "))) {
		char *is = strchr(word, '='), sign = is > word ? is[-1] : '=';

		if (degree == LIFTED)
			text_add(out, "%s ", word);
		else if (strchr("<>*", sign))
			text_add(out, "%.*s%s=2 ", (int)(is - 1 - word), word,
				 (sign == '<') == (degree == HALF) ? "/" : "*");
	}
	free(list);
}

/* One limit changed, in a process of its own, which may fail. */
static void limit_simulate(struct bench *b, const struct limit *l, int degree)
{
	char *more = xasprintf("\t%s\t%s", l->name, degree_name[degree]);
	struct text words = {0};
	struct error e = {0};
	bool changed;

	degree_words(l, degree, &words);
	if (!words.len || limit_lift(words.s, &b->session.config, &changed, &e) || !changed)
		_exit(0);
	alarm(SECONDS);
	if (text_run(&b->session, "restart\n", NULL, true, &e))
		_exit(1);
	launches_print(b, 1, more);
	_exit(0);
}

static void scenario_limits(struct bench *b)
{
	for (u32 i = 0; i < LIMIT_ROWS * DEGREES; i++) {
		fflush(stdout);
		if (!fork())
			limit_simulate(b, &limit_table[i / DEGREES], (int)(i % DEGREES));
		wait(NULL);
	}
}

static void scenario_simulate(const char *path, const char *preset, bool limits)
{
	struct bench b = {0};

	scenario_on(&b, path, preset);
	if (limits)
		scenario_limits(&b);
	else
		launches_print(&b, b.session.sim.m->config.dram_refi ? STARTS : 1, "");
}

enum { MEASURED, DRY, PROFILED, SIMULATED, LIMITS };

static void scenario_bench(const char *path, int how)
{
	struct bench b = {0};
	u64 differ = 0;

	scenario_open(&b, path, "run --functional", false);
	if (how == DRY) {
		dry(&b);
		return;
	}
	device_open();
	modules_load(&b);
	memory_load(&b);
	MUST(cuEventCreate(&b.from, 0));
	MUST(cuEventCreate(&b.to, 0));
	if (how == PROFILED) {
		program_once(&b, COLD, false, REPEATS);
		return;
	}
	own_open(&b);
	for (u32 state = 0; state < STATES; state++)
		for (u32 marked = 0; marked < 2; marked++)
			for (u32 r = 0; r < REPEATS + WARMUPS; r++) {
				program_once(&b, state, marked, r - WARMUPS);
				if (!r)
					differ += differing(&b);
			}
	report(&b, differ);
}

/* In a process of its own, for a kernel that fails takes the GPU's context with it. */
static bool bench_apart(const char *path, int how, const char *preset)
{
	int status = 0;

	if (!fork()) {
		if (how != LIMITS)
			alarm(SECONDS);
		if (how >= SIMULATED)
			scenario_simulate(path, preset, how == LIMITS);
		else
			scenario_bench(path, how);
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
	if (WIFSIGNALED(status))
		fprintf(stderr, "%s: signal %d\n", path, WTERMSIG(status));
	return !status;
}

static int way(const char *word)
{
	static const char *const option[] = {[DRY] = "-n", [PROFILED] = "-1", [SIMULATED] = "-s", [LIMITS] = "-l"};

	for (int how = DRY; how <= LIMITS; how++)
		if (!strcmp(word, option[how]))
			return how;
	return MEASURED;
}

int main(int argc, char **argv)
{
	int how = argc > 1 ? way(argv[1]) : MEASURED, first = 1 + (how != MEASURED) + (how >= SIMULATED);
	bool failed = false;

	if (argc <= first) {
		fprintf(stderr, "usage: gpu [-n | -1 | -s PRESET | -l PRESET] SCENARIO...\n");
		return 2;
	}
	if (how == MEASURED)
		head_print();
	for (int i = first; i < argc; i++) {
		fflush(stdout);
		named = argv[i];
		if (how == PROFILED)
			scenario_bench(argv[i], how);
		else
			failed |= !bench_apart(argv[i], how, argv[2]);
	}
	return failed ? 1 : 0;
}
