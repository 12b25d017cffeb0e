/* info_module.c - info module FILE: which kernels of a PTX file run here, and what stands in the way of the others. */
#include "cxx_name.h"
#include "info.h"

#include "ptx.h"
#include "paths.h"

/* One line for what is in the way. */
static void info_module_row(struct columns *c, const char *kernel, const struct ptx_problem *p)
{
	columns_row(c, kernel, "no", p->line, p->column, p->count, safe_text(p->message));
}

/* A kernel: one line if it runs, else one for each problem. */
static void info_module_kernel_rows(struct columns *c, const struct ptx_survey *v, u32 k)
{
	const struct ptx_verdict *verdict = &v->verdict[k];
	char *called = cxx_name(verdict->kernel, false), *name = xstrdup(safe_text(called));

	if (!verdict->problems) {
		columns_row(c, name, "yes", verdict->line, NO_NUMBER, NO_NUMBER, "");
	}
	for (u32 i = 0; i < v->nproblem; i++)
		if (v->problem[i].kernel == k)
			info_module_row(c, name, &v->problem[i]);
	free(called);
	free(name);
}

/* The survey as a table and a sum. */
static void info_module_show(struct session *s, const char *path, const struct ptx_survey *v)
{
	struct columns c;
	u32 good = 0;

	for (u32 k = 0; k < v->nverdict; k++)
		good += !v->verdict[k].problems;
	session_print(s, "%s: %u of %u kernels can be run\n", safe_text(path), good, v->nverdict);
	columns_open(&c, s, "kernel runs line column times problem");
	for (u32 i = 0; i < v->nproblem; i++)
		if (v->problem[i].kernel == NONE32)
			info_module_row(&c, "-", &v->problem[i]);
	for (u32 k = 0; k < v->nverdict; k++)
		info_module_kernel_rows(&c, v, k);
	columns_close(&c, "kernels", "the file has no kernels");
}

/* info module FILE */
static enum status info_module_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	struct ptx_survey v;
	enum status st;
	char *path;

	if (!ntokens)
		return error_set(e, STATUS_USAGE,
				 "missing name of a PTX file (`info modules` lists the loaded modules)");
	st = info_alone(token + 1, ntokens - 1, e);
	path = st ? NULL : path_resolve(s, token, false, e);
	if (!path)
		return STATUS_USAGE;
	st = ptx_survey(path, &v, e);
	if (!st)
		info_module_show(s, path, &v);
	else if (!e->line)
		e->column = token->column;
	if (!st)
		ptx_survey_free(&v);
	free(path);
	return st;
}

const struct info info_module = {
	.name = "module",
	.usage = "FILE",
	.doc = "kernels of a PTX file: which can be run, and what prevents the others",
	.run = info_module_run,
};
