/* outputs.c - what the program has printed, gathered from its SMs and put in order (outputs.h). */
#include "outputs.h"
#include "events.h"
#include "lines.h"
#include "machine.h"

static const char *const problem_text[] = {
	[PRINT_FINE] = NULL,
	[PRINT_FORMAT] = "invalid conversion in the format, printed unchanged",
	[PRINT_MEMORY] = "the format, a string or the arguments are not readable",
	[PRINT_MANY] = "more than 32 arguments; further conversions are printed unchanged",
	[PRINT_LONG] = "text truncated: longer than the buffer",
};

u64 outputs_count(const struct sim *s, u64 *lost)
{
	u64 n = 0;

	if (lost)
		*lost = 0;
	for (u32 i = 0; s->shadow & SHADOW_OUTPUT && i < s->m->config.gpu_sms; i++) {
		struct output_count c = output_count(s, i);

		n += c.records;
		if (lost)
			*lost += c.lost;
	}
	return n;
}

/* By cycle, SM, warp, lane. */
static int compare(const void *a, const void *b)
{
	const struct output_record *x = *(const struct output_record *const *)a;
	const struct output_record *y = *(const struct output_record *const *)b;

	return ORDER_BY({x->cycle, y->cycle}, {x->sm, y->sm}, {x->warp, y->warp}, {x->lane, y->lane});
}

const struct output_record **outputs_sorted(const struct sim *s, u32 *n)
{
	u32 most = (u32)outputs_count(s, NULL);
	const struct output_record **out = xmalloc((most + 1) * sizeof(struct output_record *));

	*n = 0;
	for (u32 sm = 0; *n < most && sm < s->m->config.gpu_sms; sm++) {
		u32 chunk = 0, at = 0;
		const struct output_record *r;

		while (*n < most && (r = output_next(s, sm, &chunk, &at)))
			out[(*n)++] = r;
	}
	qsort(out, *n, sizeof(struct output_record *), compare);
	return out;
}

void output_thread(const struct program *p, const struct output_record *r, struct text *out)
{
	const struct launch *l = &p->launch[r->launch];

	if (l->block[1] * l->block[2] == 1)
		text_add(out, "%u", r->thread);
	else
		text_add(out, "%u,%u,%u", l->tid[0][r->thread], l->tid[1][r->thread], l->tid[2][r->thread]);
}

void output_lines(const struct output_record *r, const char *before, struct text *out)
{
	const char *text = output_text(r), *end = text + r->length;

	if (end > text && end[-1] == '\n')
		end--;
	do {
		const char *line = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((line ? line : end) - text);

		text_add(out, "%s", before);
		text_add_safe(out, text, n);
		text_add(out, "\n");
		text += n + 1;
	} while (text <= end && text[-1] == '\n' && text - 1 < end);
	if (problem_text[r->problem])
		text_add(out, "%s(%s)\n", before, problem_text[r->problem]);
}

json_t *output_json(const struct program *p, const struct output_record *r)
{
	const struct kernel *k = p->launch[r->launch].kernel;
	struct text thread = {0}, text = {0};
	char line[128];
	json_t *x;

	output_thread(p, r, &thread);
	text_addn(&text, "", 0);
	for (u32 i = 0; i < r->length; i++) { /* JSON wants UTF-8: line ends and tabs stay, the rest is safe */
		const char *c = output_text(r) + i;
		u32 n = 1;

		while (i + n < r->length && c[n] != '\n' && c[n] != '\t')
			n++;
		if (*c == '\n' || *c == '\t')
			text_addn(&text, c, n = 1);
		else
			text_add_safe(&text, c, n);
		i += n - 1;
	}
	x = json_pack("{s:I,s:i,s:i,s:i,s:i,s:s,s:s,s:s,s:s,s:i,s:b}", "cycle", (json_int_t)r->cycle, "sm", (int)r->sm,
		      "warp", (int)r->warp, "lane", (int)r->lane, "cta", (int)r->cta, "thread", thread.s, "kernel",
		      safe_text(k->name), "line", line_place(k, r->pc, line, sizeof(line)), "text", text.s, "value",
		      (int)r->value, "failed", (int)r->failed);
	if (!r->cycle) { /* of a run without timing */
		json_object_set_new(x, "cycle", json_null());
		json_object_set_new(x, "sm", json_null());
	}
	if (problem_text[r->problem])
		json_object_set_new(x, "problem", json_string(problem_text[r->problem]));
	text_free(&thread);
	text_free(&text);
	return x;
}

void output_assertion(const struct sim *s, struct text *out)
{
	const struct gpu *g = machine_gpu(s->m);
	const struct output_record **list;
	u32 n;

	if (g->fault != FAULT_ASSERT || !(s->shadow & SHADOW_OUTPUT))
		return;
	list = outputs_sorted(s, &n);
	for (u32 i = n; i-- > 0;)
		if (list[i]->failed && list[i]->sm == g->fault_sm && list[i]->lane == g->fault_lane &&
		    list[i]->cta == g->fault_cta) {
			output_lines(list[i], "", out);
			out->s[--out->len] = '\0';
			break;
		}
	free(list);
}
