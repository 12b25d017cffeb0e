/*
 * sessions.h - what the fuzzers of whole sittings feed: lessons, sessions that are saved and loaded, lines that are
 * kept to be run later. Each is the text of a scenario in the private folder, which may neither write nor read
 * elsewhere.
 */
#ifndef WARPSTEP_FUZZ_SESSIONS_H
#define WARPSTEP_FUZZ_SESSIONS_H

#include "targets.h"

#include "../../src/tui/desk.h"

/* The stage of lessons: little to simulate, since each answer is computed anew. */
static const char fuzz_small[] = "gpu tiny\nsynthetic k iterations 4 body 8 mix int 60 fp32 40 distance 2\n"
				 "launch k grid 4 block 64\n";

/* Run lines as those of a scenario of the folder. */
static inline enum status fuzz_lines(struct session *s, const char *text, struct error *e)
{
	char *path = guard_path("fuzz.scn");
	enum status st = command_run_line(s, text, path, 1, e);

	free(path);
	return st;
}

/* A session on a stage in the folder. */
static inline void fuzz_stage(struct session *s, const char *scene)
{
	struct error e = {0};

	fuzz_session_open(s);
	if (scene && fuzz_lines(s, scene, &e))
		die("the stage of the fuzzers: %s", e.message);
}

/* Run a line as if typed; what becomes of it is its own matter. */
static inline void fuzz_types(struct session *s, const char *line)
{
	struct error e = {0};

	if (!s->quit)
		command_run_line(s, line, NULL, 0, &e);
}

/* How often a text holds a word. */
static inline u32 fuzz_counts(const char *text, const char *word)
{
	u32 n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

/* The same of a lab: a kernel that is right, and in the folder others that can be tried. */
static const char fuzz_lab[] = "gpu tiny\nmodule vecadd.ptx\nbuffer a f32[64] iota\nbuffer b f32[64] iota 5\n"
			       "buffer c f32[64]\nlaunch vecadd grid 2 block 32 args a b c 64\n"
			       "finally\ncheck c formula a[i] + b[i]\nend\n";

/* vecadd.ptx in the folder, and versions of it: one computes a difference, one leaves its last store out. */
static inline void fuzz_versions(void)
{
	static const struct {
		const char *name, *from, *to;
	} row[] = {{"vecadd.ptx", "", ""}, {"sub.ptx", "add.f32", "sub.f32"}, {"none.ptx", "st.global", "// "}};
	char *ptx, *at;
	size_t n;
	struct error e = {0};

	if (file_read("scenarios/kernels/vecadd.ptx", 1 << 20, &ptx, &n, &e))
		die("the stage of the fuzzers: %s", e.message);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct text t = {0};

		at = strstr(ptx, row[i].from);
		if (!at)
			die("the stage of the fuzzers: vecadd.ptx has no '%s'", row[i].from);
		text_addn(&t, ptx, (size_t)(at - ptx));
		text_add(&t, "%s%s", row[i].to, at + strlen(row[i].from));
		free(guard_file(row[i].name, t.s, t.len));
		text_free(&t);
	}
	free(ptx);
}

/* Run an input as the lines of a lesson; then it is gone through, answered, checked and walked. */
static inline void fuzz_lesson(const u8 *data, size_t size)
{
	static const char *const typed[] = {"lesson",	     "hint",	     "answer 7",      "lesson back",
					    "lesson next",   "answer a",     "show notes",    "lesson again",
					    "give up",	     "lesson check", "lesson report", "screen dump",
					    "layout lesson", "lesson walk",  "undo",	      "lesson"};
	static const char *const tried[] = {"lesson",	"answer none.ptx",   "hint",
					    "answer b", "answer vecadd.ptx", "answer a"};
	char *text = xstrndup((const char *)data, size);
	bool lab = strstr(text, "ask kernel");
	struct session s;
	struct error e = {0};

	if (!fuzz_costs(text) && fuzz_counts(text, "ask") < 8) {
		fuzz_versions();
		fuzz_stage(&s, lab ? fuzz_lab : fuzz_small);
		s.batch = size % 2;
		s.json = size % 5 == 0;
		s.columns = size % 3 ? 80 : 1 + (u32)size % 50;
		fuzz_lines(&s, text, &e);
		for (u32 i = 0; lab && i < ARRAY_LEN(tried); i++)
			fuzz_types(&s, tried[i]);
		for (u32 i = 0; i < ARRAY_LEN(typed); i++)
			fuzz_types(&s, typed[(i + size) % ARRAY_LEN(typed)]);
		session_close(&s);
	}
	free(text);
}

/* A saved session as text. */
static inline char *fuzz_saved(struct session *s, const char *name)
{
	char *path = guard_path(name), *text = NULL;
	struct error e = {0};

	if (session_save(s, path, &e) || file_read(path, 1 << 26, &text, NULL, &e))
		die("a session cannot be saved: %s", e.message);
	free(path);
	return text;
}

/* Load what was saved of a session in which nothing had failed: it must be as it was, unless its time was over. */
static inline void fuzz_loads(struct session *a, bool good)
{
	char *path = guard_path("a.scn"), *before = fuzz_saved(a, "a.scn"), *after;
	struct error e = {0};
	struct session b;
	enum status st;

	fuzz_stage(&b, NULL);
	st = command_run_file(&b, path, &e);
	after = fuzz_saved(&b, "b.scn");
	good = good && !interrupt_pressed();
	if (good && st)
		die("a session that was saved is refused: line %u: %s\n%s", e.line, e.message, before);
	if (good && strcmp(before, after))
		die("a session that was loaded is saved otherwise: it was\n%s, it is\n%s", before, after);
	if (good && (a->live != b.live || (a->live && sim_hash(&a->sim) != sim_hash(&b.sim))))
		die("a session that was loaded has another machine\n%s", before);
	session_close(&b);
	free(path);
	free(before);
	free(after);
}

/* Run an input as the lines of a scenario, save the session, and load it again. */
static inline void fuzz_session(const u8 *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct session s;
	struct error e = {0};
	bool good;

	if (!fuzz_costs(text)) {
		fuzz_versions();
		fuzz_stage(&s, "gpu tiny\nmodule vecadd.ptx\nbuffer a f32[64] iota\nbuffer b f32[64] iota 5\n"
			       "buffer c f32[64]\nlaunch vecadd grid 2 block 32 args a b c 64\n");
		good = !fuzz_lines(&s, text, &e) && !session_make(&s, &e);
		fuzz_loads(&s, good);
		session_close(&s);
	}
	free(text);
}

/* What keeps lines: where they stand (%s), and what runs them. */
static const struct {
	const char *keeps;
	bool one; /* a single line */
} fuzz_keeper[] = {
	{"define zz\n%s\nend\nzz a 'b c' 3\n", false},
	{"alias zz = %s\nzz\nzz 1 2\n", true},
	{"key x = %s\n", true},
	{"finally\n%s\nend\nrun\n", false},
	{"repeat i 0..2\n%s\nend\n", false},
	{"break cycle 20\ncommands 1\n%s\nend\ncontinue\nreverse-continue\n", false},
	{"display %s\nstep\nundo\n", true},
	{"with lat.int 9 -- %s\n", true},
	{"dprintf issue, %s\nstep 20\n", true},
	{"tbreak pc 2 if %s\ncontinue\n", true},
	{"part \"p\"\nbegin %s\nask number \"q\" cycle\nafter run\nlesson walk\n", true},
	{"part \"p\"\nask number \"q\" cycle\nafter %s\nafter run\nlesson walk\n", true},
	{"part \"p\"\nask number \"q\" cycle\nafter run\nthen %s\nlesson walk\n", true},
	{"watch %s\ncontinue\n", true},
	{"spark %s\nstep 9\nshow stats\n", true},
	{"layout zz = %s\nlayout zz\nscreen dump\n", true},
	{"undo\n%s\nundo\nrestart\n%s", false},
	{"compare order=lrr\n%s\n", false},
};

/* A text inside a keeper, xmalloc'ed. */
static inline char *fuzz_keeps(u8 which, const char *text)
{
	u32 i = (u8)(which - 'a') % ARRAY_LEN(fuzz_keeper);
	char *inner = xstrndup(text, fuzz_keeper[i].one ? strcspn(text, "\n") : strlen(text));
	const char *form = fuzz_keeper[i].keeps, *at;
	struct text out = {0};

	while ((at = strstr(form, "%s"))) {
		text_addn(&out, form, (size_t)(at - form));
		text_add(&out, "%s", inner);
		form = at + 2;
	}
	text_add(&out, "%s", form);
	free(inner);
	return out.s;
}

/* Press the key that an input has bound: its line comes from where it was bound. */
static inline void fuzz_presses(struct session *s)
{
	const struct key_row *row = key_find(s, "x");
	char *line = row && key_works(row) ? key_line(s, row) : NULL;
	struct error e = {0};

	if (line)
		lines_run(s, line, row->from, NULL, 0, &e);
	free(line);
}

/* Run an input's lines inside two things that keep lines, as its first two bytes say. */
static inline void fuzz_kept(const u8 *data, size_t size)
{
	char *text = xstrndup(size > 2 ? (const char *)data + 2 : "", size > 2 ? size - 2 : 0), *inner, *outer;
	struct session s;
	struct error e = {0};

	if (size > 2 && !fuzz_costs(text)) {
		inner = data[1] == '-' ? xstrdup(text) : fuzz_keeps(data[1], text);
		outer = fuzz_keeps(data[0], inner);
		fuzz_stage(&s, fuzz_small);
		s.keep_going =
			size % 3 == 0 && !strstr(outer, "define"); /* commands that call themselves twice end late */
		fuzz_lines(&s, outer, &e);
		fuzz_presses(&s);
		fuzz_types(&s, "info breakpoints");
		fuzz_types(&s, "run");
		session_close(&s);
		free(inner);
		free(outer);
	}
	free(text);
}

#endif
