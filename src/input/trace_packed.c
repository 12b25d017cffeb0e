/*
 * trace_packed.c - a *.tracez of Accel-Sim 2 as the text of a *.traceg.
 *
 * The file, its numbers lowest byte first: the header as text that ends with a zero byte; two u32, bytes of a
 * dictionary and instructions of a part; the dictionary; for each warp two u32, instructions and parts, and for each
 * part a u32, its bytes, and a zstd frame of lines; the index; in the last 8 bytes the offset of the index. The index:
 * a u32, CTAs; for each eleven u32, its id (3), its cluster (3), its place there (3), its rank, warps; for each warp
 * two u32, instructions and parts, a u64, where it is, and a u32 for each part, its instructions. The text is made as
 * it is read, a warp's part after the other.
 */
#include "trace_internal.h"

#include <zstd.h>

#define HEADER_BYTES (1u << 16)
#define PART_BYTES (256u << 20) /* of text: a tracer's parts are some 100 kB */
#define DICTIONARY_BYTES (16u << 20)

struct trace_packed {
	FILE *f;
	u64 size;
	ZSTD_DCtx *decoder;
	ZSTD_DDict *dictionary;
	u64 at;			/* in the index: what comes next */
	u64 part;		/* the next part of the warp */
	u32 ctas, warps, parts; /* that are left */
	u32 warp;		/* number of the next warp */
	bool within;		/* a CTA has begun */
	struct text text;	/* made and not yet read, from `read` on */
	size_t read;
};

bool trace_packed_told(FILE *f)
{
	char head[HEADER_BYTES];
	size_t n = fread(head, 1, sizeof(head), f);

	rewind(f);
	return n && *head == '-' && memchr(head, 0, n);
}

/* n bytes at an offset. */
static bool bytes_at(struct trace_packed *p, u64 at, void *out, u64 n)
{
	return at <= p->size && n <= p->size - at && !fseeko(p->f, (off_t)at, SEEK_SET) && fread(out, 1, n, p->f) == n;
}

/* n numbers of 32 bits at *at, which goes on behind them. */
static bool words_at(struct trace_packed *p, u64 *at, u32 *out, u32 n)
{
	u8 bytes[11 * 4];

	if (!bytes_at(p, *at, bytes, 4ULL * n))
		return false;
	for (u32 i = 0; i < n; i++)
		out[i] = (u32)bytes[4 * i] | (u32)bytes[4 * i + 1] << 8 | (u32)bytes[4 * i + 2] << 16 |
			 (u32)bytes[4 * i + 3] << 24;
	*at += 4ULL * n;
	return true;
}

/* The header's text, the dictionary, and where the index begins. */
static bool read_head(struct trace_packed *p)
{
	u64 at = min_u64(p->size, HEADER_BYTES), end = p->size - 8;
	u32 word[2], place[2];
	char head[HEADER_BYTES];
	void *dictionary;
	bool good;

	if (p->size < 8 || !bytes_at(p, 0, head, at))
		return false;
	at = strnlen(head, at);
	text_addn(&p->text, head, at++);
	text_add(&p->text, "\n#traces\n");
	if (!words_at(p, &at, word, 2) || word[0] > DICTIONARY_BYTES || word[0] > p->size)
		return false;
	dictionary = xmalloc(word[0] + 1);
	good = bytes_at(p, at, dictionary, word[0]);
	if (good && word[0])
		p->dictionary = ZSTD_createDDict(dictionary, word[0]);
	free(dictionary);
	if (!good || !words_at(p, &end, place, 2))
		return false;
	p->at = place[0] | (u64)place[1] << 32;
	return words_at(p, &p->at, &p->ctas, 1);
}

struct trace_packed *trace_packed_open(FILE *f)
{
	struct trace_packed *p = xcalloc(1, sizeof(*p));

	p->f = f;
	p->decoder = ZSTD_createDCtx();
	p->size = fseeko(f, 0, SEEK_END) ? 0 : (u64)ftello(f);
	if (read_head(p))
		return p;
	trace_packed_close(p);
	return NULL;
}

void trace_packed_close(struct trace_packed *p)
{
	fclose(p->f);
	ZSTD_freeDCtx(p->decoder);
	ZSTD_freeDDict(p->dictionary);
	text_free(&p->text);
	free(p);
}

/* The next CTA begins. */
static bool begin_cta(struct trace_packed *p)
{
	u32 word[11];

	if (!words_at(p, &p->at, word, 11))
		return false;
	text_add(&p->text, "#BEGIN_TB\nthread block = %u,%u,%u\n", word[0], word[1], word[2]);
	p->ctas--;
	p->within = true;
	p->warps = word[10];
	p->warp = 0;
	return true;
}

/* The next warp begins: what the index and the warp itself say of it. */
static bool begin_warp(struct trace_packed *p)
{
	u32 word[4], own[2];

	if (!words_at(p, &p->at, word, 4))
		return false;
	p->part = word[2] | (u64)word[3] << 32;
	p->at += 4ULL * word[1];
	if (!words_at(p, &p->part, own, 2) || own[0] != word[0] || own[1] != word[1])
		return false;
	text_add(&p->text, "warp = %u\ninsts = %u\n", p->warp++, word[0]);
	p->warps--;
	p->parts = word[1];
	return true;
}

/* The lines of the next part. */
static bool expand_part(struct trace_packed *p)
{
	u32 bytes;
	u8 *packed;
	unsigned long long size = ZSTD_CONTENTSIZE_ERROR;
	char *lines = NULL;
	size_t n = 0;

	if (!words_at(p, &p->part, &bytes, 1) || bytes > p->size)
		return false;
	packed = xmalloc(bytes + 1);
	if (bytes_at(p, p->part, packed, bytes))
		size = ZSTD_getFrameContentSize(packed, bytes);
	if (size <= PART_BYTES) {
		lines = xmalloc(size + 1);
		n = ZSTD_decompress_usingDDict(p->decoder, lines, size, packed, bytes, p->dictionary);
		if (!ZSTD_isError(n))
			text_addn(&p->text, lines, n);
	}
	if (size <= PART_BYTES && n && !ZSTD_isError(n) && lines[n - 1] != '\n')
		text_add(&p->text, "\n");
	free(lines);
	free(packed);
	p->part += bytes;
	p->parts--;
	return size <= PART_BYTES && !ZSTD_isError(n);
}

/* More text; false: damaged. */
static bool go_on(struct trace_packed *p)
{
	if (p->parts)
		return expand_part(p);
	if (p->warps)
		return begin_warp(p);
	if (p->within) {
		text_add(&p->text, "#END_TB\n");
		p->within = false;
		return true;
	}
	return begin_cta(p);
}

long trace_packed_read(struct trace_packed *p, char *out, size_t n)
{
	while (p->read == p->text.len) {
		if (!p->parts && !p->warps && !p->within && !p->ctas)
			return 0;
		p->read = 0;
		text_clear(&p->text);
		if (!go_on(p))
			return -1;
	}
	n = min_u64(n, p->text.len - p->read);
	memcpy(out, p->text.s + p->read, n);
	p->read += n;
	return (long)n;
}
