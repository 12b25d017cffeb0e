/* cited.c - the source lines that an answer names (cited.h). */
#include "cited.h"

#include "lines.h"
#include "session.h"
#include "source.h"
#include "source_text.h"

const char *cited_source(const struct session *s, const struct kernel *k, u32 pc)
{
	struct source_frame at;
	const char *text = source_user(k, pc, &at) ? source_line_text(s, k->module, at.file, at.line) : "";

	return *text ? text : NULL;
}

void cited_instruction(const struct kernel *k, u32 pc, struct text *out)
{
	char place[128];

	text_add(out, "%u: %s", pc, safe_text(kernel_text(k, pc)));
	if (*line_place(k, pc, place, sizeof(place)))
		text_add(out, "  %s", safe_text(place));
}

bool cited_text(const struct session *s, const struct kernel *k, u32 pc, struct text *out)
{
	const char *text = cited_source(s, k, pc);
	char place[128];

	if (!text)
		return false;
	text_add(out, "%s  ", safe_text(line_place(k, pc, place, sizeof(place))));
	text_add_safe(out, text, strlen(text));
	while (out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	return true;
}

void cited_add(struct cited *c, const struct session *s, const struct kernel *k, u32 pc)
{
	const char *text = cited_source(s, k, pc);

	for (u32 i = 0; text && i < c->n; i++)
		if (c->line[i].text == text)
			return;
	if (!text)
		return;
	c->line = xrealloc(c->line, (c->n + 1) * sizeof(*c->line));
	c->line[c->n++] = (struct cited_line){k, pc, text};
}

void cited_print(struct cited *c, struct session *s)
{
	json_t *list = s->json ? json_array() : NULL;

	for (u32 i = 0; i < c->n; i++) {
		struct text line = {0};
		json_t *row = list ? json_object() : NULL;
		char place[128];

		cited_text(s, c->line[i].kernel, c->line[i].pc, &line);
		session_print(s, "%s\n", line.s);
		member_text(row, "line", line_place(c->line[i].kernel, c->line[i].pc, place, sizeof(place)));
		member_text(row, "text", safe_text(c->line[i].text));
		if (row)
			json_array_append_new(list, row);
		text_free(&line);
	}
	if (list)
		json_object_set_new(session_result(s), "lines", list);
	free(c->line);
	*c = (struct cited){0};
}
