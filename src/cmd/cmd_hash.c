/* cmd_hash.c - hash: the state of the machine and its memory in 16 digits. */
#include "lang.h"

/* hash */
static enum status cmd_hash_run(struct session *s, const struct args *a UNUSED, struct error *e UNUSED)
{
	char digits[17];

	snprintf(digits, sizeof(digits), "%016llx", sim_hash(&s->sim));
	session_print(s, "%s\n", digits);
	member_text(session_result(s), "hash", digits);
	return STATUS_OK;
}

const struct command command_hash = {
	.name = "hash",
	.alias = "ha",
	.group = "inspect",
	.summary = "print a 64-bit hash of the architectural and timing state",
	.details =
		"Two machines with equal hashes in the same cycle are in the same state: registers, memories, queues.\n"
		"Statistics and events are not hashed, so that versions of the program can be compared. Settings are not hashed\n"
		"either: `stats config.hash` identifies what ran.",
	.examples = "hash",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_hash_run,
};
