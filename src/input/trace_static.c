/*
 * trace_static.c - from the words of a recorded instruction to a static one: class, registers, memory space.
 *
 * A trace names one register of each operand. The others follow from the mnemonic where it tells: loads and stores of 8
 * and 16 bytes, 64-bit addresses (.E), double precision, .WIDE, results of the tensor units. R255 is zero, no register.
 * Deviations: predicates, uniform registers and constants are not in the trace, so nothing waits for them; texture
 * fetches run on the SFUs without touching memory.
 *
 * LDGSTS is an asynchronous copy, LDGDEPBAR closes its group, DEPBAR waits for all but the newest N (copies.c). Which
 * of the six barriers of a warp these are about is not in the trace. The writes to shared memory, whose addresses the
 * tracer leaves out, take no time.
 *
 * Hopper's bulk copies are such loads, too, or stores, of 16 bytes a lane (trace_bulk.c). Nothing waits for them, nor
 * for the products of a warpgroup: mbarriers are accesses to shared memory.
 */
#include "ops.h"
#include "trace_internal.h"

#include <ctype.h>

static const struct {
	const char *arches;
	u8 kind;
	const char *names;
} ops_table[] = {
#define TRACE_OPS(arches, kind, names) {arches, TRACE_##kind, names},
#include "trace_ops.def"
#undef TRACE_OPS
};

/* What a kind of instruction is to the machine. */
static const struct {
	u8 class;
	u8 space;
	u16 op;
} kind_table[TRACE_KIND_COUNT] = {[TRACE_SP] = {CLASS_FP32, SPACE_NONE, OP_NOP},
				  [TRACE_SFU] = {CLASS_SFU, SPACE_NONE, OP_NOP},
				  [TRACE_DP] = {CLASS_FP64, SPACE_NONE, OP_NOP},
				  [TRACE_INT] = {CLASS_INT, SPACE_NONE, OP_NOP},
				  [TRACE_MUL] = {CLASS_IMUL, SPACE_NONE, OP_NOP},
				  [TRACE_ALU] = {CLASS_INT, SPACE_NONE, OP_NOP},
				  [TRACE_SHFL] = {CLASS_SHFL, SPACE_NONE, OP_NOP},
				  [TRACE_UNIFORM] = {CLASS_UNIFORM, SPACE_NONE, OP_NOP},
				  [TRACE_TEX] = {CLASS_SFU, SPACE_NONE, OP_NOP},
				  [TRACE_TENSOR] = {CLASS_TENSOR, SPACE_NONE, OP_NOP},
				  [TRACE_HALF] = {CLASS_HALF, SPACE_NONE, OP_NOP},
				  [TRACE_DMMA] = {CLASS_DMMA, SPACE_NONE, OP_NOP},
				  [TRACE_LD] = {CLASS_LOAD, SPACE_GENERIC, OP_LD},
				  [TRACE_LDG] = {CLASS_LOAD, SPACE_GLOBAL, OP_LD},
				  [TRACE_LDL] = {CLASS_LOAD, SPACE_LOCAL, OP_LD},
				  [TRACE_LDS] = {CLASS_SHLOAD, SPACE_SHARED, OP_LD},
				  [TRACE_ST] = {CLASS_STORE, SPACE_GENERIC, OP_ST},
				  [TRACE_STG] = {CLASS_STORE, SPACE_GLOBAL, OP_ST},
				  [TRACE_STL] = {CLASS_STORE, SPACE_LOCAL, OP_ST},
				  [TRACE_STS] = {CLASS_SHSTORE, SPACE_SHARED, OP_ST},
				  [TRACE_ATOM] = {CLASS_ATOMIC, SPACE_GLOBAL, OP_ATOM},
				  [TRACE_ATOMS] = {CLASS_SHLOAD, SPACE_SHARED, OP_ATOM},
				  [TRACE_BRANCH] = {CLASS_CONTROL, SPACE_NONE, OP_BRA},
				  [TRACE_EXIT] = {CLASS_CONTROL, SPACE_NONE, OP_EXIT},
				  [TRACE_COPY] = {CLASS_LOAD, SPACE_GLOBAL, OP_COPY},
				  [TRACE_BULK_LD] = {CLASS_LOAD, SPACE_GLOBAL, OP_COPY},
				  [TRACE_BULK_ST] = {CLASS_STORE, SPACE_GLOBAL, OP_ST},
				  [TRACE_BULK_PF] = {CLASS_INT, SPACE_NONE, OP_NOP},
				  [TRACE_GMMA] = {CLASS_TENSOR, SPACE_NONE, OP_NOP},
				  [TRACE_DEPBAR] = {CLASS_INT, SPACE_NONE, OP_COPY_WAIT},
				  [TRACE_COMMIT] = {CLASS_INT, SPACE_NONE, OP_COPY_COMMIT},
				  [TRACE_BAR] = {CLASS_CONTROL, SPACE_NONE, OP_BAR_SYNC},
				  [TRACE_FENCE] = {CLASS_FENCE, SPACE_NONE, OP_FENCE}};

/* Binary versions (the architecture, as sm_NN has it) and the letters of their opcodes. 0: some traces were written
 * with no version. */
static const struct {
	u32 first, last;
	const char *arches;
} arch_table[] = {{0, 0, "PVTAHB"}, {60, 62, "P"},  {70, 72, "V"},    {75, 75, "T"},
		  {80, 89, "A"},    {90, 90, "AH"}, {100, 121, "AHB"}};

/* The letters of a binary version, NULL: unknown. */
static const char *arch_letters(u32 binary)
{
	for (u32 i = 0; i < ARRAY_LEN(arch_table); i++)
		if (binary >= arch_table[i].first && binary <= arch_table[i].last)
			return arch_table[i].arches;
	return NULL;
}

bool trace_binary_known(u32 binary)
{
	return arch_letters(binary) != NULL;
}

/* Is a word among words separated by blanks? */
static bool among(const char *words, const char *word, u32 n)
{
	for (const char *at = words; (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

/* The kind of a mnemonic (what stands before its first dot), -1: unknown. */
static int find_kind(const char *name, u32 n, u32 binary)
{
	char word[32];
	const char *letters = arch_letters(binary);

	if (!n || n >= sizeof(word))
		return -1;
	memcpy(word, name, n);
	word[n] = '\0';
	for (u32 i = ARRAY_LEN(ops_table); i-- > 0;)
		if (strpbrk(ops_table[i].arches, letters) && among(ops_table[i].names, word, n))
			return ops_table[i].kind;
	return -1;
}

/* Has an opcode this dotted modifier? */
static bool has_modifier(const struct trace_words *w, const char *modifier)
{
	const char *at = w->opcode;
	size_t n = 0;

	while (trace_next_modifier(w, &at, &n))
		if (n == strlen(modifier) && !memcmp(at, modifier, n))
			return true;
	return false;
}

/* n registers from the first on. */
static void add_registers(struct inst *in, u32 first, u32 n, bool write)
{
	for (u32 r = first; r < min_u32(first + n, TRACE_REGS); r++) {
		in->hazard[r / 64] |= 1ULL << r % 64;
		if (write && in->nwrite < MAX_VECTOR)
			in->write[in->nwrite++] = (u8)r;
		if (!write && in->nread < ARRAY_LEN(in->read)) {
			in->place[in->nread] = (u8)(in->nsrc - 1);
			in->read[in->nread++] = (u8)r;
		}
	}
}

/* Registers of the result. */
static u32 result_registers(const struct trace_words *w, int kind)
{
	if (has_modifier(w, "M88"))
		return has_modifier(w, "4") ? 4 : has_modifier(w, "2") ? 2 : 1;
	if (kind == TRACE_DMMA)
		return 4;
	if (kind == TRACE_TENSOR)
		return has_modifier(w, "F32") ? 4 : 2;
	if (w->bytes)
		return max_u32(w->bytes / 4, 1);
	return kind == TRACE_DP || has_modifier(w, "WIDE") || has_modifier(w, "64") ? 2 : 1;
}

/* Registers of source i. */
static u32 source_registers(const struct trace_words *w, int kind, u32 i)
{
	/* of a copy: where to in shared memory, then where from */
	if (w->bytes && i == (kind == TRACE_COPY))
		return has_modifier(w, "E") ? 2 : 1;
	if (kind == TRACE_COPY)
		return 1;
	if (w->bytes)
		return max_u32(w->bytes / 4, 1);
	return kind == TRACE_DP || kind == TRACE_DMMA ? 2 : 1;
}

/* Registers named and those that follow from them. */
static void set_registers(const struct trace_words *w, int kind, struct inst *in)
{
	/* a store that claims a result has none */
	if (w->ndst && w->dst_file == FILE_VECTOR && w->dst != TRACE_REGS && in->op != OP_ST) {
		in->dst[in->ndst++] = (struct operand){.kind = OPERAND_REG, .value = w->dst};
		add_registers(in, w->dst, result_registers(w, kind), true);
	}
	for (u32 i = 0; i < w->nsrc; i++) {
		if (w->src_file[i] != FILE_VECTOR)
			continue;
		in->src[in->nsrc++] = (struct operand){.kind = OPERAND_REG, .value = w->src[i]};
		if (kind_table[kind].class != CLASS_CONTROL)
			add_registers(in, w->src[i], source_registers(w, kind, i), false);
	}
}

/* Bytes of a lane as elements: of 4 bytes, or one smaller one. A matrix load's lanes name rows of 16 bytes. */
static void set_width(const struct trace_words *w, struct inst *in)
{
	u32 bytes = has_modifier(w, "M88") ? 16 : w->bytes;

	in->width = (u8)min_u32(bytes, 4);
	in->vec = (u8)(bytes > 4 ? bytes / 4 : 1);
	if (in->op == OP_ATOM) {
		in->width = (u8)min_u32(bytes, 8);
		in->counted = has_modifier(w, "POPC"); /* ATOMS.POPC.INC */
		in->vec = has_modifier(w, "F32") ? VALUE_F32 : has_modifier(w, "F64") ? VALUE_F64 : VALUE_U32;
	}
}

/* A product's shape, digits behind its first dot: m8 or m16, n8, and the depth: 884, 1688, 16816, 88128. Its elements.
 */
static u32 product_elements(const struct trace_words *w)
{
	const char *dot = memchr(w->opcode, '.', w->opcode_length), *end = w->opcode + w->opcode_length;
	u32 rows = 8, depth = 0;

	if (!dot)
		return 0;
	dot += 1;
	if (end - dot > 2 && dot[0] == '1' && dot[1] == '6' && dot[2] == '8') {
		rows = 16;
		dot += 3;
	} else if (end - dot > 1 && dot[0] == '8' && dot[1] == '8') {
		dot += 2;
	} else {
		return 0;
	}
	for (; dot < end && isdigit((unsigned char)*dot); dot++)
		depth = depth < 1000 ? depth * 10 + (u32)(*dot - '0') : depth;
	return rows * 8 * depth;
}

/* Bits of an element of a product's factors. */
static u32 factor_bits(const struct trace_words *w)
{
	return has_modifier(w, "TF32")				? 32
	       : w->opcode[0] == 'H'				? 16
	       : w->opcode[0] == 'B'				? 1
	       : w->opcode[0] == 'O'				? 4
	       : has_modifier(w, "S4") || has_modifier(w, "U4") ? 4
								: 8;
}

/* Quarters of a step of m16n8 over 32 bytes that a product takes (0: four): of Volta's HMMA.884, four are a product of
 * m8n8k4 in each quad pair with sums of f32, two one with sums of halves. */
static u32 product_work(const struct trace_words *w)
{
	u32 work = ceil_div(product_elements(w) * factor_bits(w), 16 * 8 * 8 * 16 / 4);

	if (has_modifier(w, "884") && !has_modifier(w, "F32"))
		work *= 2;
	return min_u32(work, 16);
}

/* What the products of a warpgroup take of one of its four tensor cores, in parts of work: the interval is what
 * mma.sync reaches, 65 % of the full rate at which they go (measured on an H100; unit.tensor.interval of preset h100).
 */
#define GMMA_WORK 0.65

/* Quarters of a step that one warp's part of a warpgroup's product takes: HGMMA.64x256x16 is 16 rows of 256 for each.
 */
static u32 group_work(const struct trace_words *w)
{
	u32 m = 0, n = 0, k = 0;
	char shape[64];

	snprintf(shape, sizeof(shape), "%.*s", (int)w->opcode_length, w->opcode);
	if (sscanf(shape, "%*[A-Z].%4ux%4ux%4u", &m, &n, &k) != 3)
		return 0;
	return max_u32(1, (u32)min_u64(255, (u64)(GMMA_WORK * m * n * k * factor_bits(w) / 4 / 4096 + 0.5)));
}

bool trace_is_bulk(const char *opcode, u32 length, u32 binary)
{
	const char *dot = memchr(opcode, '.', length);
	int kind = find_kind(opcode, dot ? (u32)(dot - opcode) : length, binary);

	return kind >= TRACE_BULK_LD && kind <= TRACE_BULK_PF;
}

/* Does a load say that no L1 may answer it? */
static bool goes_past(const struct trace_words *w)
{
	bool strong = has_modifier(w, "STRONG") && (has_modifier(w, "GPU") || has_modifier(w, "SYS"));

	return strong || has_modifier(w, "BYPASS") || has_modifier(w, "CG") || has_modifier(w, "CV");
}

/* A register. */
static void add_register_text(const char *before, u32 file, u32 number, struct text *strings)
{
	text_add(strings, "%s%s", before, trace_file_prefix[file]);
	if (file == FILE_VECTOR && number == TRACE_REGS)
		text_add(strings, "Z");
	else
		text_add(strings, "%u", number);
}

/* The instruction as a disassembler would show what is known of it. */
static void add_text(const struct trace_words *w, struct text *strings)
{
	text_add(strings, "/*%04x*/ %.*s", w->pc, (int)w->opcode_length, w->opcode);
	if (w->ndst)
		add_register_text(" ", w->dst_file, w->dst, strings);
	for (u32 i = 0; i < w->nsrc; i++)
		add_register_text(i || w->ndst ? ", " : " ", w->src_file[i], w->src[i], strings);
	text_addn(strings, "", 1);
}

/* UBLKCP goes to global memory (G.S), from there (S.G), or stays in shared memory (S.S), which takes no time here. */
static int bulk_way(const struct trace_words *w, int kind)
{
	if (kind != TRACE_BULK_LD || w->opcode[1] != 'B')
		return kind;
	if (w->opcode_length >= 10 && !memcmp(w->opcode, "UBLKCP.S.S", 10))
		return TRACE_INT;
	return w->opcode_length >= 10 && !memcmp(w->opcode, "UBLKCP.G.S", 10) ? TRACE_BULK_ST : kind;
}

/* A bulk copy: lanes of 16 bytes, past the L1D; no register. */
static void set_bulk(int kind, struct inst *in)
{
	in->width = in->vec = 4;
	in->aux = kind == TRACE_BULK_LD ? ACCESS_PAST : 0;
}

/* A barrier's number and threads (0: all of the CTA). */
static void set_barrier(const struct trace_words *w, struct inst *in)
{
	in->barrier = (u8)(w->immediate & (MAX_BARRIERS - 1));
	in->offset = w->second > 0 && w->second <= 1024 ? (i32)w->second : 0;
	if (has_modifier(w, "ARV"))
		in->op = OP_BAR_ARRIVE;
}

bool trace_instruction(const struct trace_words *w, u32 binary, bool unknown_int, struct inst *in, struct text *strings)
{
	const char *dot = memchr(w->opcode, '.', w->opcode_length);
	int kind = find_kind(w->opcode, dot ? (u32)(dot - w->opcode) : w->opcode_length, binary);

	if (kind < 0 && !unknown_int)
		return false;
	/* an access without addresses touches nothing: it is timed as an integer instruction */
	kind = bulk_way(w, kind);
	if (kind < 0 || (kind_table[kind].space && !w->bytes && kind != TRACE_BULK_LD && kind != TRACE_BULK_ST))
		kind = TRACE_INT;
	*in = (struct inst){.op = kind_table[kind].op,
			    .class = kind_table[kind].class,
			    .space = kind_table[kind].space,
			    .vec = 1,
			    .write_pred = {0xff, 0xff},
			    .source_line = w->line,
			    .text = (u32)strings->len};
	if (in->space)
		set_width(w, in);
	if (in->class == CLASS_LOAD && goes_past(w))
		in->aux = ACCESS_PAST;
	if (kind == TRACE_BULK_LD || kind == TRACE_BULK_ST)
		set_bulk(kind, in);
	else if (kind != TRACE_GMMA)
		set_registers(w, kind, in);
	if (kind == TRACE_BAR && w->numbered)
		set_barrier(w, in);
	in->work = (u8)(kind == TRACE_TENSOR ? product_work(w) : kind == TRACE_GMMA ? group_work(w) : 0);
	if (kind == TRACE_DEPBAR && w->immediate > 0)
		in->aux = (u8)min_u64((u64)w->immediate, COPIES_ALL - 1);
	add_text(w, strings);
	return true;
}

void trace_finish_kernel(struct kernel *k, u32 registers)
{
	u32 most = 0;

	for (u32 i = 0; i < k->ninst; i++) {
		struct inst *in = &k->inst[i];

		in->target = in->reconverge = i + 1;
		k->stores_global |= in->class == CLASS_STORE;
		k->has_atomics |= in->class == CLASS_ATOMIC;
		k->has_barrier |= op_is_barrier(in->op);
		for (u32 r = most; r < TRACE_REGS; r++)
			if (in->hazard[r / 64] >> r % 64 & 1)
				most = r + 1;
	}
	k->regs = max_u32(max_u32(most, 1), registers > TRACE_REGS ? 0 : registers);
}
