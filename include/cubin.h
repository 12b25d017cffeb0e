/*
 * cubin.h - a cubin: machine code of kernels as ptxas writes it, of which the control bits are read.
 *
 * An ELF file of 64 bits for machine 190 (CUDA), with a section .text.NAME for each kernel. Since Volta an instruction
 * is a word of 128 bits, and its control bits are in the word itself, from bit 105 on: 4 stall counter, 1 yield
 * (inverted: a warp yields where it is 0), 3 write counter, 3 read counter (7: none), 6 wait mask, 4 reuse. Sources:
 * CuAssembler (CuControlCode) and Mesa's NAK (sm70_encode.rs, set_instr_deps) for the places and the inversion, maxas'
 * wiki, "Control Codes", for what they mean; Huerta et al., MICRO 2025, section 4, say that compilers set stall
 * counters above 11 with the yield bit only, which holds for what ptxas writes if a 0 is taken for a set one. The
 * architecture is in the header's flags: LLVM, BinaryFormat/ELF.h, EF_CUDA_SM (ABI version 7) and EF_CUDA_SM_MASK (8).
 */
#ifndef WARPSTEP_CUBIN_H
#define WARPSTEP_CUBIN_H

#include "control.h"

#define CUBIN_WORD 16	 /* bytes of an instruction, from Volta on */
#define CUBIN_EXIT 0x94d /* bits 0 to 11 of EXIT: NAK, sm70_encode.rs */

struct cubin {
	char *path;
	u8 *bytes; /* of the file */
	u64 len;
	u32 arch;	/* 86: sm_86 */
	u64 sections;	/* their number, the null section among them */
	u64 at;		/* offset of their table */
	u64 names, end; /* where the names of sections begin and end in the file */
};

/* Read a file, at most CUBIN_MOST bytes. NULL: it is no cubin that can be read, and the error says why. */
#define CUBIN_MOST (256u << 20)
struct cubin *cubin_open(const char *path, struct error *e);
/* The same of bytes, which are copied; the path is only for messages. */
struct cubin *cubin_take(const char *path, const void *bytes, u64 len, struct error *e);
void cubin_close(struct cubin *c);

/* The words of a kernel, by its name in the file; *n is how many. NULL with STATUS_OK: the cubin lacks it. */
enum status cubin_kernel(const struct cubin *c, const char *name, const u8 **words, u32 *n, struct error *e);
/* The kernels that it has, for messages: "a, b and 3 more", or "none". */
void cubin_names(const struct cubin *c, struct text *out);

/* n bits of a word from a first one on, n up to 32. */
u32 cubin_field(const u8 *word, u32 first, u32 n);
/* Its control bits. */
struct control_bits cubin_bits(const u8 *word);
/* Where the register of operand position 0 to 2 (A, B, C) is in a word: its first bit, 0: it has no register there. */
u32 cubin_place(const u8 *word, u32 position);

#endif
