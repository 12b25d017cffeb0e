/* cmd_print.c - print: the value of an expression, or the elements of a buffer. */
#include "complete.h"
#include "lang.h"
#include "settings.h"

#define PRINT_ELEMENTS 64
#define PRINT_PER_LINE 8
#define PRINT_RANGE 1024

/* Take /x from the verb or from before the expression; 0 natural. */
static enum status cmd_print_take_format(const struct args *a, const char **text, u32 *column, char *format,
					 struct error *e)
{
	const char *slash = strchr(a->token[0].s, '/');
	u32 at = a->token[0].column;

	*format = 0;
	if (!slash && **text == '/') {
		at = *column;
		slash = *text;
		*text += strcspn(*text, " \t");
		*text += strspn(*text, " \t");
		*column += (u32)(*text - slash);
	}
	if (!slash)
		return STATUS_OK;
	*format = slash[1];
	if (!*format || !strchr("xduotfc", *format) || (slash[2] && slash[2] != ' ' && slash[2] != '\t'))
		return usage_at(e, at, "print: unknown format (one letter of x d u o t f c; example: `print/x pc`)");
	return STATUS_OK;
}

/* The buffer that a text is the name of, NULL if it is not. */
static const struct buffer *cmd_print_buffer_named(const struct session *s, const char *text)
{
	size_t n = strlen(text);

	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	for (u32 i = 0; i < s->program.nbuffer; i++)
		if (strlen(s->program.buffer[i].name) == n && !strncmp(s->program.buffer[i].name, text, n))
			return &s->program.buffer[i];
	return NULL;
}

/* The first elements of a buffer, several to a line. */
static enum status cmd_print_print_buffer(struct session *s, const struct buffer *b, char format, struct error *e)
{
	u64 n = min_u64(b->count, PRINT_ELEMENTS);
	struct text line = {0};
	json_t *list = s->json ? json_array() : NULL;
	enum status st = STATUS_OK;

	for (u64 i = 0; i < n && !st; i++) {
		struct value v = {0};

		st = buffer_element(s, b, (i64)i, &v, e);
		if (i % PRINT_PER_LINE == 0)
			text_add(&line, "%s%s[%llu]:", i ? "\n" : "", safe_text(b->name), i);
		text_add(&line, " ");
		value_format(v, format, &line);
		json_array_append_new(list, value_json(v));
	}
	if (b->count > n)
		text_add(&line, "\n... %llu elements in all", b->count);
	session_print(s, "%s\n", line.s);
	text_free(&line);
	json_object_set_new(session_result(s), "elements", list);
	return st;
}

/* The values of NAME[from], NAME[from + 1], ...: what a range is about. */
struct range {
	const char *text; /* of the expression; up to `end` it is NAME */
	size_t end;
	u32 column;
	i64 from;
	u32 n;
};

/* A whole number that a part of the expression says. */
static enum status cmd_print_bound(struct session *s, const struct range *r, const char *from, const char *to, i64 *out,
				   struct error *e)
{
	char *text = xstrndup(from, (size_t)(to - from));
	struct value v = {0};
	enum status st = expr_value(s, text, &v, e);

	if (!st && v.kind != VALUE_INT)
		st = usage_at(e, 1, "print: the bound of a range must be a whole number");
	if (st && e->column)
		e->column += (u32)(from - r->text) + r->column - 1;
	*out = v.i;
	free(text);
	return st;
}

/* So many elements from r->from on, or those up to `last`; false: there are none, or too many. */
static bool cmd_print_count(struct range *r, bool counted, i64 last)
{
	u64 n = counted ? (u64)last : (u64)last - (u64)r->from + 1;

	if (last < (counted ? 1 : r->from) || !n || n > PRINT_RANGE || r->from > INT64_MAX - PRINT_RANGE)
		return false;
	r->n = (u32)n;
	return true;
}

/* NAME[A..B] or NAME[A]@N at the end of the text: *is says whether it is one of these. */
static enum status cmd_print_take_range(struct session *s, const char *text, u32 column, struct range *r, bool *is,
					struct error *e)
{
	const char *close = strrchr(text, ']'), *open = close, *dots, *count;
	u32 depth = 0;
	i64 last = 0;
	enum status st;

	*is = false;
	*r = (struct range){.text = text, .column = column};
	if (!close)
		return STATUS_OK;
	for (; open > text; open--) {
		depth += *open == ']';
		if (*open == '[' && !--depth)
			break;
	}
	dots = strstr(open, "..");
	count = close + 1 + strspn(close + 1, " \t");
	*is = open > text && ((dots && dots < close && !*count) || *count == '@');
	if (!*is)
		return STATUS_OK;
	r->end = (size_t)(open - text);
	st = cmd_print_bound(s, r, open + 1, *count == '@' ? close : dots, &r->from, e);
	if (!st)
		st = *count == '@' ? cmd_print_bound(s, r, count + 1, count + strlen(count), &last, e)
				   : cmd_print_bound(s, r, dots + 2, close, &last, e);
	if (!st && !cmd_print_count(r, *count == '@', last))
		st = usage_at(e, column + (u32)r->end,
			      "print: a range has 1 to %u elements ([A..B], B included, or [A]@N)", PRINT_RANGE);
	return st;
}

/* One element of a range. */
static enum status cmd_print_element(struct session *s, const struct range *r, i64 i, struct value *v, struct error *e)
{
	struct text one = {0};
	enum status st;

	text_add(&one, "%.*s[%lld]", (int)r->end, r->text, i);
	st = expr_value(s, one.s, v, e);
	if (st && e->column)
		e->column += r->column - 1;
	text_free(&one);
	return st;
}

/* The elements of a range, several to a line. */
static enum status cmd_print_range(struct session *s, const struct range *r, char format, struct error *e)
{
	json_t *list = s->json ? json_array() : NULL;
	struct text line = {0};
	enum status st = STATUS_OK;

	for (u32 i = 0; i < r->n && !st; i++) {
		struct value v;

		st = cmd_print_element(s, r, r->from + i, &v, e);
		if (st)
			break;
		if (i % PRINT_PER_LINE == 0)
			text_add(&line, "%s%.*s[%lld]:", i ? "\n" : "", (int)r->end, r->text, (r->from + i));
		text_add(&line, " ");
		value_format(v, format, &line);
		json_array_append_new(list, value_json(v));
	}
	if (!st)
		session_print(s, "%s\n", line.s);
	text_free(&line);
	if (list && !st)
		json_object_set_new(session_result(s), "elements", list);
	else
		json_decref(list);
	return st;
}

/* One value, with the word for it if there is one. */
static void cmd_print_print_value(struct session *s, const struct expr *x, struct value v, char format)
{
	struct text out = {0};
	char room[32];
	const char *word = format ? NULL : expr_word(x, v, room);
	json_t *result = session_result(s);

	value_format(v, format, &out);
	if (word)
		session_print(s, "%s (%s)\n", word, out.s);
	else
		session_print(s, "%s\n", out.s);
	json_object_set_new(result, "value", value_json(v));
	member_text(result, "text", word ? word : out.s);
	text_free(&out);
}

/* print[/FMT] EXPR */
static enum status cmd_print_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text;
	u32 column = a->arg[0].column;
	const struct buffer *b;
	struct range range;
	bool is_range;
	struct expr *x;
	struct value v;
	char format;
	enum status st = cmd_print_take_format(a, &text, &column, &format, e);

	if (st)
		return st;
	b = cmd_print_buffer_named(s, text);
	if (b)
		return cmd_print_print_buffer(s, b, format, e);
	st = cmd_print_take_range(s, text, column, &range, &is_range, e);
	if (st || is_range)
		return st ? st : cmd_print_range(s, &range, format, e);
	st = expr_compile(s, text, &x, e);
	checks_wanted(s);
	if (!st) {
		st = expr_eval(s, x, NULL, &v, e);
		if (!st)
			cmd_print_print_value(s, x, v, format);
		expr_free(x);
	}
	if (st && e->column)
		e->column += column - 1;
	return st;
}

const struct command command_print = {
	.name = "print",
	.alias = "p",
	.group = "inspect",
	.summary = "print the value of an expression, or the elements of a buffer",
	.details =
		"Expressions have C's operators over numbers, statistics (ipc), settings (sm.banks), fields (sm[0].warp[5].pc,\n"
		"warp[5].state in the focused SM) and elements of buffers (c[3]). They also have registers, predicates, shared\n"
		"and local memory of a warp (warp[5].reg[4][0], or reg[4][0] of the focused warp; shared.f32[3],\n"
		"local.u32[LANE][3]). Global memory can be read by address (global.f32[a + 4]; the name of a buffer is its\n"
		"address). The variables are $cycle $sm $sub $warp $cta $pc $kernel $bpnum $_hits. NAME[A..B] and NAME[A]@N are\n"
		"several elements. A format letter may follow the command: x hexadecimal, d and u decimal, o octal, t binary, f\n"
		"floating point (the 32 bits of a register), c character. Elements of u64 buffers are unsigned and, as in C, so\n"
		"are expressions that contain them.",
	.examples =
		"print ipc\nprint/x warp[5].mask\nprint/f warp[5].reg[4][0]\nprint c[0] + c[1]\nprint c[0..15]\nprint shared.f32[0]@8\nprint c",
	.flags = COMMAND_OPEN,
	.run = cmd_print_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "expression, or name of a buffer", .complete = complete_buffer}},
};
