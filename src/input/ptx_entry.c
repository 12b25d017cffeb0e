/*
 * ptx_entry.c - the end of an entry: shared memory laid out, statements lowered, the struct kernel finished.
 */

#include "cxx_name.h"
#include "ptx_internal.h"

#define STATEMENTS_BETWEEN 1024 /* statements lowered between two questions whether to go on */

/* Copy an arena's array into memory of its own; NULL when empty. */
static void *own(const void *from, size_t n, size_t size)
{
	return n ? memcpy(xmalloc(n * size), from, n * size) : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct kernel *const *)a)->name, (*(struct kernel *const *)b)->name);
}

void ptx_name_overloads(struct module *m)
{
	struct kernel **mangled = xmalloc((m->nkernel + 1) * sizeof(*mangled));
	u32 n = 0, from = 0;

	for (u32 i = 0; i < m->nkernel; i++)
		if (m->kernel[i].symbol)
			mangled[n++] = &m->kernel[i];
	qsort(mangled, n, sizeof(*mangled), by_name);
	for (u32 i = 1; i <= n; i++) {
		if (i < n && !strcmp(mangled[i]->name, mangled[from]->name))
			continue;
		for (u32 k = from; k < i && i - from > 1; k++) {
			free(mangled[k]->name);
			mangled[k]->name = cxx_name(mangled[k]->symbol, true);
		}
		from = i;
	}
	free(mangled);
}

/* A new kernel at the end of the module, with the parameters of the entry. */
static struct kernel *add_kernel(struct ptx *p)
{
	struct module *m = p->module;
	const struct ptx_entry *en = p->entry;
	struct kernel *k;

	m->kernel = array_grow(m->kernel, m->nkernel, sizeof(*m->kernel));
	k = &m->kernel[m->nkernel++];
	*k = (struct kernel){
		.front = FRONT_PTX, .module = m, .minnctapersm = en->minnctapersm, .target = (u16)p->target};
	k->name = cxx_name(en->name, false);
	k->symbol = strcmp(k->name, en->name) ? xstrdup(en->name) : NULL;
	memcpy(k->maxntid, en->maxntid, sizeof(k->maxntid));
	k->param = own(en->param, en->nparam, sizeof(*k->param));
	k->nparam = en->nparam;
	k->param_bytes = en->param_bytes;
	for (u32 i = 0; i < k->nparam; i++)
		k->param[i].name = xstrdup(k->param[i].name);
	return k;
}

/* Does the entry ask where the memory is that CUDA reserves in each CTA? Cooperative groups do, for their barriers. */
static bool names_reserved(const struct ptx_entry *en)
{
	for (u32 i = 0; i < en->nstmt; i++)
		if (en->stmt[i].nops == 2 && ptx_is_reserved(&en->stmt[i].ops[1]))
			return true;
	return false;
}

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* Place the shared variables that the entry uses; .extern ones all start where the others end. */
static bool layout_shared(struct ptx_work *w)
{
	const struct ptx_entry *en = w->entry;
	struct ptx *p = w->p;
	u32 total = 0, align = 1;
	bool dynamic = false;

	if (en->nshared)
		qsort(en->shared, en->nshared, sizeof(u32), by_number);
	for (u32 i = 0; i < en->nshared; i++) {
		struct ptx_var *v = &p->var[en->shared[i]];

		if (v->is_extern) {
			dynamic = true;
			align = max_u32(align, v->align);
			continue;
		}
		v->address = round_up(total, v->align);
		total = (u32)v->address + v->size;
		if (total > PTX_MAX_SHARED)
			return ptx_refuse(p, PTX_AT(v), "the shared variables up to '%s' take %u bytes (at most %u)",
					  ptx_shown_text(v->name), total, PTX_MAX_SHARED);
	}
	if (names_reserved(w->entry)) {
		w->reserved = round_up(total, 16);
		total = w->reserved + RESERVED_SHARED;
		w->has_reserved = true;
	}
	w->k->dynamic = dynamic;
	if (dynamic)
		total = round_up(total, align);
	for (u32 i = 0; i < en->nshared; i++)
		if (p->var[en->shared[i]].is_extern)
			p->var[en->shared[i]].address = total;
	w->k->static_shared = w->k->dynamic_shared_base = total;
	return true;
}

/* Lower every statement; an EXIT is added where control could run off the end. */
static bool lower_all(struct ptx_work *w)
{
	struct ptx_entry *en = w->entry;
	const struct inst *last;
	bool open;

	for (u32 i = 0; i < en->nstmt; i++) {
		w->stmt_inst[i] = w->ncode;
		if (!(i % STATEMENTS_BETWEEN) && !ptx_goes_on(w->p))
			return false;
		if ((!ptx_lower_stmt(w, &en->stmt[i]) || w->p->failed) && !ptx_forgive(w->p))
			return false;
	}
	w->stmt_inst[en->nstmt] = w->ncode;
	last = w->ncode ? &w->code[w->ncode - 1].in : NULL;
	open = !last || last->guard.kind != OPERAND_NONE || (last->op != OP_EXIT && last->op != OP_BRA);
	for (u32 i = 0; i < w->ncode; i++) {
		struct inst *in = &w->code[i].in;

		if (in->op != OP_BRA) /* NOLINT(clang-analyzer-core.*): ncode of them */
			continue;
		in->target = w->stmt_inst[in->target];
		open |= in->target == w->ncode;
	}
	if (open) {
		struct ptx_stmt *st = arena_alloc(w->arena, sizeof(*st));

		*st = (struct ptx_stmt){.op = "exit", .guard = PTX_NONE};
		ptx_emit(w, st, OP_EXIT, ptx_op_class[OP_EXIT]);
	}
	for (u32 i = 0; i < w->ncode; i++)
		if (w->code[i].in.op != OP_BRA)
			w->code[i].in.target = i + 1;
	return true;
}

/* The names of labelled instructions. */
static void copy_labels(struct ptx_work *w)
{
	const struct ptx_entry *en = w->entry;
	struct kernel *k = w->k;

	k->labels = xcalloc(k->ninst, sizeof(*k->labels));
	for (u32 i = 0; i < en->nlabel; i++) {
		u32 at = w->stmt_inst[en->label[i]->index];

		if (at < k->ninst && !k->labels[at])
			k->labels[at] = xstrndup(en->label[i]->s, en->label[i]->len);
	}
}

/* Which instructions stand in functions within functions. */
static void copy_sites(struct ptx_work *w)
{
	struct kernel *k = w->k;

	for (u32 i = 0; i < k->ninst; i++) {
		if (!w->code[i].st->site)
			continue;
		if (!k->site)
			k->site = xcalloc(k->ninst, sizeof(*k->site));
		k->site[i] = w->code[i].st->site;
	}
}

/* Move the instructions, in the order in which they stand, into the kernel. */
static void finish_order(struct ptx_work *w)
{
	struct kernel *k = w->k;

	ptx_timing(w);
	ptx_texts(w);
	k->inst = xmalloc(w->ncode * sizeof(*k->inst));
	for (u32 i = 0; i < w->ncode; i++)
		k->inst[i] = w->code[i].in;
	k->ninst = w->ncode;
	copy_sites(w);
	kernel_reuse(k);
}

/* Move the rest of what was made into it. */
static void finish_kernel(struct ptx_work *w)
{
	struct kernel *k = w->k;

	k->imm = own(w->imm, k->nimm, sizeof(*k->imm));
	k->reloc = own(w->reloc, k->nreloc, sizeof(*k->reloc));
	copy_labels(w);
}

/* The labelled instructions, which nothing is moved past. */
static const u8 *labelled(const struct ptx_work *w)
{
	const struct ptx_entry *en = w->entry;
	u8 *set = arena_alloc(w->arena, w->ncode + 1);

	for (u32 i = 0; i < en->nlabel; i++)
		set[w->stmt_inst[en->label[i]->index]] = 1;
	return set;
}

/* The kernel is there in the order in which it is written; make the other one beside it, of code as it was before
 * registers were given. */
static bool schedule_beside(struct ptx_work *w, struct ptx_code *code)
{
	struct kernel *k = w->k;
	struct kernel_order written = {k->inst, k->regs, k->preds, k->strings, k->site};
	bool changed = false;

	w->code = code;
	if (!ptx_schedule(w, labelled(w), &changed) || (changed && (!ptx_flow(w) || !ptx_live_ranges(w))))
		return false;
	if (changed)
		ptx_allocate(w);
	changed |= ptx_spread_banks(w);
	if (!changed || k->regs > w->limit || k->preds > MAX_PREDS) {
		k->regs = written.regs;
		k->preds = written.preds;
		return true;
	}
	k->site = NULL;
	finish_order(w);
	k->other = xmalloc(sizeof(*k->other));
	*k->other = written;
	k->scheduled = true;
	kernel_schedule(k, false);
	return true;
}

/* The most temporaries that lowering needs: those of a matrix are many. */
static u32 temporaries_of(const struct ptx_entry *en)
{
	u32 n = 0;

	for (u32 i = 0; i < en->nstmt; i++)
		n += strstr(en->stmt[i].op, "mma.") || strstr(en->stmt[i].op, "matrix.") ? 96 : 14;
	return n;
}

/* The entry whose body has been read becomes a kernel of the module. */
bool ptx_lower_entry(struct ptx *p)
{
	struct ptx_work *w = arena_alloc(&p->entry_arena, sizeof(*w));
	struct ptx_entry *en = p->entry;
	struct ptx_code *code;

	w->p = p;
	w->entry = en;
	w->arena = &p->entry_arena;
	w->k = add_kernel(p);
	w->k->local_bytes = round_up(en->local_bytes, 16);
	w->limit = en->maxnreg ? min_u32(max_u32(en->maxnreg, PTX_LEAST_LIMIT), MAX_REGS) : MAX_REGS;
	w->max_vreg = en->nvreg + temporaries_of(en) + 2;
	w->dense = arena_alloc(w->arena, w->max_vreg * sizeof(*w->dense));
	w->stmt_inst = arena_alloc(w->arena, (en->nstmt + 1) * sizeof(*w->stmt_inst));
	if (!layout_shared(w) || !lower_all(w))
		return false;
	if (p->survey && p->survey->verdict[p->survey->nverdict - 1].problems)
		return true;
	ptx_pointers(w);
	ptx_blocks(w);
	ptx_post_dominators(w);
	if (!ptx_reconverge(w) || !ptx_flow(w) || !ptx_live_ranges(w))
		return false;
	ptx_unread_atomics(w);
	ptx_allocate(w);
	if (!ptx_registers_fit(w))
		return false;
	code = arena_alloc(w->arena, w->ncode * sizeof(*code));
	memcpy(code, w->code, w->ncode * sizeof(*code));
	finish_order(w);
	finish_kernel(w);
	return schedule_beside(w, code);
}
