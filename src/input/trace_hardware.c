/*
 * trace_hardware.c - the classes that some recorded instructions have on the hardware (trace.hardware).
 *
 * Accel-Sim, and warpstep without that setting, takes constant loads, reads of special registers, conversions and bit
 * counts as integer instructions of 2 cycles. On an H200 a read of a special register takes 23 cycles, a constant load
 * that hits 33, a bit count or conversion the 17 of a special function unit (tests/silicon/measured): there a trace of
 * a short kernel is short of a quarter of its time without these.
 */
#include "ops.h"
#include "trace.h"

static const struct {
	u8 class;
	const char *names;
} hardware_table[] = {
	{CLASS_CONST, "LDC ULDC LDCU"},
	{CLASS_SFU, "F2F F2I I2F FRND POPC FLO BREV UPOPC UFLO UBREV"},
	{CLASS_SHFL, "S2R S2UR R2UR REDUX CREDUX VOTEU"},
};

/* Is the mnemonic, n letters, among words separated by blanks? */
static bool hardware_among(const char *words, const char *mnemonic, size_t n)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		if (length == n && !memcmp(at, mnemonic, n))
			return true;
		at += length;
	}
	return false;
}

/* The class of an instruction by its text, which has the mnemonic behind the PC; `class` if it is as anywhere. */
static u8 hardware_class(const char *text, u8 class)
{
	const char *mnemonic = strstr(text, "*/ ");
	size_t n = mnemonic ? strcspn(mnemonic + 3, ". ") : 0;

	for (u32 i = 0; n && i < ARRAY_LEN(hardware_table); i++)
		if (hardware_among(hardware_table[i].names, mnemonic + 3, n))
			return hardware_table[i].class;
	return class;
}

void trace_hardware_find(struct kernel *k)
{
	struct trace *t = (struct trace *)(uintptr_t)k->trace; /* owned by the kernel */
	u8 *other = xmalloc(k->ninst + 1);
	bool differ = false;

	for (u32 i = 0; i < k->ninst; i++) {
		other[i] = hardware_class(k->strings + k->inst[i].text, k->inst[i].class);
		differ |= other[i] != k->inst[i].class;
	}
	t->other_class = differ ? other : NULL;
	if (!differ)
		free(other);
}

void trace_hardware_take(struct kernel *k, bool on)
{
	struct trace *t = (struct trace *)(uintptr_t)k->trace; /* owned by the kernel */

	if (!t || !t->other_class || t->hardware == on)
		return;
	for (u32 i = 0; i < k->ninst; i++) {
		u8 class = k->inst[i].class;

		k->inst[i].class = t->other_class[i];
		t->other_class[i] = class;
	}
	t->hardware = on;
}
