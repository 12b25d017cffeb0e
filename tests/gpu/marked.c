/* marked.c - put marks into PTX: at the first statement of each entry, and before each `ret` and `exit` in it. */
#include "marked.h"

#include "base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the reading stands. */
struct marking {
	struct text out;
	const char *at;
	u32 depth, nexit;
	bool entry;  /* inside an entry, or its head */
	bool inside; /* inside its body */
};

static const char declared[] = ".reg .pred %mark_p;\n.reg .b32 %mark_r<8>;\n.reg .b64 %mark_d<4>;\n";
/* %mark_d0: where this CTA's words are. */
static const char where[] = "mov.u32 %mark_r0, %ctaid.z;\nmov.u32 %mark_r1, %nctaid.y;\nmov.u32 %mark_r2, %ctaid.y;\n"
			    "mad.lo.u32 %mark_r0, %mark_r0, %mark_r1, %mark_r2;\nmov.u32 %mark_r1, %nctaid.x;\n"
			    "mov.u32 %mark_r2, %ctaid.x;\nmad.lo.u32 %mark_r0, %mark_r0, %mark_r1, %mark_r2;\n"
			    "mov.u64 %mark_d0, " MARK_SYMBOL ";\nmul.wide.u32 %mark_d1, %mark_r0, 32;\n"
			    "add.u64 %mark_d0, %mark_d0, %mark_d1;\n";
/* The first lane of each warp: all warps lose as long over it, and of the CTA the earliest start counts. The clock is
 * read last. */
static const char start[] =
	"mov.u32 %mark_r3, %laneid;\nsetp.eq.u32 %mark_p, %mark_r3, 0;\n@!%mark_p bra MARK_BEGUN;\n";
static const char started[] = "mov.u32 %mark_r3, %smid;\ncvt.u64.u32 %mark_d2, %mark_r3;\n"
			      "st.global.u64 [%mark_d0+24], %mark_d2;\nmov.u64 %mark_d2, %clock64;\n"
			      "sub.u64 %mark_d2, " MARK_TOP_TEXT ", %mark_d2;\n"
			      "red.global.max.u64 [%mark_d0], %mark_d2;\nMARK_BEGUN:\n";
static const char stop[] =
	"activemask.b32 %mark_r3;\nmov.u32 %mark_r4, %lanemask_lt;\nand.b32 %mark_r3, %mark_r3, %mark_r4;\n"
	"setp.eq.u32 %mark_p, %mark_r3, 0;\n@%mark_p red.global.max.u64 [%mark_d0+8], %mark_d2;\n"
	"mov.u64 %mark_d2, %globaltimer;\n@%mark_p red.global.max.u64 [%mark_d0+16], %mark_d2;\n";

static void put(struct marking *m, const char *text)
{
	text_addn(&m->out, text, strlen(text));
}

/* Does this word stand there? */
static bool word_at(const char *at, const char *begin, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(at, word, n) && !isalnum((u8)at[n]) && at[n] != '_' && at[n] != '$' &&
	       (at == begin || (!isalnum((u8)at[-1]) && !strchr("._%$", at[-1])));
}

/* The guard in front of an exit, `@%p` or `@!%p`, is taken off the text again: its predicate, "" if there is none. */
static void guard_take(struct marking *m, char *out, size_t size, bool *negated)
{
	char *text = m->out.s;
	size_t n = m->out.len, from;

	*out = 0;
	while (n && isspace((u8)text[n - 1]))
		n--;
	for (from = n; from && !strchr(";{}\n\t ", text[from - 1]); from--)
		;
	if (from == n || text[from] != '@')
		return;
	*negated = text[from + 1] == '!';
	snprintf(out, size, "%.*s", (int)(n - from - 1 - *negated), text + from + 1 + *negated);
	m->out.len = from;
	text[from] = 0;
}

static void exit_mark(struct marking *m)
{
	char guard[64];
	bool negated = false;

	guard_take(m, guard, sizeof(guard), &negated);
	if (*guard)
		text_add(&m->out, "@%s%s bra MARK_ON%u;\n", negated ? "" : "!", guard, m->nexit);
	text_add(&m->out, "mov.u64 %%mark_d2, %%clock64;\n");
	put(m, where);
	put(m, stop);
	text_add(&m->out, "ret;\n");
	if (*guard)
		text_add(&m->out, "MARK_ON%u:\n", m->nexit);
	m->nexit++;
}

/* Comments and strings go through as they are. */
static bool passed_over(struct marking *m)
{
	const char *end;

	if (!strncmp(m->at, "//", 2))
		end = strchrnul(m->at, '\n');
	else if (!strncmp(m->at, "/*", 2))
		end = (end = strstr(m->at + 2, "*/")) ? end + 2 : strchr(m->at, 0);
	else if (*m->at == '"')
		end = (end = strchr(m->at + 1, '"')) ? end + 1 : strchr(m->at, 0);
	else
		return false;
	text_add(&m->out, "%.*s", (int)(end - m->at), m->at);
	m->at = end;
	return true;
}

static void brace(struct marking *m)
{
	m->depth += *m->at == '{';
	m->depth -= *m->at == '}';
	text_add(&m->out, "%c", *m->at++);
	if (!m->entry)
		return;
	if (m->depth == 1 && !m->inside) {
		m->inside = true;
		put(m, "\n");
		put(m, declared);
		put(m, start);
		put(m, where);
		put(m, started);
	} else if (!m->depth) {
		m->entry = m->inside = false;
	}
}

/* activemask wants a version and a target of our days. */
static bool modern(struct marking *m, const char *ptx)
{
	bool version = word_at(m->at, ptx, ".version"), target = word_at(m->at, ptx, ".target");

	if (version && strtod(m->at + 8, NULL) < 7)
		put(m, ".version 7.0");
	else if (target && strtoul(m->at + strcspn(m->at, "0123456789"), NULL, 10) < 70)
		put(m, ".target sm_70");
	else
		return false;
	m->at = strchrnul(m->at, '\n');
	return true;
}

static void step(struct marking *m, const char *ptx, u32 ctas)
{
	if (passed_over(m) || modern(m, ptx))
		return;
	if (*m->at == '{' || *m->at == '}') {
		brace(m);
		return;
	}
	if (word_at(m->at, ptx, ".address_size")) {
		const char *end = strchrnul(m->at, '\n');
		text_add(&m->out, "%.*s\n.visible .global .align 32 .b64 " MARK_SYMBOL "[%u];\n", (int)(end - m->at),
			 m->at, ctas * MARK_WORDS);
		m->at = end;
		return;
	}
	m->entry |= word_at(m->at, ptx, ".entry");
	if (m->inside && (word_at(m->at, ptx, "ret") || word_at(m->at, ptx, "exit"))) {
		exit_mark(m);
		m->at = strchrnul(m->at, ';');
		m->at += *m->at == ';';
		return;
	}
	text_add(&m->out, "%c", *m->at++);
}

char *ptx_marked(const char *ptx, u32 ctas)
{
	struct marking m = {.at = ptx};

	while (*m.at)
		step(&m, ptx, ctas);
	return m.out.s;
}
