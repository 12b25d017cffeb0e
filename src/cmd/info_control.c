/*
 * info_control.c - info control [KERNEL]: the control bits of a kernel's instructions (issue.dependences control), as
 * they are now, in the notation of assemblers, with the numbers by which `set var control[N].stall` knows them.
 */
#include "info.h"
#include "arguments.h"
#include "machine.h"
#include "trace.h"

static void info_control_rows(struct session *s, const struct kernel *k, u32 base)
{
	const struct control *c = (const struct control *)machine_gpu_section(s->sim.m, SECTION_CONTROL) + base;
	struct columns out;

	columns_open(&out, s, "control pc bits reuse due instruction");
	for (u32 pc = 0; pc < k->ninst; pc++) {
		struct control_bits b = control_bits_of(&c[pc]);
		char text[CONTROL_TEXT], reuse[CONTROL_REUSE_TEXT];

		columns_row(&out, base + pc, pc, control_text(&b, text), control_reuse_text(&b, reuse));
		columns_int(&out, c[pc].due ? c[pc].due : NO_NUMBER);
		columns_text(&out, info_text(k, pc));
	}
	columns_close(&out, "instructions", "no instructions");
}

/* Who set them. */
static void info_control_source(struct session *s, const struct kernel *k)
{
	const char *cubin = k->trace ? k->trace->cubin : NULL;

	if (!cubin) {
		session_print(s, "set by warpstep, from the latencies of its settings\n");
		return;
	}
	session_print(s, "set by the compiler of %s\n", safe_text(cubin));
	if (s->json)
		json_object_set_new(session_result(s), "cubin", json_string(safe_text(cubin)));
}

/* info control [KERNEL] */
static enum status info_control_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	const struct launch *l = NULL;
	const struct kernel *k;
	enum status st = ntokens ? info_alone(token + 1, ntokens - 1, e) : STATUS_OK;

	if (st)
		return st;
	if (!s->sim.m->config.issue_dependences)
		return error_set(e, STATUS_FAILED, CONTROL_MISSING);
	if (!ntokens && s->program.nlaunch != 1)
		return error_set(e, STATUS_USAGE, "missing name of a kernel (`info kernels` lists the launches)");
	st = kernel_take(s, ntokens ? token->s : "0", ntokens ? token->column : 0, &k, &l, e);
	if (st)
		return st;
	if (!l)
		return error_set(e, STATUS_FAILED, "kernel %s is not launched", safe_text(k->name));
	info_control_source(s, k);
	info_control_rows(s, k, s->sim.control_base[l - s->program.launch]);
	return STATUS_OK;
}

const struct info info_control = {
	.name = "control",
	.usage = "[KERNEL]",
	.doc = "control bits of a kernel's instructions: dependence counters waited for (B), increased until registers are read (R) and written (W), yield bit, stall counter (S)",
	.needs_machine = true,
	.run = info_control_run,
};
