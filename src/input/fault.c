/* fault.c - what users read when the simulated program does something wrong: who, where, and what lies near. */
#include "front.h"
#include "ops.h"
#include "texture.h"

const char *const fault_name[FAULT_KIND_COUNT] = {
	[FAULT_NONE] = "no fault",
	[FAULT_OUT_OF_BOUNDS] = "access out of bounds",
	[FAULT_MISALIGNED] = "misaligned address",
	[FAULT_NULL] = "access through a null pointer",
	[FAULT_SHARED_BOUNDS] = "shared memory access out of bounds",
	[FAULT_SHARED_MISALIGNED] = "misaligned shared memory address",
	[FAULT_PARAM_BOUNDS] = "parameter access out of bounds",
	[FAULT_DIVERGED_BARRIER] = "barrier reached by only some lanes of the warp",
	[FAULT_READ_ONLY] = "write to read-only memory",
	[FAULT_TRAP] = "trap",
	[FAULT_LOCAL_BOUNDS] = "local memory access out of bounds",
	[FAULT_CONST_BOUNDS] = "constant memory access out of bounds",
	[FAULT_BREAKPOINT] = "breakpoint instruction",
	[FAULT_ASSERT] = "assertion failed",
	[FAULT_BARRIER_NUMBER] = "no such barrier",
	[FAULT_BARRIER_COUNT] = "invalid number of threads for a barrier",
	[FAULT_FREE] = "free of what is not allocated",
	[FAULT_ABSENT] = "member mask names lanes that do not take part",
	[FAULT_TEXTURE] = "no such texture",
	[FAULT_SURFACE] = "no such surface",
	[FAULT_SURFACE_BOUNDS] = "surface access out of bounds",
};

void lanes_text(u32 mask, struct text *out)
{
	const char *comma = "";

	for (u32 i = 0; i < WARP_LANES; i++) {
		u32 last = i;

		if (!(mask >> i & 1))
			continue;
		while (last + 1 < WARP_LANES && mask >> (last + 1) & 1)
			last++;
		text_add(out, last > i ? "%s%u-%u" : "%s%u", comma, i, last);
		comma = ",";
		i = last;
	}
}

/* "lane 3 (thread 3,0,0) of warp 0 in CTA 1 (1,0,0) of kernel NAME": the warp's number within its CTA. */
static void fault_who(struct text *out, const struct launch *l, u32 cta, u32 warp, u8 lane)
{
	u32 t = warp * WARP_LANES + lane, x = cta % l->grid[0];
	u32 y = cta / l->grid[0] % l->grid[1], z = cta / (l->grid[0] * l->grid[1]);

	text_add(out, "lane %u", lane);
	if (warp < l->warps && l->tid[0])
		text_add(out, " (thread %u,%u,%u)", l->tid[0][t], l->tid[1][t], l->tid[2][t]);
	text_add(out, " of warp %u in CTA %u (%u,%u,%u) of kernel %s", warp, cta, x, y, z, safe_text(l->kernel->name));
}

/* " at pc 12, scale.cu:30 (PTX line 45): st.global.f32 [d4], r2". */
static void fault_where(struct text *out, const struct launch *l, const struct inst *in)
{
	const struct module *m = l->kernel->module;

	text_add(out, ", at pc %u", (u32)(in - l->kernel->inst));
	if (in->source_line && m && in->source_file < m->nsource && m->source[in->source_file])
		text_add(out, ", %s:%u", safe_text(m->source[in->source_file]), in->source_line);
	if (in->ptx_line)
		text_add(out, ", PTX line %u", in->ptx_line);
	if (l->kernel->strings)
		text_add(out, ": %s", safe_text(l->kernel->strings + in->text));
}

/* How an address in global memory lies to the nearest buffer. */
static void fault_buffer(struct text *out, const struct program *p, u64 address)
{
	const struct buffer *near = NULL, *in = program_buffer_at(p, address, &near);

	if (!near) {
		text_add(out, "; the program has no buffers");
		return;
	}
	text_add(out, "; ");
	if (in)
		text_add(out, "byte %llu of", address - near->address);
	else if (address < near->address)
		text_add(out, "%llu bytes before", near->address - address);
	else
		text_add(out, "%llu bytes after the end of", address - near->address - near->bytes);
	text_add(out, " buffer %s, %s[%llu] at 0x%llx", safe_text(near->name),
		 near->type < VALUE_TYPE_COUNT ? value_type_name[near->type] : "bytes", near->count, near->address);
}

/* The address and what it should have been. */
static void fault_address(struct text *out, const struct program *p, const struct launch *l, const struct inst *in,
			  u8 fault, u64 address)
{
	u32 bytes = inst_access_bytes(in);

	text_add(out, "; address 0x%llx, %u byte%s", address, bytes, bytes == 1 ? "" : "s");
	switch (fault) {
	case FAULT_NULL:
		text_add(out, "; addresses below 4096 belong to no buffer (is a pointer argument missing?)");
		break;
	case FAULT_MISALIGNED:
	case FAULT_SHARED_MISALIGNED: text_add(out, "; the address must be a multiple of %u", bytes); break;
	case FAULT_SHARED_BOUNDS:
		text_add(out, "; the CTA has %u bytes of shared memory (launch ... shared BYTES adds dynamic ones)",
			 l->shared);
		break;
	case FAULT_PARAM_BOUNDS:
		text_add(out, "; the kernel has %u bytes of parameters", l->kernel->param_bytes);
		break;
	case FAULT_CONST_BOUNDS:
		text_add(out, "; the module has %u bytes of constants",
			 l->kernel->module ? l->kernel->module->nconstants : 0);
		break;
	case FAULT_LOCAL_BOUNDS:
		text_add(out, "; a thread has %u bytes of local memory", l->kernel->local_bytes);
		break;
	case FAULT_OUT_OF_BOUNDS: fault_buffer(out, p, address); break;
	default: break;
	}
}

/* What a handle is, and what it should have been. */
static void fault_object(struct text *out, const struct program *p, const struct inst *in, bool surface, u64 handle)
{
	const struct texture *t = texture_at(p, handle);
	const struct buffer *b = program_buffer_at(p, handle, NULL);

	text_add(out, "; handle 0x%llx is ", handle);
	if (t) {
		text_add(out, "%s: ", safe_text(b->name));
		texture_text(out, t);
	} else if (b) {
		text_add(out, "in buffer %s", safe_text(b->name));
	} else {
		text_add(out, "in no buffer");
	}
	text_add(out, " (`texture` declares a %s", surface ? "surface" : "texture");
	if (in->op != OP_TXQ)
		text_add(out, ", here %s", texture_shape_row[TEX_SHAPE(in->aux)].name);
	text_add(out, ")");
}

/* Faults that have no address: what would be right. */
static void fault_advice(struct text *out, const struct program *p, const struct launch *l, const struct inst *in,
			 u8 fault, u64 value)
{
	switch (fault) {
	case FAULT_DIVERGED_BARRIER:
		text_add(out, "; all threads of the warp that have not exited must reach the barrier together");
		break;
	case FAULT_READ_ONLY: text_add(out, "; parameters and constants are read-only"); break;
	case FAULT_BARRIER_NUMBER:
		text_add(out, "; barrier %llu does not exist: a CTA has barriers 0 to %u", value, MAX_BARRIERS - 1);
		break;
	case FAULT_BARRIER_COUNT:
		text_add(out, "; %llu threads: must be a multiple of %u, from %u to %u in this CTA", value, WARP_LANES,
			 WARP_LANES, l->warps * WARP_LANES);
		break;
	case FAULT_FREE:
		text_add(out, "; address 0x%llx: malloc has not returned it, or it has been freed since", value);
		break;
	case FAULT_ABSENT:
		text_add(
			out,
			"; before .target sm_70 all lanes in the mask must execute the instruction together, but lanes ");
		lanes_text((u32)value, out);
		text_add(out, " do not");
		break;
	case FAULT_TEXTURE:
	case FAULT_SURFACE: fault_object(out, p, in, fault == FAULT_SURFACE, value); break;
	case FAULT_SURFACE_BOUNDS:
		text_add(out, "; first two coordinates %d and %d (the first of a surface without layers counts bytes)",
			 (i32)value, (i32)(value >> 32));
		break;
	default: break;
	}
}

/* Faults that are not about an address in memory. */
static const u32 without_address = 1u << FAULT_DIVERGED_BARRIER | 1u << FAULT_READ_ONLY | 1u << FAULT_TRAP |
				   1u << FAULT_BREAKPOINT | 1u << FAULT_ASSERT | 1u << FAULT_BARRIER_NUMBER |
				   1u << FAULT_BARRIER_COUNT | 1u << FAULT_ABSENT | 1u << FAULT_TEXTURE |
				   1u << FAULT_SURFACE | 1u << FAULT_SURFACE_BOUNDS | 1u << FAULT_FREE;

void fault_describe(struct text *out, const struct program *p, const struct launch *l, u32 cta, u32 warp,
		    const struct inst *in, u8 fault, u8 lane, u64 address)
{
	text_add(out, "%s: ", fault < FAULT_KIND_COUNT ? fault_name[fault] : "fault");
	fault_who(out, l, cta, warp, lane);
	fault_where(out, l, in);
	if (fault < FAULT_KIND_COUNT && without_address >> fault & 1)
		fault_advice(out, p, l, in, fault, address);
	else
		fault_address(out, p, l, in, fault, address);
}
