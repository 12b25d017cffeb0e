/* policies.c - the choice of schemes by slot that is in force. */
#include "settings.h"

void policy_now(const struct session *s, struct policy_choice *p)
{
	if (s->live)
		sim_get_policy(&s->sim, p);
	else
		*p = s->policy;
}
