/*
 * ptx_names.c - memory of the PTX front end, its declared names, its types and the list of refused constructs.
 *
 * Names of the module have scope 0; those of an entry have the number of the block that declares them. Looking a name
 * up walks from the innermost open block outwards. Source: PTX ISA 8.x, sections 4.4 and 5.2.
 */
#include <ctype.h>

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

#define LEAST_BUCKETS 4096u
#define SCOPE_PLACES PTX_NONE /* no block: names are told apart by where they stand */

static u32 hash_of(u32 scope, const char *s, u32 len)
{
	u64 h = scope;

	for (u32 i = 0; i < len; i++)
		h = h * 31 + (u8)s[i];
	return (u32)mix64(h);
}

/* Twice as many buckets, or the first. */
static void widen(struct ptx_names *names)
{
	u32 nbucket = names->nbucket ? names->nbucket * 2 : LEAST_BUCKETS;
	struct ptx_name **bucket = arena_alloc(names->arena, nbucket * sizeof(*bucket));

	for (u32 b = 0; b < names->nbucket; b++)
		for (struct ptx_name *n = names->bucket[b], *next; n; n = next) {
			next = n->next;
			n->next = bucket[n->hash & (nbucket - 1)];
			bucket[n->hash & (nbucket - 1)] = n;
		}
	names->bucket = bucket;
	names->nbucket = nbucket;
}

/* Put a copy of a name whose hash is known into a table. */
static struct ptx_name *insert(struct ptx_names *names, const struct ptx_name *from)
{
	struct ptx_name *n = arena_alloc(names->arena, sizeof(*n));

	if (names->n++ >= names->nbucket)
		widen(names);
	*n = *from;
	n->next = names->bucket[n->hash & (names->nbucket - 1)];
	names->bucket[n->hash & (names->nbucket - 1)] = n;
	return n;
}

/* Put a copy of a name into a table. */
struct ptx_name *ptx_names_add(struct ptx_names *names, const struct ptx_name *n)
{
	struct ptx_name hashed = *n;

	hashed.hash = hash_of(n->scope, n->s, n->len);
	return insert(names, &hashed);
}

/* The name declared in exactly this scope; ranges are found by their prefix only. */
struct ptx_name *ptx_names_find(const struct ptx_names *names, u32 scope, const char *s, u32 len, bool range)
{
	u32 hash = hash_of(scope, s, len);
	struct ptx_name *n = names->nbucket ? names->bucket[hash & (names->nbucket - 1)] : NULL;

	while (n && (n->hash != hash || n->scope != scope || n->len != len || (n->kind == NAME_RANGE) != range ||
		     memcmp(n->s, s, len)))
		n = n->next;
	return n;
}

/* The table is empty again. */
void ptx_names_clear(struct ptx_names *names)
{
	names->bucket = NULL;
	names->nbucket = names->n = 0;
}

static u32 hash_place(const char *place)
{
	return (u32)mix64((u64)(uintptr_t)place);
}

u32 ptx_place_find(const struct ptx *p, const char *place)
{
	const struct ptx_names *names = &p->entry_names;
	u32 hash = hash_place(place);
	const struct ptx_name *n = names->nbucket ? names->bucket[hash & (names->nbucket - 1)] : NULL;

	while (n && (n->scope != SCOPE_PLACES || n->s != place))
		n = n->next;
	return n ? n->index : PTX_NONE;
}

void ptx_place_add(struct ptx *p, const char *place, u32 index)
{
	struct ptx_name n = {
		.s = place, .hash = hash_place(place), .scope = SCOPE_PLACES, .kind = NAME_VAR, .index = index};

	insert(&p->entry_names, &n);
}

/* The same in the table of the scope. */
struct ptx_name *ptx_lookup(const struct ptx *p, u32 scope, const char *s, u32 len, bool range)
{
	return ptx_names_find(scope ? &p->entry_names : &p->module_names, scope, s, len, range);
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

/* Is a name a member of the range s<count>: its prefix, and a number without leading zeros below count? */
static bool is_member(const struct ptx_name *n, const char *s, u32 len, u32 count)
{
	u32 at = len;
	u64 member = 0;

	if (n->kind == NAME_RANGE || n->len <= len || memcmp(n->s, s, len))
		return false;
	for (; at < n->len && isdigit((u8)n->s[at]); at++)
		member = min_u64(member * 10 + (u64)(n->s[at] - '0'), PTX_NONE);
	return at == n->len && (n->s[len] != '0' || n->len == len + 1) && member < count;
}

/* A name among all of a table that is a member of a range. */
static const struct ptx_name *search_members(const struct ptx_names *names, u32 scope, const char *s, u32 len,
					     u32 count)
{
	for (u32 b = 0; b < names->nbucket; b++)
		for (const struct ptx_name *n = names->bucket[b]; n; n = n->next)
			if (n->scope == scope && is_member(n, s, len, count))
				return n;
	return NULL;
}

/* The same, each member looked up: for ranges that are smaller than the table. */
static const struct ptx_name *look_up_members(const struct ptx_names *names, u32 scope, const char *s, u32 len,
					      u32 count)
{
	char name[PTX_MAX_TOKEN + 16];

	memcpy(name, s, len);
	for (u32 i = 0; i < count; i++) {
		u32 n = len + (u32)snprintf(name + len, sizeof(name) - len, "%u", i);
		const struct ptx_name *found = ptx_names_find(names, scope, name, n, false);

		if (found)
			return found;
	}
	return NULL;
}

/* Does a range overlap a name declared one by one in the same scope, or another range? */
static const struct ptx_name *range_clash(const struct ptx_names *names, u32 scope, const char *s, u32 len, u32 count)
{
	const struct ptx_name *n = (u64)count * 16 < names->nbucket + names->n
					   ? look_up_members(names, scope, s, len, count)
					   : search_members(names, scope, s, len, count);

	return n ? n : ptx_names_find(names, scope, s, len, true);
}

/* Declare t in the innermost open block (or the module), or fail because the name is taken. */
struct ptx_name *ptx_declare(struct ptx *p, const struct ptx_token *t, u8 kind, u32 index, u32 count)
{
	u32 scope = p->entry && p->entry->depth ? p->entry->scope[p->entry->depth - 1] : 0;
	struct ptx_names *names = scope ? &p->entry_names : &p->module_names;
	const struct ptx_name *old;
	u32 member;

	if (kind == NAME_RANGE)
		old = range_clash(names, scope, t->s, t->len, count);
	else
		old = ptx_lookup(p, scope, t->s, t->len, false);
	if (!old && kind != NAME_RANGE)
		old = lookup_member(p, scope, t->s, t->len, &member);
	if (old) {
		ptx_fail(p, PTX_AT(t), "'%s' is declared twice: the first declaration is in line %u",
			 ptx_shown(t->s, t->len), old->line);
		return NULL;
	}
	return ptx_names_add(names, &(struct ptx_name){.s = t->s,
						       .len = t->len,
						       .scope = scope,
						       .line = t->line,
						       .column = t->column,
						       .kind = kind,
						       .index = index,
						       .count = count});
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
		for (u32 b = 0; b < tables[t]->nbucket; b++)
			for (const struct ptx_name *x = tables[t]->bucket[b]; x && n < ARRAY_LEN(names); x = x->next)
				if (x->len && kinds >> x->kind & 1 && x->len < sizeof(buf))
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
const struct ptx_type *ptx_type_here(const struct ptx *p)
{
	return ptx_is(p, TOKEN_WORD) ? ptx_type_find(p->token.s, p->token.len) : NULL;
}

const struct ptx_type *ptx_type_find(const char *s, u32 len)
{
	for (u32 i = 0; i < ARRAY_LEN(types); i++)
		if (strlen(types[i].name) == len && !memcmp(types[i].name, s, len))
			return &types[i];
	return NULL;
}

/* Is a word of len bytes among those of s behind its first one? */
static bool has_word(const char *s, u32 n, const char *word, u32 len)
{
	for (u32 at = 0, end; at < n; at = end) {
		for (end = at + 1; end < n && s[end] != '.';)
			end++;
		if (at && end - at - 1 == len && !memcmp(s + at + 1, word, len))
			return true;
	}
	return false;
}

/* Does the opcode or directive have all the words of a row of the list? */
static bool has_words(const char *s, u32 n, const char *row)
{
	u32 root = 1, len = (u32)strcspn(row + 1, ".") + 1;

	while (root < n && s[root] != '.')
		root++;
	if (len != root || memcmp(s, row, len))
		return false;
	for (row += len; *row; row += len + 1) {
		len = (u32)strcspn(row + 1, ".");
		if (!has_word(s, n, row + 1, len))
			return false;
	}
	return true;
}

/* Why the opcode or directive s is refused, or NULL when it is not on the list. */
const char *ptx_refusal(const char *s, u32 len)
{
	static const struct {
		const char *words, *why;
	} rows[] = {
#define REFUSE(words, why) {words, why},
#include "ptx_refuse.def"
#undef REFUSE
	};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].words[0] == s[0] && has_words(s, len, rows[i].words))
			return rows[i].why;
	return NULL;
}
