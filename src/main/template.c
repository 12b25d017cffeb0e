/* template.c - a skeleton scenario for the kernels of a PTX file, types as far as the code tells them; one of a lesson.
 */
#include "main.h"

#include "compile.h"
#include "paths.h"
#include "ptx.h"
#include "texture.h"
#include "words.h"

#define GUESS 1024 /* elements of a buffer */

/* The type of a buffer's elements. */
static const char *element_name(u8 type)
{
	return value_type_name[type == VALUE_BYTES ? VALUE_F32 : type];
}

/* The buffer of a pointer: a parameter, or a field of one. */
static void print_buffer(const struct kernel_field *f, const char *name, u8 element, u32 number, FILE *out)
{
	fprintf(out, "buffer k%u_p%u", number, f->param);
	if (f->offset)
		fprintf(out, "_%u", f->offset);
	fprintf(out, " %s[%d]    # %s: ", element_name(element), GUESS, safe_text(name));
	fputs(element == VALUE_BYTES ? "the type and the size are guesses\n" : "the size is a guess\n", out);
}

/* The texture or surface of a handle, over a buffer of its own. */
static void print_object(const struct kernel_param *p, u32 i, u32 number, FILE *out)
{
	static const char *const size[TEXTURE_SHAPES] = {"4096", "64,64", "16,16,16", "16", "256,16", "16,16,16"};

	fprintf(out, "buffer k%u_p%u_texels f32[4096]\n", number, i);
	fprintf(out, "texture k%u_p%u k%u_p%u_texels %s %s f32%s    # %s: size, format and options are guesses\n",
		number, i, number, i, texture_shape_row[p->shape].name, size[p->shape],
		p->object == PARAM_SURFACE ? " surface" : "", safe_text(p->name));
}

/* The buffers that a kernel's parameters want, those in structs too. */
static void print_buffers(const struct kernel *k, u32 number, FILE *out)
{
	for (u32 i = 0; i < k->nparam; i++) {
		const struct kernel_param *p = &k->param[i];

		if (p->object)
			print_object(p, i, number, out);
		else if (p->pointer && p->type != VALUE_BYTES)
			print_buffer(&(struct kernel_field){.param = i}, p->name, p->element, number, out);
		for (u32 j = 0; j < k->nfield; j++)
			if (p->type == VALUE_BYTES && k->field[j].param == i && k->field[j].pointer)
				print_buffer(&k->field[j], p->name, k->field[j].element, number, out);
	}
}

/* Zeros from byte `from` to byte `to` of a struct, in aligned pieces. */
static void print_gap(u32 from, u32 to, const char **comma, FILE *out)
{
	static const u8 pieces[] = {VALUE_U64, VALUE_U32, VALUE_U16, VALUE_U8};

	while (from < to) {
		u32 i = 0;

		while (from % value_type_size[pieces[i]] || from + value_type_size[pieces[i]] > to)
			i++;
		fprintf(out, "%s%s:0", *comma, value_type_name[pieces[i]]);
		*comma = ",";
		from += value_type_size[pieces[i]];
	}
}

/* The field of parameter i that begins at or behind an offset, nearest; NULL if there is none. */
static const struct kernel_field *next_field(const struct kernel *k, u32 i, u32 offset)
{
	const struct kernel_field *best = NULL;

	for (u32 j = 0; j < k->nfield; j++) {
		const struct kernel_field *f = &k->field[j];

		if (f->param == i && f->offset >= offset && (!best || f->offset < best->offset))
			best = f;
	}
	return best;
}

/* A struct as {TYPE:VALUE,...}; bytes that are never read are zeros. */
static void print_struct(const struct kernel *k, u32 i, u32 number, FILE *out)
{
	const char *comma = "";
	u32 at = 0;

	fputs(" {", out);
	for (const struct kernel_field *f = next_field(k, i, 0); f; f = next_field(k, i, at)) {
		print_gap(at, f->offset, &comma, out);
		if (f->pointer && f->offset)
			fprintf(out, "%sk%u_p%u_%u", comma, number, i, f->offset);
		else if (f->pointer)
			fprintf(out, "%sk%u_p%u", comma, number, i);
		else
			fprintf(out, "%s%s:0", comma, value_type_name[f->type]);
		comma = ",";
		at = f->offset + value_type_size[f->type];
	}
	print_gap(at, k->param[i].size, &comma, out);
	putc('}', out);
}

/* One argument. */
static void print_argument(const struct kernel *k, u32 i, u32 number, FILE *out)
{
	const struct kernel_param *p = &k->param[i];

	if (p->type == VALUE_BYTES)
		print_struct(k, i, number, out);
	else if (p->shared)
		fprintf(out, " shared %d", GUESS);
	else if (p->pointer || p->object)
		fprintf(out, " k%u_p%u", number, i);
	else
		fputs(" 0", out);
}

/* A kernel's buffers and its launch. */
static void print_kernel(const struct kernel *k, u32 number, FILE *out)
{
	u32 x = k->maxntid[0] ? k->maxntid[0] : 128;

	fprintf(out, "\n# %s: %u registers, %u bytes of shared memory", safe_text(k->name), k->regs, k->static_shared);
	if (k->local_bytes)
		fprintf(out, ", %u of local memory per thread", k->local_bytes);
	if (k->spill.bytes)
		fprintf(out, " (%u of spilled registers)", k->spill.bytes);
	putc('\n', out);
	print_buffers(k, number, out);
	fprintf(out, "launch %s grid 1 block %u", safe_text(strpbrk(k->name, " #\"") ? k->symbol : k->name), x);
	if (k->maxntid[1] > 1 || k->maxntid[2] > 1)
		fprintf(out, ",%u,%u", k->maxntid[1], max_u32(k->maxntid[2], 1));
	if (k->dynamic)
		fprintf(out, " shared %d", 4 * GUESS);
	if (k->nparam)
		fprintf(out, " args");
	for (u32 i = 0; i < k->nparam; i++)
		print_argument(k, i, number, out);
	putc('\n', out);
}

/* How the module is made from the source that lies beside it, by the compiler that the file names in its first lines.
 */
static void print_compile(const char *path, const struct module *m, FILE *out)
{
	static const char why[] = "# After an edit, `reload` makes the module by this command (it asks first):\n";
	char *source = compile_source(m), head[200] = "", *header = path_find("kernels/warpstep.h");
	u32 target = m->nkernel ? m->kernel[0].target : 0;
	struct text word = {0};
	FILE *f = fopen(path, "r");

	if (f) {
		head[fread(head, 1, sizeof(head) - 1, f)] = '\0';
		fclose(f);
	}
	if (source && strstr(head, "NVVM Compiler")) {
		fprintf(out, "%scompile nvcc -ptx -arch=sm_%u -lineinfo -o %%o %%i\n", why, target);
	} else if (source && strstr(head, "LLVM NVPTX") && header) {
		word_add(&word, header);
		fprintf(out,
			"%scompile clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_%u -nocudainc -nocudalib -O2 -S "
			"-gline-tables-only -include %s -o %%o %%i\n",
			why, target, word.s);
	}
	text_free(&word);
	free(source);
	free(header);
}

/* A lesson of two parts over a kernel that needs no file. */
static const char lesson[] =
	"# A lesson. `warpstep FILE` starts it; `warpstep -b FILE -e 'lesson check'` checks it; see `help lessons`.\n"
	"layout lesson\n"
	"gpu tiny sms 1\n"
	"synthetic work iterations 20 body 10 mix fp32 40 load 10 int 50 distance 2\n"
	"launch work grid 4 block 64\n"
	"part \"One more scheduler\"\n"
	"note \"What the reader needs for the question: `info kernel`, `show warps`. Do not give away a number that a question needs.\"\n"
	"begin goto 100                   # position of the reader when the question is asked: run from cycle 0\n"
	"ask number \"How many cycles does the kernel take?\" kernel.0.cycles\n"
	"tolerance 10%\n"
	"after run                        # leads to the answer, which is computed there and never typed in\n"
	"then stats slots.*               # shows it\n"
	"hint \"Each load takes several hundred cycles, and each warp executes 20 loads.\"\n"
	"wrong if answer < inst.warp / 2 \"There are {inst.warp} instructions, and two schedulers each issue one per cycle.\"\n"
	"reveal \"{kernel.0.cycles} cycles for {inst.warp} instructions: in most issue slots no warp is ready.\"\n"
	"part \"Which warp issues first\"\n"
	"note \"The warp scheduling policy is a choice: with `policy order=lrr` warps take turns.\"\n"
	"ask choice \"What do most issue slots without an instruction wait for then?\"\n"
	"after policy order=lrr\n"
	"after run\n"
	"choice \"data from memory\" if slots.long > slots.fetch\n"
	"choice \"instructions\" if slots.fetch >= slots.long\n"
	"reveal \"{kernel.0.cycles} cycles. Read on: `explain order`, `help policy`.\"\n"
	"finally\n"
	"  expect cta.finished == 4\n"
	"end\n";

enum status template_print(const char *path, FILE *out, struct error *e)
{
	struct text name = {0};
	struct module *m;
	enum status st;

	if (!strcmp(path, "lesson")) {
		fputs(lesson, out);
		return STATUS_OK;
	}
	st = ptx_load(path, &m, e);
	if (st)
		return st;
	word_add(&name, path);
	fprintf(out,
		"# A skeleton: fill in the buffers' sizes and contents and the launches' shapes and numbers.\n"
		"gpu volta sms 5    # a GPU slice, 5 of 80 SMs with their part of the memory system: the grid should be a part, too\n"
		"module %s\n",
		name.s);
	text_free(&name);
	print_compile(path, m, out);
	for (u32 i = 0; i < m->nkernel; i++)
		print_kernel(&m->kernel[i], i, out);
	for (u32 i = 0; i < m->nrefused; i++)
		fprintf(out, "\n# %s cannot be run: line %u: %s\n", safe_text(m->refused[i].name), m->refused[i].line,
			m->refused[i].message);
	fprintf(out, "\n"
		     "finally\n"
		     "  expect cta.finished > 0\n"
		     "end\n");
	module_free(m);
	return STATUS_OK;
}
