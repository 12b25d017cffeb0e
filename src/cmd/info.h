/* info.h - one subject of `info`: a row of info.def and a file. */
#ifndef WARPSTEP_INFO_H
#define WARPSTEP_INFO_H

#include "command.h"
#include "breaks.h"
#include "columns.h"

struct info {
	const char *name, *usage, *doc;
	bool needs_machine;
	void (*show)(struct session *s); /* nothing may follow the subject; NULL: run() */
	/* token: the words after the subject; none without usage. */
	enum status (*run)(struct session *s, const struct token *token, u32 ntokens, struct error *e);
};

enum info_id {
#define INFO(id) INFO_##id,
#include "info.def"
#undef INFO
	INFO_COUNT
};
extern const struct info *const info_table[INFO_COUNT];

/* The SMs that [SM|all] means: the focused one without a word. */
enum status info_sms_range(const struct session *s, const struct token *token, u32 ntokens, u32 *from, u32 *to,
			   struct error *e);
/* info_streams.c: what `info streams` prints. */
void info_streams_show(struct session *s);
/* Nothing may follow the subject. */
enum status info_alone(const struct token *token, u32 ntokens, struct error *e);
/* Instruction pc of a kernel, of launch i, as text, safe; "" if there is none. */
const char *info_text(const struct kernel *k, u32 pc);
const char *info_instruction(const struct session *s, u32 launch, u32 pc);

#endif
