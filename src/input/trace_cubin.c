/*
 * trace_cubin.c - the control bits of a trace's instructions, from the cubins of the recorded program.
 *
 * A trace has opcodes and PCs and no control bits; PC / 16 is the number of the word in the kernel's section. That the
 * cubin is that of the recorded program follows from its architecture, and word by word: a recorded EXIT is one, and a
 * recorded result is in the register that the word has in bits 16 to 23. Deviations: of an instruction whose result is
 * no vector register (a predicate, a uniform register) traces do not tell the end, so its write counter stays 0; the
 * same for DEPBAR, which waits for groups of copies (trace_static.c).
 */
#include "cubin.h"
#include "ops.h"
#include "trace_internal.h"

#define NO_PLACE 255

/* What one kernel is compared with. */
struct match {
	const struct cubin *cubin;
	const struct kernel *k;
	const u8 *words;
	u32 n;
};

#define refuse(m, e, ...) error_at(e, STATUS_USAGE, (m)->cubin->path, 0, 0, __VA_ARGS__)

static const char *name_of(const struct kernel *k)
{
	return safe_text(kernel_symbol(k));
}

/* --- which cubin --- */

/* No cubin has a kernel, or only one of another architecture, `other`. */
static enum status refuse_kernel(const struct kernel *k, struct cubin *const *c, u32 n, const struct cubin *other,
				 struct error *e)
{
	struct match m = {.cubin = other ? other : c[0], .k = k};
	struct text names = {0};

	if (other)
		return refuse(
			&m, e,
			"a cubin of sm_%u, but kernel %s was recorded with binary version %u (a cubin of sm_%u is needed)",
			other->arch, name_of(k), k->trace->binary, k->trace->binary);
	if (n > 1)
		return refuse(
			&m, e,
			"no kernel %s, neither here nor in the other cubins (each kernel of the trace must be in a cubin)",
			name_of(k));
	cubin_names(c[0], &names);
	refuse(&m, e, "no kernel %s (each kernel of the trace must be in a cubin; this one's kernels: %s)", name_of(k),
	       names.s);
	text_free(&names);
	return e->status;
}

/* The first cubin of the kernel's architecture that has it. */
static enum status find_match(struct match *m, struct cubin *const *c, u32 n, struct error *e)
{
	const struct trace *t = m->k->trace;
	const struct cubin *other = NULL;

	for (u32 i = 0; i < n; i++) {
		m->cubin = c[i];
		if (cubin_kernel(c[i], kernel_symbol(m->k), &m->words, &m->n, e))
			return e->status;
		if (m->words && (!t->binary || t->binary == c[i]->arch))
			return STATUS_OK;
		other = m->words ? c[i] : other;
	}
	return refuse_kernel(m->k, c, n, other, e);
}

/* --- its words --- */

/* Is the word at an instruction's PC that instruction, as far as the trace tells? */
static enum status check_word(const struct match *m, u32 i, const u8 *word, struct error *e)
{
	const struct inst *in = &m->k->inst[i];
	bool exit = cubin_field(word, 0, 12) == CUBIN_EXIT, result = in->ndst && in->class != CLASS_CONTROL;

	if (exit != (in->op == OP_EXIT))
		return refuse(
			m, e,
			"kernel %s: recorded is '%s', and that word is %s: the cubin is of another build of the program",
			name_of(m->k), safe_text(kernel_text(m->k, i)), exit ? "an EXIT" : "no EXIT");
	if (result && cubin_field(word, 16, 8) != in->dst[0].value)
		return refuse(
			m, e,
			"kernel %s: recorded is '%s', and that word writes R%u: the cubin is of another build of the program",
			name_of(m->k), safe_text(kernel_text(m->k, i)), cubin_field(word, 16, 8));
	return STATUS_OK;
}

/* The word of an instruction. */
static enum status find_word(const struct match *m, u32 i, const u8 **word, struct error *e)
{
	const u32 *pc = m->k->trace->pc;

	if (pc[i] % CUBIN_WORD || pc[i] / CUBIN_WORD >= m->n)
		return refuse(
			m, e,
			"kernel %s has %u instructions, from 0x0 to 0x%x in steps of 0x%x, and the trace has one at PC 0x%x: the cubin is of another build of the program",
			name_of(m->k), m->n, (m->n - 1) * CUBIN_WORD, CUBIN_WORD, pc[i]);
	if (i && pc[i] == pc[i - 1])
		return refuse(
			m, e,
			"kernel %s: the trace has two instructions at PC 0x%x, so that it also calls a function, whose words cannot be distinguished from the kernel's (compile the program without calls)",
			name_of(m->k), pc[i]);
	*word = m->words + (u64)(pc[i] / CUBIN_WORD) * CUBIN_WORD;
	return check_word(m, i, *word, e);
}

/* --- reuse bits --- */

/* The operand position of each register operand of an instruction: its number's place in the word. */
static void find_positions(const struct inst *in, const u8 *word, u8 position[REUSE_PLACES])
{
	u32 taken = 0;

	for (u32 i = 0; i < REUSE_PLACES; i++) {
		position[i] = NO_PLACE;
		for (u32 p = 0; p < REUSE_PLACES && i < in->nsrc && position[i] == NO_PLACE; p++) {
			u32 first = cubin_place(word, p);

			if (first && !(taken >> p & 1) && cubin_field(word, first, 8) == in->src[i].value)
				position[i] = (u8)p;
		}
		taken |= position[i] == NO_PLACE ? 0 : 1u << position[i];
	}
}

/* Reads get the positions and the reuse bits of the word in the place of those that reuse.c thought of. */
static void set_reuse(struct inst *in, const u8 *word, u32 reuse)
{
	u8 position[REUSE_PLACES];

	find_positions(in, word, position);
	in->reuse = 0;
	for (u32 i = 0; i < in->nread; i++) {
		if (in->place[i] >= REUSE_PLACES)
			continue;
		in->place[i] = position[in->place[i]];
		in->reuse |= (u8)((in->place[i] < REUSE_PLACES && reuse >> in->place[i] & 1) << i);
	}
}

/* --- constants --- */

/* LDC and ULDC, without and with a uniform register in the address, have their constant's offset in bits 40 to 53, in
 * words, and its bank in the next five. Of bank 0, which has the parameters, no lines are told apart. Source: cubins
 * that ptxas 13.0 makes for sm_90. */
static u8 find_constant(const u8 *word, struct constant_blocks *b)
{
	u32 op = cubin_field(word, 0, 12), bank = cubin_field(word, 54, 5);
	bool loads = op == 0xb82 || op == 0xab9 || op == 0xabb;

	return loads && bank ? constant_line(b, (u64)bank << 32 | cubin_field(word, 40, 14) * 4) : 0;
}

/* --- a trace's kernels --- */

static enum status take_kernel(struct kernel *k, struct cubin *const *c, u32 n, struct error *e)
{
	struct control_bits *bits = xcalloc(k->ninst + 1, sizeof(*bits));
	struct trace *t = (struct trace *)(uintptr_t)k->trace; /* the kernel's own */
	struct match m = {.cubin = c[0], .k = k};
	struct constant_blocks blocks = {0};
	enum status st = find_match(&m, c, n, e);
	const u8 *word = NULL;

	for (u32 i = 0; i < k->ninst && !st; i++)
		if (!(st = find_word(&m, i, &word, e))) {
			bits[i] = cubin_bits(word);
			set_reuse(&k->inst[i], word, bits[i].reuse);
			k->inst[i].constant = find_constant(word, &blocks);
		}
	if (st) {
		free(bits);
		return st;
	}
	free(t->bits);
	free(t->cubin);
	t->bits = bits;
	t->cubin = xstrdup(m.cubin->path);
	return STATUS_OK;
}

enum status trace_take_cubins(struct module *m, struct cubin *const *c, u32 n, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; i < m->nkernel && !st; i++)
		if (!m->kernel[i].borrowed)
			st = take_kernel(&m->kernel[i], c, n, e);
	return st;
}
