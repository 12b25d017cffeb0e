/* man_ptx.c - the part of the manual on PTX: what becomes of each instruction of the ISA. */
#include "ptx.h"
#include "roff.h"

/* One instruction: since when there is one, and whether it runs. */
static void print_row(FILE *out, const struct ptx_isa_row *row)
{
	char *why = ptx_isa_reason(row);

	roff_tag(out, row->name, NULL);
	fprintf(out, "PTX %s; ", row->since);
	if (*why) {
		fputs("not supported: ", out);
		roff_sentence(out, why);
	} else {
		roff_sentence(out, "runs");
	}
	free(why);
}

void man_ptx(FILE *out)
{
	for (u32 i = 0; i < ptx_isa_rows; i++) {
		const struct ptx_isa_row *row = &ptx_isa_table[i];

		if (row->since) {
			print_row(out, row);
			continue;
		}
		fputs(".PD\n.SS ", out);
		roff_body(out, row->name);
		fputs(".PD 0\n", out); /* rows of a section close up */
	}
	fputs(".PD\n", out);
}
