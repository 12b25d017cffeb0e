/* outputs.h - what the program has printed (output.h), in order, for those who show it. */
#ifndef WARPSTEP_OUTPUTS_H
#define WARPSTEP_OUTPUTS_H

#include "output.h"
#include "shadow.h"
#include "session_data.h"

/* How many calls have printed up to here; *lost (may be NULL): those whose text found no room. */
u64 outputs_count(const struct sim *s, u64 *lost);
/* They, by cycle, then SM, warp and lane; *n of them; free() the array. They hold until the machine moves. */
const struct output_record **outputs_sorted(const struct sim *s, u32 *n);
/* "3", or "3,0,1" in a block of several dimensions. */
void output_thread(const struct program *p, const struct output_record *r, struct text *out);
/* The text without the end of its last line, safe, with a line for each of its lines that begins with `before`; then
 * what was wrong with the call. */
void output_lines(const struct output_record *r, const char *before, struct text *out);
/* The same as JSON: who, when, where, the text as it is. */
json_t *output_json(const struct program *p, const struct output_record *r);
/* What the assertion said that stopped the program, "" if none did. */
void output_assertion(const struct sim *s, struct text *out);

/* What a run without timing prints: its records have no cycle and no SM, and the warp is that of the CTA. */
struct outputs_untimed {
	struct functional_ear ear;
	struct untimed_call {
		struct output_record *record; /* with its text behind it */
		u32 iteration, number;	      /* of the host loop; in the order in which they came */
	} * call;
	u32 n;
	u64 bytes, lost; /* kept; calls that found no room */
};
void outputs_untimed_open(struct outputs_untimed *o);
/* Put the calls in order of launch, CTA and warp. */
void outputs_untimed_sort(struct outputs_untimed *o);
void outputs_untimed_close(struct outputs_untimed *o);

#endif
