/*
 * test_cubin.c - control bits of a trace from a cubin: fields of words counted by hand, kernels of the cubins in
 * tests/trace (whose sources and commands are beside them), what a trace's instructions get, and what is refused: files
 * that are none, that are cut short or damaged anywhere, of another architecture, of another program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "cubin.h"
#include "ops.h"
#include "trace.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD(kernel, binary) \
	"-kernel name = " kernel \
	"\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 40\n-binary version = " binary \
	"\n-accelsim tracer version = 5\n-enable lineinfo = 0\n#traces\n"
#define CTA(n, lines) "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " #n "\n" lines "\n#END_TB\n"
/* Words 0x100, 0x270, 0x320 and the EXIT of kernel tile. */
#define TILE_LINES \
	"0100 ffffffff 1 R4 IMAD 2 R19 R0 0 0 \n0270 ffffffff 1 R18 LDS 1 R0 4 1 0x0 4 0 \n" \
	"0320 ffffffff 1 R5 FFMA 3 R29 R5 R4 0 0 \n03c0 ffffffff 0 EXIT 0 0 0 \n"
#define TILE HEAD("tile", "86") CTA(4, TILE_LINES)

/* The bytes of a file of tests/trace. */
struct file {
	char *bytes;
	size_t len;
};

static struct file read_file(const char *path)
{
	struct error e = {0};
	struct file f;

	if (file_read(path, 1u << 20, &f.bytes, &f.len, &e))
		fail_msg("%s: %s", path, e.message);
	return f;
}

static struct cubin *open_cubin(const char *path)
{
	struct error e = {0};
	struct cubin *c = cubin_open(path, &e);

	if (!c)
		fail_msg("%s: %s", path, e.message);
	return c;
}

/* A trace of a text. */
static struct module *load(const char *text)
{
	char path[] = "/tmp/test_cubin.traceg.XXXXXX";
	struct error e = {0};
	struct module *m;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	if (trace_load(path, 0, &m, &e))
		fail_msg("%u: %s", e.line, e.message);
	unlink(path);
	return m;
}

/* n bits of a word from a first one on are v. */
static void put(u8 *word, u32 first, u32 n, u32 v)
{
	for (u32 i = 0; i < n; i++) {
		word[(first + i) / 8] &= (u8) ~(1u << (first + i) % 8);
		word[(first + i) / 8] |= (u8)((v >> i & 1) << (first + i) % 8);
	}
}

/* --- words --- */

/* Every field alone, at each of its values; the others stay. */
static void fields(void **state)
{
	static const struct {
		u32 first, n;
		u8 at; /* in struct control_bits */
	} field[] = {{105, 4, offsetof(struct control_bits, stall)}, {109, 1, offsetof(struct control_bits, yield)},
		     {110, 3, offsetof(struct control_bits, write)}, {113, 3, offsetof(struct control_bits, read)},
		     {116, 6, offsetof(struct control_bits, wait)},  {122, 3, offsetof(struct control_bits, reuse)}};
	const struct control_bits none = {
		.stall = 0, .yield = 1, .write = CONTROL_NONE, .read = CONTROL_NONE, .wait = 0, .reuse = 0};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(field); i++)
		for (u32 v = 0; v < 1u << field[i].n; v++) {
			u8 word[CUBIN_WORD] = {0};
			struct control_bits want = none, got;
			bool counter = field[i].first == 110 || field[i].first == 113;

			put(word, 110, 6, 077);
			put(word, field[i].first, field[i].n, v);
			((u8 *)&want)[field[i].at] = (u8)(field[i].first == 109		     ? !v
							  : counter && v >= CONTROL_COUNTERS ? CONTROL_NONE
											     : v);
			got = cubin_bits(word);
			assert_memory_equal(&got, &want, sizeof(got));
			assert_int_equal(cubin_field(word, field[i].first, field[i].n), v);
		}
}

/* The first and the last instruction that ptxas has put into every kernel since Turing: MOV R1, c[0x0][0x28], with
 * a stall counter of 2; and the jump to itself behind EXIT, of which Huerta (section 4) says that its stall counter is
 * 0 and its yield bit set. */
static void known_words(void **state)
{
	static const u8 mov[CUBIN_WORD] = {0x02, 0x7a, 0x01, 0x00, 0x00, 0x0a, 0x00, 0x00,
					   0x00, 0x0f, 0x00, 0x00, 0x00, 0xe4, 0x0f, 0x00};
	static const u8 jump[CUBIN_WORD] = {0x47, 0x79, 0x00, 0x00, 0xf0, 0xff, 0xff, 0xff,
					    0xff, 0xff, 0x83, 0x03, 0x00, 0xc0, 0x0f, 0x00};
	struct control_bits bits = cubin_bits(mov);
	char text[CONTROL_TEXT];

	(void)state;
	assert_string_equal(control_text(&bits, text), "B------:R-:W-:-:S02");
	assert_int_equal(cubin_field(mov, 16, 8), 1);
	bits = cubin_bits(jump);
	assert_string_equal(control_text(&bits, text), "B------:R-:W-:Y:S00");
}

/* Where registers are, by the form. */
static void places(void **state)
{
	static const u8 want[8][3] = {{0, 0, 0},   {24, 32, 64}, {24, 64, 0}, {24, 64, 0},
				      {24, 0, 64}, {24, 0, 64},	 {24, 0, 64}, {24, 64, 0}};

	(void)state;
	for (u32 form = 0; form < 8; form++)
		for (u32 p = 0; p < 4; p++) {
			u8 word[CUBIN_WORD] = {0};

			put(word, 9, 3, form);
			assert_int_equal(cubin_place(word, p), p < 3 ? want[form][p] : 0);
		}
}

/* --- files --- */

/* What the sources say; each stall counter above 11 has its yield bit, as compilers set it (Huerta, section 4). */
static void kernels(void **state)
{
	struct cubin *c = open_cubin("tests/trace/waves.cubin");
	struct text names = {0};
	struct error e = {0};
	const u8 *words;
	u32 n;

	(void)state;
	assert_int_equal(c->arch, 86);
	cubin_names(c, &names);
	assert_string_equal(names.s, "outer, waves");
	text_free(&names);
	for (u32 k = 0; k < 2; k++) {
		assert_int_equal(cubin_kernel(c, k ? "waves" : "outer", &words, &n, &e), STATUS_OK);
		assert_int_equal(n, k ? 40 : 32);
		for (u32 i = 0; i < n; i++) {
			struct control_bits b = cubin_bits(words + (size_t)i * CUBIN_WORD);

			assert_true(b.yield || b.stall <= CONTROL_LONG_STALL);
		}
	}
	assert_int_equal(cubin_kernel(c, "wave", &words, &n, &e), STATUS_OK);
	assert_null(words);
	assert_int_equal(cubin_kernel(c, "", &words, &n, &e), STATUS_OK);
	assert_null(words);
	cubin_close(c);
}

/* Older cubins have the architecture in the lowest byte of the flags. */
static void older(void **state)
{
	struct file f = read_file("tests/trace/tile.cubin");
	struct error e = {0};
	struct cubin *c;

	(void)state;
	f.bytes[EI_OSABI] = 0x33;
	f.bytes[EI_ABIVERSION] = 7;
	memcpy(f.bytes + offsetof(Elf64_Ehdr, e_flags), &(u32){0x00560556}, 4);
	c = cubin_take("old.cubin", f.bytes, f.len, &e);
	assert_non_null(c);
	assert_int_equal(c->arch, 86);
	cubin_close(c);
	free(f.bytes);
}

/* Of many sections the first one's header says how many they are, and where the names are. */
static void many(void **state)
{
	struct file f = read_file("tests/trace/tile.cubin");
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)f.bytes;
	Elf64_Shdr *first = (Elf64_Shdr *)(void *)(f.bytes + h->e_shoff);
	struct error e = {0};
	struct cubin *c;
	const u8 *words;
	u32 n;

	(void)state;
	first->sh_size = h->e_shnum;
	first->sh_link = h->e_shstrndx;
	h->e_shnum = 0;
	h->e_shstrndx = SHN_XINDEX;
	c = cubin_take("many.cubin", f.bytes, f.len, &e);
	assert_non_null(c);
	assert_int_equal(cubin_kernel(c, "tile", &words, &n, &e), STATUS_OK);
	assert_int_equal(n, 72);
	cubin_close(c);
	first->sh_size = 1ULL << 60;
	assert_null(cubin_take("many.cubin", f.bytes, f.len, &e));
	assert_non_null(strstr(e.message, "too few for 1152921504606846976 sections"));
	free(f.bytes);
}

/* --- a trace --- */

/* Each instruction gets the bits of its PC, and reads their positions in the word: IMAD R4, R19, c[0x0][0x0], R0 has
 * its operands at A and C, and keeps both. */
static void taken(void **state)
{
	static const char *const want[] = {"B------:R-:W-:-:S01", "B------:R-:W-:-:S04", "B-1----:R-:W-:Y:S04",
					   "B------:R-:W-:-:S05"};
	struct module *m = load(TILE);
	struct cubin *c = open_cubin("tests/trace/tile.cubin");
	const struct kernel *k = &m->kernel[0];
	struct control_bits bits[4];
	struct error e = {0};
	char text[CONTROL_TEXT];

	(void)state;
	assert_null(k->trace->bits);
	assert_int_equal(k->inst[0].place[1], 1);
	assert_int_equal(trace_take_cubins(m, &c, 1, &e), STATUS_OK);
	cubin_close(c);
	assert_string_equal(k->trace->cubin, "tests/trace/tile.cubin");
	control_assign(k, NULL, bits);
	for (u32 i = 0; i < 4; i++)
		assert_string_equal(control_text(&bits[i], text), want[i]);
	assert_int_equal(bits[0].reuse, 5);
	assert_int_equal(k->inst[0].place[0], 0);
	assert_int_equal(k->inst[0].place[1], 2);
	assert_int_equal(k->inst[0].reuse, 3);
	assert_int_equal(k->inst[2].place[2], 2);
	assert_int_equal(k->inst[2].reuse, 0);
	module_free(m);
}

/* A load of constants knows its line: 64 bytes of 256, in the order of the code; not of bank 0, where parameters are,
 * nor where more than eight blocks are before it. Instruction 2 of the kernel, in word 0x320, and others are made LDC,
 * ULDC, ULDC with a register and an addition with a constant. */
static void constants(void **state)
{
	static const struct {
		u32 op, bank, offset, line;
	} row[] = {{0xb82, 3, 0x40, 2},	 {0xab9, 3, 0x3c, 1},  {0xabb, 3, 0x100, 5},   {0xb82, 4, 0xc0, 12},
		   {0xb82, 0, 0x210, 0}, {0xa10, 3, 0x200, 0}, {0xb82, 3, 0xfffc, 16}, {0xb82, 3, 0x80, 3}};
	struct module *m = load(HEAD("tile", "86") CTA(
		9, "0000 ffffffff 1 R1 IMAD 0 0 0 \n0010 ffffffff 1 R1 IMAD 0 0 0 \n0020 ffffffff 1 R1 IMAD 0 0 0 \n"
		   "0030 ffffffff 1 R1 IMAD 0 0 0 \n0040 ffffffff 1 R1 IMAD 0 0 0 \n0050 ffffffff 1 R1 IMAD 0 0 0 \n"
		   "0060 ffffffff 1 R1 IMAD 0 0 0 \n0070 ffffffff 1 R1 IMAD 0 0 0 \n03c0 ffffffff 0 EXIT 0 0 0 \n"));
	struct cubin *c = open_cubin("tests/trace/tile.cubin");
	struct error e = {0};
	const u8 *words;
	u32 n;

	(void)state;
	assert_int_equal(cubin_kernel(c, "tile", &words, &n, &e), STATUS_OK);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		u8 *word = (u8 *)(uintptr_t)words + (size_t)i * CUBIN_WORD;

		put(word, 0, 12, row[i].op);
		put(word, 16, 8, 1);
		put(word, 40, 14, row[i].offset / 4);
		put(word, 54, 5, row[i].bank);
	}
	assert_int_equal(trace_take_cubins(m, &c, 1, &e), STATUS_OK);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		assert_int_equal(m->kernel[0].inst[i].constant, row[i].line);
	cubin_close(c);
	module_free(m);
}

/* The ninth block has no line; those before it keep theirs. */
static void blocks(void **state)
{
	struct constant_blocks b = {0};

	(void)state;
	for (u32 twice = 0; twice < 2; twice++)
		for (u32 i = 0; i < 9; i++)
			for (u32 at = 0; at < 256; at += 4)
				assert_int_equal(constant_line(&b, (u64)(9 - i) << 32 | at),
						 i < 8 ? 1 + i * 4 + at / 64 : 0);
}

/* A cubin of the same program for another architecture is passed over; the first that fits counts. */
static void several(void **state)
{
	struct module *m = load(TILE);
	struct file f = read_file("tests/trace/tile.cubin");
	struct cubin *c[3] = {open_cubin("tests/trace/waves.cubin"), NULL, open_cubin("tests/trace/tile.cubin")};
	struct error e = {0};

	(void)state;
	f.bytes[offsetof(Elf64_Ehdr, e_flags) + 1] = 80;
	c[1] = cubin_take("sm_80.cubin", f.bytes, f.len, &e);
	free(f.bytes);
	assert_int_equal(trace_take_cubins(m, c, 3, &e), STATUS_OK);
	assert_string_equal(m->kernel[0].trace->cubin, "tests/trace/tile.cubin");
	assert_int_equal(trace_take_cubins(m, c, 2, &e), STATUS_USAGE);
	assert_string_equal(e.file, "sm_80.cubin");
	assert_non_null(strstr(e.message, "a cubin of sm_80, but kernel tile was recorded with binary version 86"));
	assert_int_equal(trace_take_cubins(m, c, 1, &e), STATUS_USAGE);
	assert_non_null(strstr(
		e.message,
		"no kernel tile (each kernel of the trace must be in a cubin; this one's kernels: outer, waves)"));
	for (u32 i = 0; i < 3; i++)
		cubin_close(c[i]);
	module_free(m);
}

/* A header without a binary version takes a cubin of any architecture. */
static void unversioned(void **state)
{
	struct module *m = load(HEAD("tile", "0") CTA(4, TILE_LINES));
	struct cubin *c = open_cubin("tests/trace/tile.cubin");
	struct error e = {0};

	(void)state;
	assert_int_equal(trace_take_cubins(m, &c, 1, &e), STATUS_OK);
	cubin_close(c);
	module_free(m);
}

/* --- what is refused --- */

static const struct {
	const char *trace, *says;
} bad_trace[] = {
	{HEAD("tile", "86") CTA(1, "0480 ffffffff 0 EXIT 0 0 0 \n"),
	 "kernel tile has 72 instructions, from 0x0 to 0x470 in steps of 0x10, and the trace has one at PC 0x480"},
	{HEAD("tile", "86") CTA(1, "03c8 ffffffff 0 EXIT 0 0 0 \n"), "the trace has one at PC 0x3c8"},
	{HEAD("tile", "86") CTA(1, "fffffff0 ffffffff 0 EXIT 0 0 0 \n"), "the trace has one at PC 0xfffffff0"},
	{HEAD("tile", "86") CTA(1, "03d0 ffffffff 0 EXIT 0 0 0 \n"),
	 "recorded is '/*03d0*/ EXIT', and that word is no EXIT"},
	{HEAD("tile", "86") CTA(1, "03c0 ffffffff 1 R4 IADD3 1 R4 0 0 \n"), "and that word is an EXIT"},
	{HEAD("tile", "86") CTA(1, "0100 ffffffff 1 R5 IMAD 2 R19 R0 0 0 \n"),
	 "recorded is '/*0100*/ IMAD R5, R19, R0', and that word writes R4"},
	{HEAD("tile", "86") CTA(2, "0100 ffffffff 1 R4 IMAD 2 R19 R0 0 0 \n0100 ffffffff 1 R4 FADD 2 R19 R0 0 0 \n"),
	 "the trace has two instructions at PC 0x100"},
	{HEAD("tiles", "86") CTA(1, "03c0 ffffffff 0 EXIT 0 0 0 \n"),
	 "no kernel tiles (each kernel of the trace must be in a cubin; this one's kernels: tile)"},
	{HEAD("tile", "80") CTA(1, "03c0 ffffffff 0 EXIT 0 0 0 \n"), "a cubin of sm_80 is needed"},
};

static void bad_traces(void **state)
{
	struct cubin *c = open_cubin("tests/trace/tile.cubin");

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(bad_trace); i++) {
		struct module *m = load(bad_trace[i].trace);
		struct error e = {0};

		if (trace_take_cubins(m, &c, 1, &e) != STATUS_USAGE || !strstr(e.message, bad_trace[i].says))
			fail_msg("%u: '%s' (want '%s')", i, e.message, bad_trace[i].says);
		assert_string_equal(e.file, "tests/trace/tile.cubin");
		assert_null(m->kernel[0].trace->bits);
		module_free(m);
	}
	cubin_close(c);
}

/* Bytes of the header, or of the header of section 8, the code of tile, that make it bad. */
#define OF_HEADER(field, v) false, offsetof(Elf64_Ehdr, field), sizeof(((Elf64_Ehdr *)0)->field), v
#define OF_CODE(field, v) true, offsetof(Elf64_Shdr, field), sizeof(((Elf64_Shdr *)0)->field), v
static const struct {
	bool section;
	size_t at, n;
	u64 v;
	const char *says;
} bad_file[] = {
	{OF_HEADER(e_ident, 0x464c457e), "not an ELF file, as cubins are (`nvcc -cubin` makes one"},
	{OF_HEADER(e_ident[EI_CLASS], 1), "of class 1 and byte order 1 (cubins are of 64 bits"},
	{OF_HEADER(e_ident[EI_DATA], 2), "of class 2 and byte order 2"},
	{OF_HEADER(e_machine, EM_X86_64), "an ELF file for machine 62, not for 190, an NVIDIA GPU"},
	{OF_HEADER(e_flags, 0x3d00),
	 "a cubin of sm_61: instructions have control bits of their own from sm_70 (Volta) on"},
	{OF_HEADER(e_shentsize, 40), "entries of 40 bytes in the table of sections (must be 64)"},
	{OF_HEADER(e_shoff, ~0ULL), "too few for the table of sections at 18446744073709551615"},
	{OF_HEADER(e_shoff, ~0ULL - 63), "too few for the table of sections at 18446744073709551552"},
	{OF_HEADER(e_shnum, 0xfffe), "too few for 65534 sections"},
	{OF_HEADER(e_shstrndx, 0xff00), "section 65280 should have the names of sections, and there are"},
	{OF_HEADER(e_shstrndx, 0), "section 0 should have the names of sections"},
	{OF_CODE(sh_offset, ~0ULL), "but the code of tile should be 1152 at 18446744073709551615"},
	{OF_CODE(sh_offset, 1ULL << 63), "but the code of tile should be 1152 at"},
	{OF_CODE(sh_size, ~0ULL), "but the code of tile should be 18446744073709551615 at"},
	{OF_CODE(sh_size, 1), "damaged: 1 bytes of code of tile (must be a multiple of 16)"},
	{OF_CODE(sh_size, 0), "damaged: 0 bytes of code of tile"},
	{OF_CODE(sh_type, SHT_NOBITS), "but the code of tile should be"},
	{OF_CODE(sh_name, 0xffffffff),
	 "no kernel tile (each kernel of the trace must be in a cubin; this one's kernels: none)"},
};

/* Where the header of the section with the code is. */
static u64 code_header(const struct file *f)
{
	Elf64_Ehdr h;
	Elf64_Shdr s, names;

	memcpy(&h, f->bytes, sizeof(h));
	memcpy(&names, f->bytes + h.e_shoff + (u64)h.e_shstrndx * sizeof(names), sizeof(names));
	for (u32 i = 0; i < h.e_shnum; i++) {
		memcpy(&s, f->bytes + h.e_shoff + i * sizeof(s), sizeof(s));
		if (!strcmp(f->bytes + names.sh_offset + s.sh_name, ".text.tile"))
			return h.e_shoff + i * sizeof(s);
	}
	fail_msg("no section .text.tile");
	return 0;
}

/* Give a trace the bits of bytes that may be no cubin: either it gets them, or there is one line that names the file.
 */
static enum status try_bytes(struct module *m, const void *bytes, size_t len, struct error *e)
{
	struct cubin *c = cubin_take("x.cubin", bytes, len, e);
	enum status st = c ? trace_take_cubins(m, &c, 1, e) : e->status;

	cubin_close(c);
	if (st) {
		assert_int_equal(st, STATUS_USAGE);
		assert_string_equal(e->file, "x.cubin");
		assert_true(*e->message && !strchr(e->message, '\n'));
	}
	return st;
}

static void bad_files(void **state)
{
	struct file f = read_file("tests/trace/tile.cubin");
	struct module *m = load(TILE);
	u64 code = code_header(&f);

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(bad_file); i++) {
		char *at = f.bytes + bad_file[i].at + (bad_file[i].section ? code : 0);
		struct error e = {0};
		u64 was = 0;

		memcpy(&was, at, min_u64(bad_file[i].n, 8));
		memcpy(at, &bad_file[i].v, min_u64(bad_file[i].n, 4 + 4 * (bad_file[i].n == 8)));
		if (!try_bytes(m, f.bytes, f.len, &e) || !strstr(e.message, bad_file[i].says))
			fail_msg("%u: '%s' (want '%s')", i, e.message, bad_file[i].says);
		memcpy(at, &was, min_u64(bad_file[i].n, 8));
	}
	free(f.bytes);
	module_free(m);
}

/* Cut short at every byte: nothing that is left has all of the kernel before its last section is there, the table. */
static void truncated(void **state)
{
	struct file f = read_file("tests/trace/tile.cubin");
	struct module *m = load(TILE);
	struct error e = {0};
	Elf64_Ehdr h;

	(void)state;
	memcpy(&h, f.bytes, sizeof(h));
	for (size_t n = 0; n < f.len; n++) {
		char *bytes = xmalloc(n + 1); /* of their own, so that a read behind the end is found */

		memcpy(bytes, f.bytes, n);
		assert_int_equal(!try_bytes(m, bytes, n, &e), n >= h.e_shoff + (u64)h.e_shnum * sizeof(Elf64_Shdr));
		free(bytes);
	}
	assert_int_equal(try_bytes(m, f.bytes, f.len, &e), STATUS_OK);
	free(f.bytes);
	module_free(m);
}

/* Every byte of the header and of the table of sections, at several values: it is read or refused. */
static void mutated(void **state)
{
	static const u8 values[] = {0xff, 0, 0x7f, 0x80, 1};
	struct file f = read_file("tests/trace/tile.cubin");
	struct module *m = load(TILE);
	struct error e = {0};
	u32 refused = 0;
	Elf64_Ehdr h;

	(void)state;
	memcpy(&h, f.bytes, sizeof(h));
	for (u64 i = 0; i < sizeof(h) + (u64)h.e_shnum * sizeof(Elf64_Shdr); i++) {
		u64 at = i < sizeof(h) ? i : h.e_shoff + i - sizeof(h);
		char was = f.bytes[at];

		for (u32 v = 0; v < ARRAY_LEN(values); v++) {
			f.bytes[at] = (char)values[v];
			refused += try_bytes(m, f.bytes, f.len, &e) != STATUS_OK;
		}
		f.bytes[at] = was;
	}
	assert_true(refused > 100);
	assert_int_equal(try_bytes(m, f.bytes, f.len, &e), STATUS_OK);
	free(f.bytes);
	module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),     cmocka_unit_test(known_words), cmocka_unit_test(places),
		cmocka_unit_test(kernels),    cmocka_unit_test(older),	     cmocka_unit_test(many),
		cmocka_unit_test(taken),      cmocka_unit_test(several),     cmocka_unit_test(unversioned),
		cmocka_unit_test(bad_traces), cmocka_unit_test(bad_files),   cmocka_unit_test(truncated),
		cmocka_unit_test(constants),  cmocka_unit_test(blocks),	     cmocka_unit_test(mutated),
	};

	return cmocka_run_group_tests_name("cubin", tests, NULL, NULL);
}
