/*
 * ptx_bed.h - a PTX kernel with buffers and arguments, run without timing: what tests of the front end share.
 * To be included behind cmocka.h.
 */
#ifndef WARPSTEP_TESTS_PTX_BED_H
#define WARPSTEP_TESTS_PTX_BED_H

#include <stdlib.h>
#include <string.h>

#include "front.h"
#include "ptx.h"

#define MAX_BUFFERS 64

/* A module with its variables placed, and one launch. */
struct bed {
	struct module *module;
	struct buffer buffer[MAX_BUFFERS];
	struct launch launch;
	struct program program;
	struct store store;
	u32 used; /* bytes of parameters */
};

/* A buffer behind the others; its address. */
static inline u64 add_buffer(struct bed *b, const char *name, u64 bytes)
{
	struct program *p = &b->program;
	struct buffer *last = p->nbuffer ? &p->buffer[p->nbuffer - 1] : NULL;
	u64 address = last ? (last->address + last->bytes + 4096 + 255) / 256 * 256 : STORE_GLOBAL_BASE;

	assert_true(p->nbuffer < MAX_BUFFERS);
	p->buffer[p->nbuffer++] = (struct buffer){
		.name = (char *)(uintptr_t)name, .type = VALUE_U8, .count = bytes, .address = address, .bytes = bytes};
	p->global_bytes = address + bytes - STORE_GLOBAL_BASE;
	return address;
}

/* A module has been loaded: place its variables, choose a kernel and its shape. */
static inline void bed_make(struct bed *b, const char *kernel, u32 grid, u32 block)
{
	b->program.buffer = b->buffer;
	b->program.module = &b->module;
	b->program.nmodule = 1;
	for (u32 i = 0; i < b->module->nsymbol; i++)
		if (b->module->symbol[i].space == SPACE_GLOBAL)
			b->module->symbol[i].address =
				add_buffer(b, b->module->symbol[i].name, b->module->symbol[i].size);
	module_place(b->module);
	for (u32 i = 0; i < b->module->nkernel; i++)
		if (!strcmp(b->module->kernel[i].name, kernel))
			b->launch.kernel = &b->module->kernel[i];
	assert_non_null(b->launch.kernel);
	b->launch.name = xstrdup(kernel);
	b->launch.regs = b->launch.kernel->regs;
	b->launch.param = xcalloc(1, b->launch.kernel->param_bytes + 8);
	b->launch.loop.iteration_param = ~0u;
	memcpy(b->launch.grid, ((u32[]){grid, 1, 1}), 12);
	memcpy(b->launch.block, ((u32[]){block, 1, 1}), 12);
}

/* Load a file. */
static inline void bed_open(struct bed *b, const char *file, const char *kernel, u32 grid, u32 block)
{
	struct error e = {0};

	*b = (struct bed){.used = 0};
	if (ptx_load(file, &b->module, &e))
		fail_msg("%s:%u:%u: %s", file, e.line, e.column, e.message);
	bed_make(b, kernel, grid, block);
}

/* Load text. */
static inline void bed_text(struct bed *b, const char *text, const char *kernel, u32 grid, u32 block)
{
	struct error e = {0};

	*b = (struct bed){.used = 0};
	if (ptx_load_text("t.ptx", text, strlen(text), &b->module, &e))
		fail_msg("%u:%u: %s\n%s", e.line, e.column, e.message, text);
	bed_make(b, kernel, grid, block);
}

/* The next argument. */
static inline void give(struct bed *b, const void *value, u32 bytes)
{
	const struct kernel_param *p = &b->launch.kernel->param[b->used++];

	assert_true(b->used <= b->launch.kernel->nparam && bytes == p->size);
	memcpy(b->launch.param + p->offset, value, bytes);
}

static inline u64 give_buffer(struct bed *b, u64 bytes)
{
	u64 address = add_buffer(b, "buffer", bytes);

	give(b, &address, 8);
	return address;
}

static inline void give_int(struct bed *b, i32 value)
{
	give(b, &value, 4);
}

/* Memory as it is at the start: variables with their initialisers. */
static inline void bed_fill(struct bed *b)
{
	store_init(&b->store, 0, 0, b->program.global_bytes);
	for (u32 i = 0; i < b->module->nsymbol; i++) {
		const struct module_symbol *y = &b->module->symbol[i];

		if (y->space == SPACE_GLOBAL && y->init)
			store_poke(&b->store, y->address, y->init, y->size);
	}
}

static inline enum status bed_run(struct bed *b, struct error *e)
{
	struct functional_result count;

	assert_int_equal(b->used, b->launch.kernel->nparam);
	launch_prepare(&b->launch);
	b->program.launch = &b->launch;
	b->program.nlaunch = 1;
	return functional_run(&b->program, &b->store, 1000000, &count, e);
}

static inline void bed_good(struct bed *b)
{
	struct error e = {0};

	if (bed_run(b, &e))
		fail_msg("%s: %s", b->launch.name, e.message);
}

static inline void bed_close(struct bed *b)
{
	store_free(&b->store);
	free(b->launch.name);
	free(b->launch.param);
	free(b->launch.warp_mask);
	for (u32 d = 0; d < 3; d++)
		free(b->launch.tid[d]);
	module_free(b->module);
}

static inline i32 int_at(const struct bed *b, u64 address, u32 i)
{
	i32 v;

	store_read(&b->store, address + i * 4, &v, 4);
	return v;
}

static inline u64 long_at(const struct bed *b, u64 address, u32 i)
{
	u64 v;

	store_read(&b->store, address + i * 8, &v, 8);
	return v;
}

static inline float float_at(const struct bed *b, u64 address, u32 i)
{
	float v;

	store_read(&b->store, address + i * 4, &v, 4);
	return v;
}

/* Run it; the first 32 words of a buffer afterwards. It can be run again. */
static inline void bed_result(struct bed *b, u32 *out, u64 at)
{
	struct error e = {0};

	bed_fill(b);
	if (bed_run(b, &e))
		fail_msg("%s", e.message);
	for (u32 i = 0; i < 32; i++)
		out[i] = (u32)int_at(b, at, i);
	free(b->launch.warp_mask);
	for (u32 d = 0; d < 3; d++)
		free(b->launch.tid[d]);
	b->launch.warp_mask = b->launch.tid[0] = b->launch.tid[1] = b->launch.tid[2] = NULL;
}

/* Run a program of an entry k in both orders of ptx.schedule: its buffer of 256 bytes must be the same. Has it another
 * order? number: what it is called in a failure. */
static inline bool bed_both_orders(const char *text, u32 number)
{
	u32 written[32], scheduled[32];
	struct bed b;
	bool other;
	u64 at;

	bed_text(&b, text, "k", 1, 1);
	at = give_buffer(&b, 256);
	other = b.launch.kernel->other != NULL;
	bed_result(&b, written, at);
	store_free(&b.store);
	kernel_schedule((struct kernel *)(uintptr_t)b.launch.kernel, true);
	bed_result(&b, scheduled, at);
	if (memcmp(written, scheduled, sizeof(written)))
		fail_msg("program %u computes another thing:\n%s", number, text);
	bed_close(&b);
	return other;
}

/* A number below n, of a seed that goes on. */
static inline u32 bed_drawn(u32 *seed, u32 n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

#endif
