/* cmd_dprintf.c - dprintf: a breakpoint that prints and goes on. */
#include "lang.h"
#include "complete.h"
#include "arguments.h"

/* The quoted string at *text as what it stands for; *text is moved behind it. NULL: it has no end. xmalloc'ed. */
static char *cmd_dprintf_take_string(const char **text)
{
	char *out = xmalloc(strlen(*text) + 1), *to = out;
	const char *p = *text + 1;

	for (; *p && *p != '"'; p++) {
		bool escaped = *p == '\\' && p[1];

		p += escaped;
		*to++ = !escaped ? *p : *p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
	}
	*to = '\0';
	*text = p + (*p == '"');
	if (*p)
		return out;
	free(out);
	return NULL;
}

/* Where WHAT ends: at the comma before the format, which is put into *quote. */
static size_t cmd_dprintf_find_format(const char *text, const char **quote)
{
	size_t n;

	*quote = strchr(text, '"');
	n = *quote ? (size_t)(*quote - text) : 0;
	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	return n && text[n - 1] == ',' ? n - 1 : 0;
}

/* Say what has been made. */
static void cmd_dprintf_announce(struct session *s, const struct breakpoint *b)
{
	struct text what = {0};
	json_t *result = session_result(s);

	breakpoint_text(b, &what);
	session_print(s, "dprintf %u: %s%s\n", b->number, what.s,
		      !s->live && b->kind->resolve ? " (resolved when the machine first runs)" : "");
	member_int(result, "number", b->number);
	member_text(result, "what", what.s);
	text_free(&what);
}

/* dprintf WHAT [if CONDITION], "FORMAT", EXPR... */
static enum status cmd_dprintf_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text, *rest;
	u32 column = a->arg[0].column;
	size_t n = cmd_dprintf_find_format(text, &rest);
	char *what, *format;
	struct breakpoint *b;
	enum status st;

	format = n ? cmd_dprintf_take_string(&rest) : NULL;
	if (!format)
		return usage_at(
			e, column,
			"dprintf: missing format in double quotes (usage: `dprintf WHAT, \"FORMAT\", EXPR, ...`)");
	rest += strspn(rest, " \t");
	if (*rest && *rest != ',') {
		free(format);
		return usage_at(e, column + (u32)(rest - text),
				"dprintf: missing comma between the format and the first value");
	}
	rest += *rest == ',';
	what = xstrndup(text, n);
	break_ready(s);
	st = breaks_add(s, NULL, what, column, false, &b, e);
	if (!st) {
		st = breakpoint_print(s, b, format, rest, column + (u32)(rest - text), e);
		if (st)
			breaks_drop(s, b);
		else
			cmd_dprintf_announce(s, b);
	}
	free(what);
	free(format);
	return st;
}

const struct command command_dprintf = {
	.name = "dprintf",
	.alias = "dp",
	.group = "stops",
	.summary = "print a message at an event or a location, without stopping",
	.details =
		"WHAT is as for `break`, `if CONDITION` included. The format is that of printf: %d %u %x %o %c %f %e %g, %s (a\n"
		"value, as its word if it has one) and %%, with width and precision; \\n and \\t. The expressions can use the\n"
		"names of the event: sm, sub, warp, cta, kernel, pc and the event's own two numbers. The message is printed\n"
		"once for each event while the machine runs forwards. Reverse execution and `goto` print nothing. `enable`,\n"
		"`disable`, `ignore`, `condition` and `delete` treat it as a breakpoint.",
	.examples = "dprintf conflict, \"cycle %d: bank %d, warp %d\", $cycle, bank, warp\n"
		    "dprintf stall long for 200, \"warp %d waits\", $warp\ndprintf cycle 100, \"IPC %.2f\", ipc",
	.run = cmd_dprintf_run,
	.arg = {{"WHAT, \"FORMAT\", EXPR, ...", ARG_EXPR, .doc = "where to print, the message, its values",
		 .complete = complete_stop}},
};
