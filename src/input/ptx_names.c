/*
 * ptx_names.c - memory of the PTX front end, its declared names, its types and the list of refused constructs.
 *
 * Names of the module have scope 0; those of an entry have the number of the block that declares them. Looking a name
 * up walks from the innermost open block outwards. Source: PTX ISA 8.x, sections 4.4 and 5.2.
 */
#include <ctype.h>
#include <stdlib.h>

#include "ptx_internal.h"

#define ARENA_BLOCK 65536u

struct arena_block {
	struct arena_block *next;
	u64 pad;
	u8 data[];
};

/* n zeroed bytes that live until arena_free. */
void *arena_alloc(struct arena *a, size_t n)
{
	void *out;

	n = (n + 15) & ~(size_t)15;
	if (!a->head || a->used + n > a->size) {
		size_t size = n > ARENA_BLOCK ? n : ARENA_BLOCK;
		struct arena_block *b = xcalloc(1, sizeof(*b) + size);

		b->next = a->head;
		a->head = b;
		a->used = 0;
		a->size = size;
	}
	out = a->head->data + a->used;
	a->used += n;
	return out;
}

/* A NUL-terminated copy. */
char *arena_text(struct arena *a, const char *s, size_t n)
{
	char *out = arena_alloc(a, n + 1);

	memcpy(out, s, n);
	return out;
}

/* Free every block; the arena is empty and usable again. */
void arena_free(struct arena *a)
{
	while (a->head) {
		struct arena_block *next = a->head->next;

		free(a->head);
		a->head = next;
	}
	a->used = a->size = 0;
}

/* Room for one more element after n: the array, moved if it was full. */
void *ptx_grow(struct arena *a, void *array, u32 n, u32 *cap, size_t size)
{
	void *bigger;

	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 16;
	bigger = arena_alloc(a, *cap * size);
	if (n)
		memcpy(bigger, array, n * size);
	return bigger;
}

static u32 bucket_of(u32 scope, const char *s, u32 len)
{
	u64 h = scope;

	for (u32 i = 0; i < len; i++)
		h = h * 31 + (u8)s[i];
	return (u32)(mix64(h) % NAME_BUCKETS);
}

/* The name declared in exactly this scope; ranges are found by their prefix only. */
struct ptx_name *ptx_lookup(const struct ptx *p, u32 scope, const char *s, u32 len, bool range)
{
	const struct ptx_names *names = scope ? &p->entry_names : &p->module_names;
	struct ptx_name *n = names->bucket[bucket_of(scope, s, len)];

	while (n && (n->scope != scope || n->len != len || (n->kind == NAME_RANGE) != range || memcmp(n->s, s, len)))
		n = n->next;
	return n;
}

/* A member of a register range of this scope: the range, and which one. */
static struct ptx_name *lookup_member(const struct ptx *p, u32 scope, const char *s, u32 len, u32 *index)
{
	u64 value = 0, unit = 1;

	for (u32 i = len; i-- > 1 && isdigit((u8)s[i]) && unit < 1000000000ull; unit *= 10) {
		struct ptx_name *n;

		value += unit * (u64)(s[i] - '0');
		if (s[i] == '0' && i + 1 < len)
			continue;
		n = ptx_lookup(p, scope, s, i, true);
		if (n && value < n->count) {
			*index = (u32)value;
			return n;
		}
	}
	return NULL;
}

/* The declaration that a use of s means here, innermost block first; *index is the member of a range. */
struct ptx_name *ptx_resolve(const struct ptx *p, const char *s, u32 len, u32 *index)
{
	struct ptx_name *n = NULL;

	*index = 0;
	for (u32 d = p->entry ? p->entry->depth : 0; d-- > 0 && !n;) {
		n = ptx_lookup(p, p->entry->scope[d], s, len, false);
		if (!n)
			n = lookup_member(p, p->entry->scope[d], s, len, index);
	}
	return n ? n : ptx_lookup(p, 0, s, len, false);
}

/* Does a range overlap a name declared one by one in the same scope, or another range? */
static const struct ptx_name *range_clash(const struct ptx *p, const struct ptx_names *names, u32 scope, const char *s,
					  u32 len, u32 count)
{
	u32 index;

	for (u32 b = 0; b < NAME_BUCKETS; b++)
		for (const struct ptx_name *n = names->bucket[b]; n; n = n->next) {
			u64 member = 0;

			if (n->scope != scope || n->kind == NAME_RANGE || n->len <= len || memcmp(n->s, s, len))
				continue;
			for (index = len; index < n->len && isdigit((u8)n->s[index]); index++)
				member = min_u64(member * 10 + (u64)(n->s[index] - '0'), PTX_NONE);
			if (index == n->len && (n->s[len] != '0' || n->len == len + 1) && member < count)
				return n;
		}
	return ptx_lookup(p, scope, s, len, true);
}

/* Declare t in the innermost open block (or the module), or fail because the name is taken. */
struct ptx_name *ptx_declare(struct ptx *p, const struct ptx_token *t, u8 kind, u32 index, u32 count)
{
	u32 scope = p->entry && p->entry->depth ? p->entry->scope[p->entry->depth - 1] : 0;
	struct ptx_names *names = scope ? &p->entry_names : &p->module_names;
	u32 b = bucket_of(scope, t->s, t->len), member;
	const struct ptx_name *old;
	struct ptx_name *n;

	if (kind == NAME_RANGE)
		old = range_clash(p, names, scope, t->s, t->len, count);
	else
		old = ptx_lookup(p, scope, t->s, t->len, false);
	if (!old && kind != NAME_RANGE)
		old = lookup_member(p, scope, t->s, t->len, &member);
	if (old) {
		ptx_fail(p, t->line, t->column, "`%s' is declared twice: the first time is in line %u",
			 ptx_shown(t->s, t->len), old->line);
		return NULL;
	}
	n = arena_alloc(names->arena, sizeof(*n));
	*n = (struct ptx_name){.next = names->bucket[b],
			       .s = t->s,
			       .len = t->len,
			       .scope = scope,
			       .line = t->line,
			       .column = t->column,
			       .kind = kind,
			       .index = index,
			       .count = count};
	names->bucket[b] = n;
	return n;
}

/* The declared name nearest to s among the visible ones of these kinds (a bit set), or NULL. */
const char *ptx_nearest_declared(const struct ptx *p, const char *s, u32 len, u32 kinds)
{
	const struct ptx_names *tables[] = {&p->entry_names, &p->module_names};
	const char *names[256], *best;
	static char buf[80];
	struct arena a = {0};
	u32 n = 0;

	for (u32 t = 0; t < ARRAY_LEN(tables); t++)
		for (u32 b = 0; b < NAME_BUCKETS; b++)
			for (const struct ptx_name *x = tables[t]->bucket[b]; x && n < ARRAY_LEN(names); x = x->next)
				if (kinds >> x->kind & 1 && x->len < sizeof(buf))
					names[n++] = arena_text(&a, x->s, x->len);
	best = len < sizeof(buf) ? nearest_name(arena_text(&a, s, len), names, n) : NULL;
	if (best)
		snprintf(buf, sizeof(buf), "%s", best);
	arena_free(&a);
	return best ? buf : NULL;
}

static const struct ptx_type types[] = {
	{".u8", 8, VALUE_U8, 'u'},	 {".s8", 8, VALUE_S8, 's'},	 {".b8", 8, VALUE_U8, 'b'},
	{".u16", 16, VALUE_U16, 'u'},	 {".s16", 16, VALUE_S16, 's'},	 {".b16", 16, VALUE_U16, 'b'},
	{".u32", 32, VALUE_U32, 'u'},	 {".s32", 32, VALUE_S32, 's'},	 {".b32", 32, VALUE_U32, 'b'},
	{".u64", 64, VALUE_U64, 'u'},	 {".s64", 64, VALUE_S64, 's'},	 {".b64", 64, VALUE_U64, 'b'},
	{".f16", 16, VALUE_U16, 'b'},	 {".f16x2", 32, VALUE_U32, 'b'}, {".bf16", 16, VALUE_U16, 'b'},
	{".bf16x2", 32, VALUE_U32, 'b'}, {".f32", 32, VALUE_F32, 'f'},	 {".f64", 64, VALUE_F64, 'f'},
	{".pred", 1, VALUE_BYTES, 'p'},
};

/* A type by its spelling with the dot, or NULL. */
const struct ptx_type *ptx_type_find(const char *s, u32 len)
{
	for (u32 i = 0; i < ARRAY_LEN(types); i++)
		if (strlen(types[i].name) == len && !memcmp(types[i].name, s, len))
			return &types[i];
	return NULL;
}

/* Why the opcode or directive s is refused, or NULL when it is not on the list. */
const char *ptx_refusal(const char *s, u32 len)
{
	static const struct {
		const char *word, *why;
	} rows[] = {
#define REFUSE(word, why) {word, why},
#include "ptx_refuse.def"
#undef REFUSE
	};
	u32 n = 1;

	while (n < len && s[n] != '.')
		n++;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		if (strlen(rows[i].word) == n && !memcmp(rows[i].word, s, n))
			return rows[i].why;
	return NULL;
}
