/* info_modules.c - info modules: the files loaded and the kernels in them. */
#include "launch_args.h"
#include "info.h"

static const char *const front_name[] = {[FRONT_PTX] = "ptx", [FRONT_SYNTHETIC] = "synthetic", [FRONT_TRACE] = "trace"};

/* A kernel that runs. */
static void info_modules_kernel(struct columns *c, const struct module *m, const struct kernel *k)
{
	struct text sign = {0};

	columns_row(c, m->path ? safe_text(m->path) : "-",
		    k->front < ARRAY_LEN(front_name) ? front_name[k->front] : "-", safe_text(k->name), k->ninst,
		    k->regs, k->preds, k->static_shared, m->nsymbol);
	launch_parameters(&sign, k);
	columns_text(c, sign.s);
	text_free(&sign);
}

/* One that does not: `info module FILE` says why. */
static void info_modules_refused(struct columns *c, const struct module *m, u32 i)
{
	columns_row(c, m->path ? safe_text(m->path) : "-", "refused", safe_text(m->refused[i].name));
	for (u32 k = 0; k < 4; k++)
		columns_int(c, NO_NUMBER);
	columns_row(c, m->nsymbol, "");
}

/* info modules */
static void info_modules_show(struct session *s)
{
	struct columns c;

	columns_open(&c, s, "module kind kernel instructions regs predicates shared_bytes variables parameters");
	for (u32 i = 0; i < s->scene->nmodule; i++) {
		const struct module *m = s->scene->module[i];

		for (u32 j = 0; j < m->nkernel; j++)
			info_modules_kernel(&c, m, &m->kernel[j]);
		for (u32 j = 0; j < m->nrefused; j++)
			info_modules_refused(&c, m, j);
	}
	columns_close(&c, "modules", "no module is loaded");
}

const struct info info_modules = {
	.name = "modules",
	.doc = "loaded modules and the resources of their kernels",
	.show = info_modules_show,
};
