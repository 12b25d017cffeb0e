/* info_modules.c - info modules: the files loaded and the kernels in them. */
#include "launch_args.h"
#include "info.h"

#include <string.h>

static const char *const front_name[] = {[FRONT_PTX] = "ptx", [FRONT_SYNTHETIC] = "synthetic", [FRONT_TRACE] = "trace"};

/* A kernel that runs. */
static void info_modules_kernel(struct columns *c, const struct module *m, const struct kernel *k)
{
	struct text sign = {0};

	columns_text(c, m->path ? safe_text(m->path) : "-");
	columns_text(c, k->front < ARRAY_LEN(front_name) ? front_name[k->front] : "-");
	columns_text(c, safe_text(k->name));
	columns_int(c, k->ninst);
	columns_int(c, k->regs);
	columns_int(c, k->preds);
	columns_int(c, k->static_shared);
	columns_int(c, m->nsymbol);
	launch_signature(&sign, k);
	columns_text(c, strchr(sign.s, '('));
	text_free(&sign);
}

/* One that does not: `info module FILE` says why. */
static void info_modules_refused(struct columns *c, const struct module *m, u32 i)
{
	columns_text(c, m->path ? safe_text(m->path) : "-");
	columns_text(c, "refused");
	columns_text(c, safe_text(m->refused[i].name));
	for (u32 k = 0; k < 4; k++)
		columns_none(c);
	columns_int(c, m->nsymbol);
	columns_text(c, "");
}

/* info modules */
static enum status info_modules_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct columns c;
	enum status st = info_alone(token, ntokens, e);

	if (st)
		return st;
	columns_open(&c, s, "module kind kernel instructions regs predicates shared_bytes variables parameters");
	for (u32 i = 0; i < s->scene->nmodule; i++) {
		const struct module *m = s->scene->module[i];

		for (u32 j = 0; j < m->nkernel; j++)
			info_modules_kernel(&c, m, &m->kernel[j]);
		for (u32 j = 0; j < m->nrefused; j++)
			info_modules_refused(&c, m, j);
	}
	columns_close(&c, "modules", "no module is loaded");
	return STATUS_OK;
}

const struct info info_modules = {
	.name = "modules",
	.doc = "loaded modules and the resources of their kernels",
	.run = info_modules_run,
};
