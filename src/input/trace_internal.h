/*
 * trace_internal.h - between the files that read traces (src/input/trace*.c).
 */
#ifndef WARPSTEP_TRACE_INTERNAL_H
#define WARPSTEP_TRACE_INTERNAL_H

#include "trace.h"

#define TRACE_REGS 255 /* R255 is RZ: no register */

/* trace_read.c: lines of a file, compressed or not. */
struct trace_reader;
struct trace_reader *trace_reader_open(const char *path, struct error *e);
void trace_reader_close(struct trace_reader *r);
/* The next line without its end, NUL-terminated, valid until the next call. NULL: the end, or an error (e->status). */
char *trace_reader_line(struct trace_reader *r, size_t *length, struct error *e);
u32 trace_reader_number(const struct trace_reader *r);
const char *trace_reader_path(const struct trace_reader *r);

/* trace_packed.c: a *.tracez as the text that it holds. */
struct trace_packed;
/* Does a file begin as one? */
bool trace_packed_told(FILE *f);
/* Takes the file over; NULL: it is damaged. */
struct trace_packed *trace_packed_open(FILE *f);
void trace_packed_close(struct trace_packed *p);
/* Up to n bytes of its text; 0 at the end, -1: damaged. */
long trace_packed_read(struct trace_packed *p, char *out, size_t n);

/* trace_image.c: the temporary file. */
struct trace_image *trace_image_new(struct error *e);
void trace_image_release(struct trace_image *m);
struct trace_image *trace_image_keep(struct trace_image *m);
u64 trace_image_end(const struct trace_image *m);
/* What is written aside: it takes no part in the hash, and has the offsets from the end on of all else. */
struct trace_image *trace_image_aside(struct trace_image *m, struct error *e);
/* Append n bytes; leave a hole of n bytes; put 8 bytes into a hole. False: the disk is full. */
bool trace_image_add(struct trace_image *m, const void *bytes, size_t n);
bool trace_image_hole(struct trace_image *m, u64 n);
bool trace_image_put(struct trace_image *m, u64 at, u64 value);
/* n bytes that have been added, at an offset. False: the disk is full or fails. */
bool trace_image_read(struct trace_image *m, u64 at, u8 *out, size_t n);
/* Hash of all that has been added. */
u64 trace_image_hash(struct trace_image *m);
/* Nothing more is added: map it. */
bool trace_image_map(struct trace_image *m);
/* The bytes at an offset. Now and then this gives pages back: to be called once for each thing read. */
const u8 *trace_image_at(struct trace_image *m, u64 at);

/* The bytes of one that is mapped, and the image aside, NULL: there is none. */
const u8 *trace_image_bytes(const struct trace_image *m, u64 *n);
const struct trace_image *trace_image_beside(const struct trace_image *m);
/* An image that is `size` bytes of a file; NULL: it cannot be mapped. And what is aside of it, false: NULL. */
struct trace_image *trace_image_kept(int fd, u64 at, u64 size);
bool trace_image_take_aside(struct trace_image *m, struct trace_image *aside);

/* trace_cache.c. What n files are, so that a change of them shows; 0: nobody knows. */
u64 trace_cache_stamp(const char *const *path, u32 n, u32 how);
/* The module of a trace whose files are those, as it was kept; NULL: it was not. */
struct module *trace_cache_find(const char *trace, u64 stamp);
/* Keep it, if it is worth it and there is a place. */
void trace_cache_keep(const char *trace, u64 stamp, const struct module *m);

/* trace_static.c: what kinds of instruction there are. */
enum trace_kind {
	TRACE_SP,
	TRACE_SFU,
	TRACE_DP,
	TRACE_INT,
	TRACE_MUL,
	TRACE_ALU,
	TRACE_SHFL,
	TRACE_LD,
	TRACE_LDG,
	TRACE_LDL,
	TRACE_LDS,
	TRACE_ST,
	TRACE_STG,
	TRACE_STL,
	TRACE_STS,
	TRACE_ATOM,
	TRACE_ATOMS,
	TRACE_BRANCH,
	TRACE_TEX,
	TRACE_TENSOR,
	TRACE_UNIFORM,
	TRACE_FENCE,
	TRACE_BAR,
	TRACE_EXIT,
	TRACE_COPY,
	TRACE_DEPBAR,
	TRACE_DMMA,
	TRACE_COMMIT,
	TRACE_HALF,
	TRACE_GMMA,
	TRACE_BULK_LD,
	TRACE_BULK_ST,
	TRACE_BULK_PF,
	TRACE_KIND_COUNT
};
/* The words of an instruction that are always the same. */
struct trace_words {
	u32 pc, line;	    /* byte offset in its function; line of the source, 0 none */
	const char *opcode; /* not NUL-terminated */
	u32 opcode_length;
	u32 ndst, nsrc, bytes; /* bytes: of each lane's access, 0 none */
	/* the last one, 0 none: how many groups of copies DEPBAR leaves. From version 6 on the first, then a second:
	 * number and threads of a barrier */
	i64 immediate, second;
	u8 dst, src[5];
	u8 dst_file, src_file[5]; /* enum trace_file */
	bool numbered;		  /* the immediates are those of version 6 */
};
/* trace_words.c: the next dotted modifier of an opcode, n letters; before the first *at is the opcode, *n 0. False: no
 * more. */
bool trace_next_modifier(const struct trace_words *w, const char **at, size_t *n);
/* What register a word names; only vector registers take part in timing. */
enum trace_file { FILE_VECTOR, FILE_UNIFORM, FILE_PREDICATE, FILE_UNIFORM_PREDICATE, FILE_COUNT };
extern const char *const trace_file_prefix[FILE_COUNT]; /* "R", "UR", "P", "UP" */
/* Make an instruction of them; its text goes to strings. Unknown opcode: false. */
bool trace_instruction(const struct trace_words *w, u32 binary, bool unknown_int, struct inst *in,
		       struct text *strings);
/* Does an opcode copy or prefetch in bulk (the tensor memory accelerator)? Its line has other fields than a load's. */
bool trace_is_bulk(const char *opcode, u32 length, u32 binary);
/* Is there a table for a binary version? */
bool trace_binary_known(u32 binary);
/* Kernel flags, load distances and register count that follow from the instructions. */
void trace_finish_kernel(struct kernel *k, u32 registers);

/* trace_hardware.c: note the classes of a kernel's instructions with trace.hardware. */
void trace_hardware_find(struct kernel *k);

/* trace_header.c */
struct trace_header {
	struct trace *trace;
	char *name;
	u32 registers;
	bool lines, begun; /* each record has its source line; the first CTA's #BEGIN_TB ended the header */
};
enum status trace_header_read(struct trace_reader *r, struct trace_header *h, struct error *e);

/* trace_order.c: where the records of a warp begin in the order of paths of warp.first most; 0: as they were recorded.
 */
u64 trace_order_find(const struct trace *t, u32 cta, u32 warp);
/* trace_body.c: the records; fills the kernel. */
enum status trace_body_read(struct trace_reader *r, const struct trace_header *h, bool unknown_int, struct kernel *k,
			    struct error *e);

/* Variable-length numbers of the image: seven bits a byte, the lowest first. */
static inline u8 *trace_put(u8 *p, u64 v)
{
	for (; v >= 128; v >>= 7)
		*p++ = (u8)(v | 128);
	*p++ = (u8)v;
	return p;
}
static inline const u8 *trace_get(const u8 *p, u64 *v)
{
	u64 n = *p & 127;

	for (u32 shift = 7; *p++ & 128; shift += 7)
		n |= (u64)(*p & 127) << shift;
	*v = n;
	return p;
}
static inline u64 trace_zigzag(i64 v)
{
	return (u64)v << 1 ^ (u64)(v >> 63);
}
static inline i64 trace_unzigzag(u64 v)
{
	return (i64)(v >> 1) ^ -(i64)(v & 1);
}

#define RECORD_HEAD 16 /* the longest head of a record is shorter */

/* A record: a byte of flags, the instruction's number (unless it is the last one's + 1), the mask (unless all lanes),
 * then the base address, and a stride or one delta for each further lane. */
enum trace_flag {
	RECORD_STRIDE = 1,
	RECORD_DELTAS = 2, /* one of them, or neither */
	RECORD_FULL = 4,   /* all lanes */
	RECORD_NEXT = 8,   /* number of the last record + 1 */
	RECORD_SHARED = 16,
	RECORD_LOCAL = 32, /* a generic address' window */
	RECORD_END = 0xff, /* there are no more */
};

/* The head of a record of instruction i behind that of `previous`: flags, number, mask. Returns where its addresses
 * come. */
static inline u8 *trace_put_head(u8 *record, u32 i, u32 previous, u32 mask)
{
	u8 *out = record + 1;

	*record = (u8)((i == previous + 1 ? RECORD_NEXT : 0) | (mask == ~0u ? RECORD_FULL : 0));
	if (!(*record & RECORD_NEXT))
		out = trace_put(out, i);
	if (mask != ~0u) {
		memcpy(out, &mask, sizeof(mask));
		out += sizeof(mask);
	}
	return out;
}

/* The head of a record. */
struct trace_head {
	u8 flags;
	u32 number, mask;
};

/* Read a head; `last` is the number of the record before. Returns what follows it. */
static inline __attribute__((always_inline)) const u8 *trace_get_head(const u8 *p, u32 last, struct trace_head *h)
{
	u64 n;

	h->flags = *p++;
	h->number = last + 1;
	h->mask = ~0u;
	if (h->flags == RECORD_END)
		return p;
	if (!(h->flags & RECORD_NEXT)) {
		p = trace_get(p, &n);
		h->number = (u32)n;
	}
	if (!(h->flags & RECORD_FULL)) {
		memcpy(&h->mask, p, sizeof(h->mask));
		p += sizeof(h->mask);
	}
	return p;
}

/* What follows a record's addresses. */
static inline const u8 *trace_skip_addresses(const u8 *p, const struct trace_head *h)
{
	u32 lanes = (u32)__builtin_popcount(h->mask), n = 0;
	u64 ignored;

	if (h->flags & RECORD_STRIDE)
		n = 2;
	else if (h->flags & RECORD_DELTAS)
		n = max_u32(lanes, 1);
	while (n--)
		p = trace_get(p, &ignored);
	return p;
}

#endif
