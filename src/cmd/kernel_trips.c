/* kernel_trips.c - of info kernel: whether a block may be thrown away and begun again, and the instructions that end
 * that. */
#include "idempotence.h"

#include "command.h"
#include "info.h"

#include <stdlib.h>

/* The instructions that trip, with their reasons. */
static void kernel_trips_rows(struct session *s, const struct launch *l, const struct idempotence *x)
{
	struct columns c;

	columns_open(&c, s, "pc instruction reason");
	for (u32 pc = 0; pc < x->ninst; pc++) {
		struct text why = {0};

		if (x->trip[pc].why == TRIP_NONE)
			continue;
		idempotence_reason(x, &s->program, pc, &why);
		columns_row(&c, pc, info_text(l->kernel, pc), safe_text(why.s));
		text_free(&why);
	}
	columns_close(&c, "trips", "");
}

void kernel_trips(struct session *s, const struct launch *l)
{
	struct idempotence *x = idempotence_make(&s->program, l);

	member_bool(session_result(s), "idempotent", !x->marked);
	if (!x->marked)
		session_print(s, "idempotent: a CTA can be flushed and restarted at any time\n");
	else
		session_print(s, "not idempotent: a CTA can be flushed only until it issues %s%s\n",
			      x->marked == 1 ? "this instruction" : "one of these instructions",
			      x->from ? ", late enough" : "");
	if (x->from)
		session_print(s, "these instructions count from iteration %u of a warp's loop\n", x->from);
	if (x->marked && s->config.chimera_notice)
		session_print(
			s,
			"before each of these stores and atomics, a warp issues a store that notifies the GPU scheduler (chimera.notice)\n");
	if (x->marked || s->json)
		kernel_trips_rows(s, l, x);
	idempotence_free(x);
}
