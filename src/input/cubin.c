/*
 * cubin.c - the machine words of kernels in a cubin (cubin.h).
 *
 * Nothing in the file is believed: every offset and size is compared with the bytes that there are before it is used.
 */
#include "cubin.h"

#include <elf.h>

#define MACHINE_CUDA 190 /* e_machine: EM_CUDA */
#define FLAGS_ABI 8	 /* from this ABI version on the architecture is in bits 8 to 15 of e_flags, before in 0 to 7 */
#define FIRST_ARCH 70	 /* Volta */
#define SHOWN_NAMES 4

static const char text_prefix[] = ".text.";

/* The cubin is not as it should be. */
#define bad(c, e, ...) error_at(e, STATUS_USAGE, (c)->path, 0, 0, __VA_ARGS__)

/* --- the file --- */

/* Are there n bytes at an offset? */
static bool has_bytes(const struct cubin *c, u64 at, u64 n)
{
	return at <= c->len && n <= c->len - at;
}

static Elf64_Shdr section_of(const struct cubin *c, u64 i)
{
	Elf64_Shdr s;

	memcpy(&s, c->bytes + c->at + i * sizeof(s), sizeof(s));
	return s;
}

/* Does the file begin as a cubin? */
static enum status check_identity(const struct cubin *c, const Elf64_Ehdr *h, struct error *e)
{
	static const char made[] = "`nvcc -cubin` makes one, `cuobjdump -xelf all` takes those of a program out";

	if (c->len < SELFMAG || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return bad(c, e, "not an ELF file, as cubins are (%s)", made);
	if (c->len < sizeof(*h))
		return bad(c, e, "cut short: %llu bytes, and the header of an ELF file alone has %zu", c->len,
			   sizeof(*h));
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return bad(c, e,
			   "an ELF file of class %u and byte order %u (cubins are of 64 bits, the lowest byte first)",
			   h->e_ident[EI_CLASS], h->e_ident[EI_DATA]);
	if (h->e_machine != MACHINE_CUDA)
		return bad(c, e, "an ELF file for machine %u, not for %u, an NVIDIA GPU (%s)", h->e_machine,
			   MACHINE_CUDA, made);
	return STATUS_OK;
}

/* The table of sections and their names. Of many sections the header of the first says how many, and where the names
 * are. */
static enum status find_sections(struct cubin *c, const Elf64_Ehdr *h, struct error *e)
{
	Elf64_Shdr first = {0}, names;
	u64 index;

	c->at = h->e_shoff;
	if (h->e_shentsize != sizeof(first))
		return bad(c, e, "entries of %u bytes in the table of sections (must be %zu)", h->e_shentsize,
			   sizeof(first));
	if (!has_bytes(c, c->at, sizeof(first)))
		return bad(c, e, "cut short, or damaged: %llu bytes, too few for the table of sections at %llu", c->len,
			   c->at);
	first = section_of(c, 0);
	c->sections = h->e_shnum ? h->e_shnum : first.sh_size;
	index = h->e_shstrndx == SHN_XINDEX ? first.sh_link : h->e_shstrndx;
	if (c->sections > (c->len - c->at) / sizeof(first))
		return bad(c, e, "cut short, or damaged: %llu bytes, too few for %llu sections at %llu", c->len,
			   c->sections, c->at);
	if (index >= c->sections)
		return bad(c, e, "damaged: section %llu should have the names of sections, and there are %llu", index,
			   c->sections);
	names = section_of(c, index);
	if (names.sh_type != SHT_STRTAB || !has_bytes(c, names.sh_offset, names.sh_size))
		return bad(c, e, "cut short, or damaged: section %llu should have the names of sections", index);
	c->names = names.sh_offset;
	c->end = names.sh_offset + names.sh_size;
	return STATUS_OK;
}

static enum status find_arch(struct cubin *c, const Elf64_Ehdr *h, struct error *e)
{
	c->arch = (h->e_ident[EI_ABIVERSION] >= FLAGS_ABI ? h->e_flags >> 8 : h->e_flags) & 0xff;
	if (c->arch < FIRST_ARCH)
		return bad(c, e, "a cubin of sm_%u: instructions have control bits of their own from sm_%u (Volta) on",
			   c->arch, FIRST_ARCH);
	return STATUS_OK;
}

struct cubin *cubin_take(const char *path, const void *bytes, u64 len, struct error *e)
{
	struct cubin *c = xcalloc(1, sizeof(*c));
	Elf64_Ehdr h = {.e_ident = {0}};

	c->path = xstrdup(path);
	c->bytes = xmalloc(len + 1);
	c->len = len;
	memcpy(c->bytes, bytes, len);
	memcpy(&h, c->bytes, min_u64(len, sizeof(h)));
	if (!check_identity(c, &h, e) && !find_sections(c, &h, e) && !find_arch(c, &h, e))
		return c;
	cubin_close(c);
	return NULL;
}

struct cubin *cubin_open(const char *path, struct error *e)
{
	struct cubin *c;
	char *bytes;
	size_t len;

	if (file_read(path, CUBIN_MOST, &bytes, &len, e))
		return NULL;
	c = cubin_take(path, bytes, len, e);
	free(bytes);
	return c;
}

void cubin_close(struct cubin *c)
{
	if (!c)
		return;
	free(c->path);
	free(c->bytes);
	free(c);
}

/* --- its kernels --- */

/* The name of the kernel whose code a section is, NULL: it is none's. */
static const char *kernel_of(const struct cubin *c, const Elf64_Shdr *s)
{
	u64 at = c->names + s->sh_name, prefix = sizeof(text_prefix) - 1;
	const char *name = (const char *)c->bytes + at;

	if (s->sh_name >= c->end - c->names || !memchr(name, 0, c->end - at) || strncmp(name, text_prefix, prefix))
		return NULL;
	return name + prefix;
}

enum status cubin_kernel(const struct cubin *c, const char *name, const u8 **words, u32 *n, struct error *e)
{
	*words = NULL;
	for (u64 i = 0; i < c->sections; i++) {
		Elf64_Shdr s = section_of(c, i);
		const char *kernel = kernel_of(c, &s);

		if (!kernel || strcmp(kernel, name))
			continue;
		if (s.sh_type == SHT_NOBITS || !has_bytes(c, s.sh_offset, s.sh_size))
			return bad(c, e, "cut short, or damaged: %llu bytes, but the code of %s should be %llu at %llu",
				   c->len, safe_text(name), (u64)s.sh_size, (u64)s.sh_offset);
		if (!s.sh_size || s.sh_size % CUBIN_WORD)
			return bad(c, e, "damaged: %llu bytes of code of %s (must be a multiple of %u)", (u64)s.sh_size,
				   safe_text(name), CUBIN_WORD);
		*words = c->bytes + s.sh_offset;
		*n = (u32)(s.sh_size / CUBIN_WORD);
		return STATUS_OK;
	}
	return STATUS_OK;
}

void cubin_names(const struct cubin *c, struct text *out)
{
	u32 n = 0;

	for (u64 i = 0; i < c->sections; i++) {
		Elf64_Shdr s = section_of(c, i);
		const char *kernel = kernel_of(c, &s);

		if (kernel && n++ < SHOWN_NAMES)
			text_add(out, "%s%.80s", n > 1 ? ", " : "", safe_text(kernel));
	}
	if (!n)
		text_add(out, "none");
	else if (n > SHOWN_NAMES)
		text_add(out, " and %u more", n - SHOWN_NAMES);
}

/* --- its words --- */

u32 cubin_field(const u8 *word, u32 first, u32 n)
{
	u64 bits = 0;

	for (u32 i = 0; i < 5 && first / 8 + i < CUBIN_WORD; i++)
		bits |= (u64)word[first / 8 + i] << 8 * i;
	return (u32)(bits >> first % 8 & ((1ULL << n) - 1));
}

/* A counter that there is, or none. */
static u8 counter_of(u32 field)
{
	return (u8)(field < CONTROL_COUNTERS ? field : CONTROL_NONE);
}

struct control_bits cubin_bits(const u8 *word)
{
	return (struct control_bits){.stall = (u8)cubin_field(word, 105, 4),
				     .yield = !cubin_field(word, 109, 1),
				     .write = counter_of(cubin_field(word, 110, 3)),
				     .read = counter_of(cubin_field(word, 113, 3)),
				     .wait = (u8)cubin_field(word, 116, 6),
				     .reuse = (u8)cubin_field(word, 122, REUSE_PLACES)};
}

/* Bits 9 to 11 say what operands B and C are: registers (form 1); C a constant or an immediate, with B in the place of
 * a third register (2, 3, 7); the same of B (4, 5, 6). Source: NAK, sm70_encode.rs, encode_alu. */
u32 cubin_place(const u8 *word, u32 position)
{
	static const u8 first[8][REUSE_PLACES] = {
		[1] = {24, 32, 64}, [2] = {24, 64, 0}, [3] = {24, 64, 0}, [7] = {24, 64, 0},
		[4] = {24, 0, 64},  [5] = {24, 0, 64}, [6] = {24, 0, 64}};

	return position < REUSE_PLACES ? first[cubin_field(word, 9, 3)][position] : 0;
}
