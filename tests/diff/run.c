/* run.c - who computes a task: the second interpreter, ours without a session, and a session with settings. */
#include "diff.h"

#include "front.h"
#include "lang.h"
#include "ptx.h"
#include "session_ops.h"
#include "travel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 50000000 };
#define GAP 4096 /* between the two buffers */

void task_free(struct task *t)
{
	free(t->text);
	free(t->in);
	free(t->out);
}

static u64 out_at(const struct task *t)
{
	return STORE_GLOBAL_BASE + (t->in_bytes + GAP + 4095) / 4096 * 4096;
}

int by_lane(const struct task *t, u8 *out, char *why)
{
	u64 at = out_at(t) - STORE_GLOBAL_BASE;
	uint64_t argument[] = {STORE_GLOBAL_BASE, out_at(t)};
	struct lane_program *p = lane_parse(t->text, why);
	struct lane_launch l = {.kernel = t->kernel,
				.grid = {t->grid[0], t->grid[1], t->grid[2]},
				.block = {t->block[0], t->block[1], t->block[2]},
				.argument = argument,
				.arguments = 2,
				.base = STORE_GLOBAL_BASE,
				.bytes = at + t->out_bytes,
				.most = MOST_STEPS};
	int result;

	if (!p)
		return -1;
	l.memory = xcalloc(1, l.bytes);
	memcpy(l.memory, t->in, t->in_bytes);
	memcpy(l.memory + at, t->out, t->out_bytes);
	result = lane_run(p, &l, why);
	memcpy(out, l.memory + at, t->out_bytes);
	free(l.memory);
	lane_free(p);
	return result;
}

static int told(char *why, const struct error *e)
{
	snprintf(why, WHY, "%u:%u: %s", e->line, e->column, e->message);
	return -1;
}

int by_values(const struct task *t, u8 *out, char *why)
{
	u64 argument[] = {STORE_GLOBAL_BASE, out_at(t)};
	struct functional_result count;
	struct module *m;
	struct launch l = {.name = xstrdup("k")};
	struct program p = {.module = &m, .nmodule = 1, .launch = &l, .nlaunch = 1};
	struct buffer b[2] = {
		{.name = "in", .type = VALUE_U8, .count = t->in_bytes, .bytes = t->in_bytes, .address = argument[0]},
		{.name = "out",
		 .type = VALUE_U8,
		 .count = t->out_bytes,
		 .bytes = t->out_bytes,
		 .address = argument[1]}};
	struct store s;
	struct error e = {0};
	int result = 0;

	if (ptx_load_text("task.ptx", t->text, strlen(t->text), &m, &e))
		return told(why, &e);
	module_place(m);
	for (u32 i = 0; i < m->nkernel; i++)
		if (!strcmp(m->kernel[i].name, t->kernel))
			l.kernel = &m->kernel[i];
	p.buffer = b;
	p.nbuffer = 2;
	p.global_bytes = argument[1] + t->out_bytes - STORE_GLOBAL_BASE;
	l.regs = l.kernel->regs;
	l.param = xcalloc(1, l.kernel->param_bytes + 8);
	memcpy(l.param, argument, sizeof(argument));
	l.loop.iteration_param = ~0u;
	memcpy(l.grid, t->grid, sizeof(l.grid));
	memcpy(l.block, t->block, sizeof(l.block));
	store_init(&s, 0, 0, p.global_bytes);
	store_poke(&s, argument[0], t->in, t->in_bytes);
	store_poke(&s, argument[1], t->out, t->out_bytes);
	launch_prepare(&l);
	if (functional_run(&p, &s, MOST_STEPS, &count, &e))
		result = told(why, &e);
	store_read(&s, argument[1], out, t->out_bytes);
	store_free(&s);
	free(l.name);
	free(l.param);
	free(l.warp_mask);
	for (u32 d = 0; d < 3; d++)
		free(l.tid[d]);
	module_free(m);
	return result;
}

/* A file of this process for the time of a run. */
static char *kept(const char *end, u32 i, const void *bytes, size_t n)
{
	char *path = xasprintf("/dev/shm/differ.%d.%u.%s", (int)getpid(), i, end);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f)) {
		fprintf(stderr, "cannot write %s\n", path);
		exit(2);
	}
	return path;
}

/* Commands one by one, whatever becomes of them. */
static void move(struct session *s, const char *moves)
{
	char *all = xstrdup(moves), *rest = all, *line;
	struct error e = {0};

	while ((line = strtok_r(rest, "\n", &rest)))
		text_run(s, line, NULL, true, &e);
	free(all);
}

int by_session(const struct task *t, u32 n, const char *lines, const char *moves, u8 **out, char *why)
{
	struct session s = {0};
	struct text scene = {0};
	struct error e = {0};
	char *path[2 * 4];
	int result = 0;

	text_add(&scene, "%s", lines);
	for (u32 i = 0; i < n; i++) {
		path[2 * i] = kept("ptx", i, t[i].text, strlen(t[i].text));
		path[2 * i + 1] = kept("in", i, t[i].in, t[i].in_bytes);
		text_add(&scene, "module %s\nbuffer in%u u8[%u] file %s\nbuffer out%u u8[%u]\n", path[2 * i], i,
			 t[i].in_bytes, path[2 * i + 1], i, t[i].out_bytes);
		text_add(&scene, "launch %s grid %u,%u,%u block %u,%u,%u stream %u args in%u out%u\n", t[i].kernel,
			 t[i].grid[0], t[i].grid[1], t[i].grid[2], t[i].block[0], t[i].block[1], t[i].block[2], i, i,
			 i);
	}
	if (getenv("SCENE")) {
		free(kept("scn", 0, scene.s, strlen(scene.s)));
		printf("%s%s", scene.s, moves);
	}
	session_open(&s, &all_session_ops);
	s.batch = s.quiet = s.trust = true;
	s.out = fopen("/dev/null", "w");
	if (text_run(&s, scene.s, NULL, true, &e) || session_make(&s, &e)) {
		told(why, &e);
		result = 1;
	} else {
		move(&s, moves);
		if (text_run(&s, "run", NULL, true, &e) || session_end_status(&s, &e))
			result = told(why, &e);
	}
	for (u32 i = 0; !result && i < n; i++)
		for (u32 b = 0; b < s.program.nbuffer; b++) {
			char name[16];

			snprintf(name, sizeof(name), "out%u", i);
			if (!strcmp(s.program.buffer[b].name, name))
				store_read(session_store(&s), s.program.buffer[b].address, out[i], t[i].out_bytes);
		}
	fclose(s.out);
	s.out = NULL;
	session_close(&s);
	for (u32 i = 0; i < 2 * n; i++) {
		if (!getenv("SCENE"))
			unlink(path[i]);
		free(path[i]);
	}
	text_free(&scene);
	return result;
}
