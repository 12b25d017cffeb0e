/*
 * diff.h - the parts of the program that compares: programs drawn at random, rows of ops.def, those who run them.
 */
#ifndef DIFF_H
#define DIFF_H

#include "lane.h"

#include "base.h"

/* A kernel and what it is launched with. Its two arguments are addresses: of what it reads, and of what it leaves. */
struct task {
	char *text;
	char kernel[32];
	u32 grid[3], block[3];
	u32 in_bytes, out_bytes;
	u8 *in, *out; /* out: at the start */
	u64 seed;
	bool warps; /* lanes of a warp of 32 work together */
};

void task_free(struct task *t);

/* An own source of numbers, the same on every host. */
struct dice {
	u64 state;
};
u64 dice_word(struct dice *d);
u32 dice(struct dice *d, u32 n);

/* gen.c: a program from a seed, which the kernel's name has in it; gpu: only what sm_90 has, and no approximations. */
void task_draw(struct task *t, u64 seed, bool gpu);
/* What it reads, from a seed. */
void task_fill(struct task *t, u64 seed);

/* Who computes a task. out: out_bytes of it; -1 with the reason in why. */
enum { WHY = 1024 };
int by_lane(const struct task *t, u8 *out, char *why);
int by_values(const struct task *t, u8 *out, char *why);
/*
 * The simulator, timed: n tasks at once, a stream each, on a machine that `lines` of a scenario describe; `moves` are
 * commands on the way, which may fail. 1: the lines do not fit together, the reason is in why.
 */
int by_session(const struct task *t, u32 n, const char *lines, const char *moves, u8 **out, char *why);

/* device.c: a GPU. Several tasks whose texts become one module, which its assembler optimizes to a level, 0 to 4. */
bool device_there(char *why);
const char *device_name(void);
int by_device(struct task *t, u32 n, u32 level, u8 **out, char *why);

/* ops.c: each form of each row over a table of values. device: a GPU's result too. */
int ops_compare(int argc, char **argv);

/* hand.c: single instructions, whose results are known. */
int hand_compare(void);

#endif
