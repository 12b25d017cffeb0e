/* info_modules.c - info modules: the files loaded and the kernels in them. */
#include "command.h"
#include "info.h"

static const char *const front_name[] = {[FRONT_PTX] = "ptx", [FRONT_SYNTHETIC] = "synthetic", [FRONT_TRACE] = "trace"};

/* info modules */
static enum status info_modules_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "module kind kernel instructions regs predicates shared_bytes variables");
	for (u32 i = 0; i < s->program.nmodule; i++) {
		const struct module *m = s->program.module[i];

		for (u32 j = 0; j < m->nkernel; j++) {
			const struct kernel *k = &m->kernel[j];

			columns_text(&c, m->path ? safe_text(m->path) : "-");
			columns_text(&c, k->front < ARRAY_LEN(front_name) ? front_name[k->front] : "-");
			columns_text(&c, safe_text(k->name));
			columns_int(&c, k->ninst);
			columns_int(&c, k->regs);
			columns_int(&c, k->preds);
			columns_int(&c, k->static_shared);
			columns_int(&c, m->nsymbol);
		}
		for (u32 j = 0; j < m->nrefused; j++) {
			columns_text(&c, m->path ? safe_text(m->path) : "-");
			columns_text(&c, "refused");
			columns_text(&c, safe_text(m->refused[j].name));
			for (u32 k = 0; k < 4; k++)
				columns_none(&c);
			columns_int(&c, m->nsymbol);
		}
	}
	columns_close(&c, "modules", "no module is loaded");
	return STATUS_OK;
}

const struct info info_modules = {
	.name = "modules",
	.doc = "modules and their kernels",
	.needs_machine = true,
	.run = info_modules_run,
};
