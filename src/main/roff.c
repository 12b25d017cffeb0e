/* roff.c - text of the printed parts of the manual, with roff's characters escaped. */
#include "base.h"
#include "roff.h"

void roff(FILE *out, const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (start && (*s == '.' || *s == '\'' || *s == ' '))
			fputs("\\&", out);
		if (*s == '\\')
			fputs("\\e", out);
		else if (*s == '-')
			fputs("\\-", out);
		else if (*s == '`')
			fputs("\\(ga", out);
		else if (*s == '^')
			fputs("\\(ha", out);
		else if (*s == '~')
			fputs("\\(ti", out);
		else if (*s == '\'' && !start)
			fputs("\\(aq", out);
		else
			putc(*s, out);
		start = *s == '\n';
	}
}

void roff_tag(FILE *out, const char *name, const char *rest)
{
	fputs(".TP\n\\fB", out);
	roff(out, name);
	fputs("\\fR", out);
	if (rest && *rest) {
		putc(' ', out);
		roff(out, rest + (*rest == ' '));
	}
	putc('\n', out);
}

void roff_body(FILE *out, const char *doc)
{
	roff(out, doc);
	putc('\n', out);
}

void roff_sentence(FILE *out, const char *doc)
{
	size_t n = strlen(doc);

	roff(out, doc);
	fputs(n && strchr(".?!", doc[n - 1]) ? "\n" : ".\n", out);
}

void roff_item(FILE *out, const char *name, const char *rest, const char *doc)
{
	roff_tag(out, name, rest);
	roff_sentence(out, doc);
}

void roff_example(FILE *out, const char *text)
{
	fputs(".RS\n.PP\n.nf\n", out);
	roff_body(out, text);
	fputs(".fi\n.RE\n", out);
}

/* One line of a list in a command's text, "  NAME   what it is" or "  NAME: what it is"; a deeper one continues the
 * line before. */
static void list_line(FILE *out, const char *line, int length)
{
	struct text part = {0};
	int from = (int)strspn(line, " "), gap;

	text_addn(&part, line + from, (size_t)(length - from));
	for (gap = 0; part.s[gap] && strncmp(part.s + gap, "  ", 2) && strncmp(part.s + gap, ": ", 2); gap++)
		;
	if (from == 2 && part.s[gap]) {
		char *rest = part.s + gap + 1;

		part.s[gap] = '\0';
		roff_tag(out, part.s, NULL);
		roff_body(out, rest + strspn(rest, " "));
	} else {
		roff_body(out, part.s);
	}
	text_free(&part);
}

void roff_details(FILE *out, const char *doc)
{
	bool list = false;

	for (const char *end; *doc; doc = *end ? end + 1 : end) {
		struct text line = {0};

		end = doc + strcspn(doc, "\n");
		if ((*doc == ' ') != list)
			fputs(list ? ".RE\n.IP\n" : ".RS\n", out);
		list = *doc == ' ';
		text_addn(&line, doc, (size_t)(end - doc));
		if (list)
			list_line(out, line.s, (int)line.len);
		else
			roff_body(out, line.s);
		text_free(&line);
	}
	if (list)
		fputs(".RE\n", out);
}
