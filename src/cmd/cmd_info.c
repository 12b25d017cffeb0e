/* cmd_info.c - info: tables of what there is, a subject each. */
#include "lang.h"
#include "complete.h"
#include "info.h"
#include "subjects.h"

#include <ctype.h>
#include <errno.h>

#define INFO(id) extern const struct info info_##id;
#include "info.def"
#undef INFO

const struct info *const info_table[INFO_COUNT] = {
#define INFO(id) [INFO_##id] = &info_##id,
#include "info.def"
#undef INFO
};

enum status info_sms_range(const struct session *s, const struct token *token, u32 ntokens, u32 *from, u32 *to,
			   struct error *e)
{
	u32 n = sim_config(&s->sim)->gpu_sms;
	unsigned long sm;
	char *end;

	*from = s->focus.sm;
	*to = *from + 1;
	if (!ntokens)
		return STATUS_OK;
	if (!strcmp(token->s, "all")) {
		*from = 0;
		*to = n;
		return info_alone(token + 1, ntokens - 1, e);
	}
	errno = 0;
	sm = strtoul(token->s, &end, 0);
	if (!isdigit((u8)token->s[0]) || *end || errno || sm >= n)
		return failed_at(e, token->column, "'%s' is not an SM (0 to %u, or `all`)", safe_text(token->s), n - 1);
	*from = (u32)sm;
	*to = *from + 1;
	return info_alone(token + 1, ntokens - 1, e);
}

enum status info_alone(const struct token *token, u32 ntokens, struct error *e)
{
	if (!ntokens)
		return STATUS_OK;
	return usage_at(e, token->column, "unexpected '%s' at the end of the line", safe_text(token->s));
}

const char *info_text(const struct kernel *k, u32 pc)
{
	return pc < k->ninst && k->strings ? safe_text(kernel_text(k, pc)) : "";
}

const char *info_instruction(const struct session *s, u32 launch, u32 pc)
{
	return launch < s->program.nlaunch ? info_text(s->program.launch[launch].kernel, pc) : "";
}

/* The subject of a name or of the beginning of one, NULL with an error. */
static const struct info *cmd_info_find(const struct arg *word, struct error *e)
{
	const struct info *found = NULL;
	const char *names[INFO_COUNT], *near;
	u32 n = 0;

	for (int i = 0; i < INFO_COUNT; i++) {
		names[i] = info_table[i]->name;
		if (!strcmp(names[i], word->text))
			return info_table[i];
		if (strncmp(names[i], word->text, strlen(word->text)))
			continue;
		found = info_table[i];
		n++;
	}
	if (n == 1)
		return found;
	near = nearest_name(word->text, names, INFO_COUNT);
	usage_at(e, word->column,
		 n	? "'%s' is ambiguous (`info` lists the subjects)"
		 : near ? "'%s' is not a subject of `info` (did you mean '%s'?)"
			: "'%s' is not a subject of `info` (`info` lists the subjects)",
		 safe_text(word->text), near);
	return NULL;
}

const char *info_subject(u32 i, const char **usage, const char **doc)
{
	if (i >= INFO_COUNT)
		return NULL;
	*usage = info_table[i]->usage ? info_table[i]->usage : "";
	*doc = info_table[i]->doc;
	return info_table[i]->name;
}

/* What can be asked. */
static void cmd_info_list(struct session *s)
{
	struct columns c;

	columns_open(&c, s, "subject arguments doc");
	for (int i = 0; i < INFO_COUNT; i++) {
		columns_row(&c, info_table[i]->name, info_table[i]->usage ? info_table[i]->usage : "",
			    info_table[i]->doc);
	}
	columns_close(&c, "subjects", "");
}

/* info [SUBJECT [ARGUMENT]...] */
static enum status cmd_info_run(struct session *s, const struct args *a, struct error *e)
{
	const struct info *i;
	enum status st = STATUS_OK;
	u32 words = a->rest < a->ntokens ? a->ntokens - a->rest : 0;

	if (!a->arg[0].present) {
		cmd_info_list(s);
		return STATUS_OK;
	}
	i = cmd_info_find(&a->arg[0], e);
	if (!i)
		return STATUS_USAGE;
	if (i->needs_machine)
		st = session_make(s, e);
	if (!st && !focus_exists(s))
		s->focus = (struct focus){0};
	if (!st && !i->usage)
		st = info_alone(a->token + a->rest, words, e);
	if (st || !i->show)
		return st ? st : i->run(s, a->token + a->rest, words, e);
	i->show(s);
	return STATUS_OK;
}

const struct command command_info = {
	.name = "info",
	.alias = "i",
	.group = "inspect",
	.summary = "show a table: warps, CTAs, kernels, banks, breakpoints, ...",
	.details = "`info` alone lists the subjects.",
	.examples = "info warps\ninfo registers r4 p0\ninfo ctas all\ninfo kernel matmul16\ninfo breakpoints",
	.flags = COMMAND_OPEN | COMMAND_READS,
	.run = cmd_info_run,
	.arg = {{"SUBJECT", ARG_WORD, .doc = "what to show", .complete = complete_info, .optional = true},
		{"ARGUMENT", ARG_REST, .doc = "an SM, `all`, the name of a kernel, registers",
		 .complete = complete_subject, .optional = true}},
};
