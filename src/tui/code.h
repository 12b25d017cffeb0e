/* code.h - the code pane's registers (code_registers.c). */
#ifndef WARPSTEP_CODE_H
#define WARPSTEP_CODE_H

#include "sheet.h"

/* The operands of the focused warp's next instruction in a lane, as a line of the note. */
void code_operands(struct sheet *s, const struct pane_view *v, const struct inst *in);
/* The registers that live at instruction pc of its kernel, as a table. */
void code_registers(struct sheet *s, const struct pane_view *v, const struct kernel *k, u32 pc);

#endif
