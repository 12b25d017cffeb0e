/*
 * reproduce.c - figures of papers beside ours: a table for each paper, with a verdict for each row, a reason for each
 * that differs and a summary, and files in OUT (build/reproduce).
 *
 * usage: reproduce [--quick | --kept[=FILE]] [--paper=NAME] [--page=FILE] [GROUP...]   all groups (of a paper) if none
 * is named
 *   --quick   some loads, the first cycles of each: rows' keys and numbers alone; OUT/quick.txt holds them
 *   --kept    nothing is run: the numbers that FILE (tests/reproduce/whole.txt) keeps of a whole run
 * FILE gets all of it as a page of HTML, too (page.c).
 * Runs are jobs of sweeps, whose rows are in OUT/reproduce.db: what is there is not run again (runs.c).
 * WRITE=1: tests/reproduce/whole.txt keeps the numbers.
 *
 * What a verdict says (warpstep-hacking(7) has the same words). A paper's gain of 0 % or factor of 1 says that nothing
 * changes.
 *   within a tenth   the difference is at most a tenth of the paper's number, or half a point of percents
 *   within a third   at most a third of it, or two points of percents, and not the other sign
 *   right direction  farther apart, but a gain in both or a loss in both (a factor above 1 in both or below it in both)
 *   wrong direction  a gain where the paper has a loss or no change, a loss where it has a gain or no change
 *   apart            farther apart than a third, and a number that has no direction: a share, a time, a count
 *   holds, exceeds   the paper gives a bound
 *   no number        the paper gives none
 *   experiment       the same, of a row that is there for reasons of others
 * A row needs a reason unless it is within a tenth, within a third and two points, a bound that holds or an experiment.
 */
#include "reproduce.h"

#include <sys/stat.h>
#include <unistd.h>

static const struct paper *const papers[] = {&paper_subcore, &paper_vt,	     &paper_dyncta, &paper_elf,
					     &paper_chimera, &paper_maestro, &paper_vws,    &paper_cores};

const char *const verdict_name[] = {"within a tenth", "within a third", "right direction", "wrong direction", "apart",
				    "holds",	      "exceeds",	"no number",	   "experiment"};

static const struct {
	const char *sign;
	int digits;
} unit_table[] = {[GAIN_PERCENT] = {"%", 1},  [PART_PERCENT] = {"%", 1}, [TIMES] = {"x", 2},
		  [MICROSECONDS] = {"us", 1}, [PLAIN] = {"", 2},	 [COUNT] = {"", 0}};

/* Numbers of rows as text, by key: those kept in a file. */
struct kept {
	char **key, **number;
	u32 n;
};
static struct kept whole;
static const char *whole_path = "tests/reproduce/whole.txt";

static bool kept_only;
static enum { CHECKING, COMPUTING, PRINTING } phase; /* of this program */
static u32 all_count[VERDICTS];			     /* rows printed, by verdict */

/* Nothing of what it keeps is freed: it ends without looking for leaks. */
static void __attribute__((noreturn)) leave(int status)
{
	fflush(NULL);
	_exit(status);
}

/* A wrong word in the command line. */
static void __attribute__((noreturn)) PRINTF_LIKE(1, 2) usage(const char *fmt, ...)
{
	va_list ap;

	fputs("reproduce: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\n", stderr);
	leave(2);
}

void fail(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("reproduce: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\n", stderr);
	leave(1);
}

/* --- numbers kept in a file --- */

static void kept_line(void *self, char **word, u32 n)
{
	struct kept *k = self;

	k->key = array_grow(k->key, k->n, sizeof(*k->key));
	k->number = array_grow(k->number, k->n, sizeof(*k->number));
	k->key[k->n] = xstrdup(word[0]);
	k->number[k->n++] = xstrdup(n > 1 ? word[1] : "");
}

/* The number kept of a row; NULL: none. */
static const char *kept_number(const struct kept *k, const char *key)
{
	for (u32 i = 0; i < k->n; i++)
		if (!strcmp(k->key[i], key))
			return k->number[i];
	return NULL;
}

/* --- rows --- */

/* Is a word among others, with blanks between? */
static bool listed(const char *words, const char *word, size_t n)
{
	for (const char *at = words; at && (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

static const struct row *row_find(const char *key)
{
	for (u32 i = 0; i < paper->rows; i++)
		if (!strcmp(paper->row[i].key, key))
			return &paper->row[i];
	fail("%s: no row '%s'", paper->name, key);
}

/* Ours; NAN until its runs have been made. */
static double number_of(const struct row *r)
{
	const char *kept;

	if (!kept_only)
		return r->ours.of(&r->ours);
	kept = kept_number(&whole, r->key);
	return kept ? strtod(kept, NULL) : NAN;
}

double row_number(const char *key)
{
	return number_of(row_find(key));
}

double paper_number(const struct row *r)
{
	return r->paper ? strtod(r->paper + (*r->paper == '<'), NULL) : 0;
}

/* Ours as it is printed, without the unit. */
static void number_print(const struct row *r, double ours, char out[32])
{
	int digits = r->paper && *r->paper == '<' ? 3 : unit_table[r->unit].digits;

	snprintf(out, 32, "%.*f", digits, ours);
	if (*out == '-' && strspn(out, "-0.") == strlen(out))
		memmove(out, out + 1, strlen(out));
}

/* Ours as rounded in print, which is what verdicts are about. */
static double number_rounded(const struct row *r)
{
	char number[32];

	number_print(r, number_of(r), number);
	return strtod(number, NULL);
}

/* Whether two numbers lie on the same side of where nothing changes. */
static bool same_side(enum unit unit, double a, double b)
{
	double neutral = unit == TIMES ? 1 : 0;

	return (a - neutral) * (b - neutral) > 0;
}

static enum verdict judge(const struct row *r, double ours)
{
	bool percent = r->unit == GAIN_PERCENT || r->unit == PART_PERCENT;
	double theirs, off;

	if (!r->paper)
		return r->why ? NO_NUMBER : EXPERIMENT;
	if (*r->paper == '<')
		return fabs(ours) < strtod(r->paper + 1, NULL) ? HOLDS : EXCEEDS;
	theirs = strtod(r->paper, NULL);
	off = fabs(ours - theirs) - 1e-9; /* 3.9 - 3.51 is a little more than 0.39 */
	if (off <= fabs(theirs) / 10 || (percent && off <= 0.5))
		return TENTH;
	if (off <= fabs(theirs) / 3 || (percent && off <= 2 && ours * theirs >= 0))
		return THIRD;
	if (r->unit != GAIN_PERCENT && r->unit != TIMES)
		return APART;
	return same_side(r->unit, theirs, ours) ? RIGHT : WRONG;
}

/* Does it take a reason? */
static bool differs(const struct row *r, double ours)
{
	enum verdict v = judge(r, ours);

	if (v == THIRD && (r->unit == GAIN_PERCENT || r->unit == PART_PERCENT))
		return fabs(ours - strtod(r->paper, NULL)) > 2;
	return v != TENTH && v != HOLDS && v != EXPERIMENT;
}

/* By what ours differs: points of percents, else the factor. */
static void difference_print(const struct row *r, double ours, char out[32])
{
	double theirs = paper_number(r);

	*out = 0;
	if (!r->paper || *r->paper == '<')
		return;
	if (r->unit == GAIN_PERCENT || r->unit == PART_PERCENT)
		snprintf(out, 32, "%+.1f pt", ours - theirs);
	else if (theirs != 0)
		snprintf(out, 32, "x %.2f", ours / theirs);
}

/* The reason of a row, with the numbers of the rows that it names. */
static char *reason_of(const struct row *r)
{
	struct text t = {0};

	for (const char *c = r->why ? r->why : ""; *c; c++) {
		char key[64], number[32];
		const struct row *named;
		bool minus = c[0] == '{' && c[1] == '-';
		double x;
		int end = 0;

		if (*c != '{') {
			text_add(&t, "%c", *c);
			continue;
		}
		c += minus;
		if (sscanf(c + 1, "%63[^}]}%n", key, &end) != 1 || !end)
			fail("%s: a { without its } in the reason", r->key);
		named = row_find(key);
		x = phase == CHECKING ? 0 : row_number(key);
		if (phase == PRINTING && !kept_only && !isfinite(x))
			fail("%s has no number, which the reason of %s names", key, r->key);
		number_print(named, minus ? -x : x, number);
		if (isfinite(x))
			text_add(&t, "%s%s%s", number, *unit_table[named->unit].sign == '%' ? " " : "",
				 unit_table[named->unit].sign);
		else
			text_add(&t, "(no number of %s is kept)", key);
		c += end;
	}
	return t.s;
}

/* " (4 of 27 loads)": the loads that a row is over, where these are not all of their kind. */
static void loads_print(const struct row *r, char out[64])
{
	const char *each = paper->each;
	struct names all, some;

	*out = 0;
	if (!r->ours.loads || !paper->loads)
		return;
	some = loads_of(r->ours.loads);
	all = loads_of_whole("all");
	if (some.n && !names_have(&all, some.name[0])) {
		all = loads_of_whole(r->ours.loads);
		each = NULL;
	}
	if (some.n < all.n && !strchr(r->ours.loads, '/'))
		snprintf(out, 64, " (%u of %u %ss)", some.n, all.n, each ? each : "load");
}

/* --- a paper --- */

/* Notes below a paper's table. */
struct notes {
	char *text[256];
	u32 n;
};

/* The number of a note. */
static u32 note(struct notes *notes, char *text)
{
	u32 i;

	for (i = 0; i < notes->n && strcmp(notes->text[i], text); i++)
		;
	if (i == ARRAY_LEN(notes->text))
		fail("too many notes");
	if (i == notes->n)
		notes->text[notes->n++] = text;
	return i + 1;
}

/* A note in lines of at most 130 columns. */
static void note_print(u32 number, const char *text)
{
	int column = printf("[%u]", number);
	const char *at = text;

	while (*at) {
		int n = (int)strcspn(at, " ");

		if (!strncmp(at + n, " %", 2)) /* stays with its number */
			n += 2 + (int)strcspn(at + n + 2, " ");
		if (column + n + 1 > 130)
			column = printf("\n   ") - 1;
		column += printf(" %.*s", n, at);
		at += n;
		at += strspn(at, " ");
	}
	printf("\n");
}

/* Is the group of a row or a file wanted, and is there a load for it? */
static bool wanted(const char *key, const char *loads, const char *groups)
{
	char group[64];

	snprintf(group, sizeof(group), "%.*s", (int)strcspn(key, "-"), key);
	return listed(groups, group, strlen(group)) && (!loads || !quick || loads_of(loads).n);
}

static bool row_wanted(const struct row *r, const char *groups)
{
	return wanted(r->key, r->ours.loads, groups) && !(quick && r->whole);
}

/* Compute all rows and write the files of a paper's groups, so that runs are asked for. */
static void paper_compute(const char *groups)
{
	for (u32 i = 0; i < paper->rows; i++) {
		const struct row *r = &paper->row[i];

		if (!row_wanted(r, groups))
			continue;
		number_of(r);
		if (!quick)
			free(reason_of(r));
	}
	for (u32 i = 0; i < paper->files && !kept_only; i++) {
		const struct file *file = &paper->file[i];
		char *path = xasprintf("%s/%s", out_folder, file->name);
		FILE *f;

		if (wanted(file->group, file->loads, groups)) {
			f = fopen(path, "w");
			if (!f)
				fail("cannot write %s", path);
			if (file->write)
				file->write(f);
			else
				columns_write(file, f);
			fclose(f);
		}
		free(path);
	}
}

/* One line of the table, and of the CSV file. */
static void row_print(const struct row *r, double ours, struct notes *notes, FILE *csv)
{
	const char *sign = unit_table[r->unit].sign, *was = kept_number(&whole, r->key);
	char *why = differs(r, ours) ? reason_of(r) : NULL, mark[32] = "";
	struct line l = {.row = r, .ours = ours, .sign = sign, .why = why, .verdict = judge(r, ours)};
	struct text line = {0};

	number_print(r, ours, l.number);
	difference_print(r, ours, l.difference);
	loads_print(r, l.loads);
	page_row(&l);
	if (differs(r, ours))
		snprintf(mark, sizeof(mark), why ? "[%u]" : "[?]", why ? note(notes, why) : 0);
	text_add(&line, "%s%s", r->claim, l.loads);
	printf("%-9s %-74s %6s%-2s %8s%-2s %9s  %-15s %s%s%s\n", r->figure, line.s, r->paper ? r->paper : "",
	       r->paper ? sign : "", l.number, sign, l.difference, verdict_name[l.verdict], mark,
	       was && strcmp(was, l.number) ? " was " : "", was && strcmp(was, l.number) ? was : "");
	fprintf(csv, "%.*s,%s,\"%s\",%s,%s,%s,%s,%s,%s,\"%s\"\n", (int)strcspn(r->key, "-"), r->key, r->figure, line.s,
		sign, r->paper ? r->paper : "", l.number, l.difference, verdict_name[l.verdict], r->key,
		why ? why : "");
	text_free(&line);
}

/* One line of the quick ones, which are not to be set beside the paper's. */
static void quick_print(const struct row *r, double ours)
{
	char number[32], loads[64];

	number_print(r, ours, number);
	loads_print(r, loads);
	printf("%-24s %8s%-2s %s%s\n", r->key, number, unit_table[r->unit].sign, r->claim, loads);
}

/* How many rows of a paper, or of all, have which verdict. */
static void summary_print(const char *name, const u32 *count)
{
	u32 rows = 0;

	for (u32 v = 0; v < VERDICTS; v++)
		rows += count[v];
	printf("%s: rows %u", name, rows);
	for (u32 v = 0; v < VERDICTS; v++)
		if (count[v] || v <= WRONG || v >= NO_NUMBER)
			printf(", %s %u", verdict_name[v], count[v]);
	printf("\n");
}

/* Is there a number of any row of the paper? */
static bool any_kept(void)
{
	for (u32 i = 0; i < paper->rows; i++)
		if (kept_number(&whole, paper->row[i].key))
			return true;
	return false;
}

/* The table of a paper, and its CSV file. */
static void paper_print(const char *groups)
{
	char *path = xasprintf("%s/%s.csv", out_folder, paper->name);
	FILE *csv = fopen(kept_only ? "/dev/null" : path, "w");
	u32 count[VERDICTS] = {0};
	struct notes notes = {0};

	if (!csv)
		fail("cannot write %s", path);
	printf("%s%s\n", paper->title, quick ? ": quick runs, not to be set beside the paper's" : "");
	if (!quick)
		printf("%-9s %-74s %8s %10s %9s  %s\n", "figure", "claim", "paper  ", "ours  ", "apart by", "verdict");
	page_paper();
	fprintf(csv, "group,figure,claim,unit,paper,ours,difference,verdict,key,reason\n");
	for (u32 i = 0; i < paper->rows; i++) {
		const struct row *r = &paper->row[i];
		double ours;

		if (!row_wanted(r, groups) || (kept_only && !kept_number(&whole, r->key)))
			continue;
		ours = number_rounded(r);
		count[judge(r, ours)]++;
		all_count[judge(r, ours)]++;
		if (quick)
			quick_print(r, ours);
		else
			row_print(r, ours, &notes, csv);
	}
	page_paper_end();
	for (u32 i = 0; i < notes.n; i++)
		note_print(i + 1, notes.text[i]);
	if (!quick)
		summary_print(paper->name, count);
	printf("\n");
	fclose(csv);
	free(path);
}

/* --- all papers --- */

/* Keys are of one row each, and reasons name rows. */
static void keys_check(const char *groups)
{
	(void)groups;
	for (u32 i = 0; i < paper->rows; i++) {
		if (row_find(paper->row[i].key) != &paper->row[i])
			fail("two rows are called %s", paper->row[i].key);
		free(reason_of(&paper->row[i]));
	}
}

/* Every row must have a number, the ones not wanted aside. */
static void numbers_check(const char *groups)
{
	bool bad = false;

	for (u32 i = 0; i < paper->rows; i++) {
		const struct row *r = &paper->row[i];

		if (!row_wanted(r, groups) || isfinite(number_of(r)))
			continue;
		fprintf(stderr, "reproduce: %s has no number\n", r->key);
		bad = true;
	}
	if (bad)
		leave(1);
}

/* A line for each row, its key and number, those that were not computed as they were kept. */
static void numbers_write(const char *path, const struct kept *kept, const char *groups, const char *head)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail("cannot write %s", path);
	fprintf(f, "%s", head);
	for (u32 p = 0; p < ARRAY_LEN(papers); p++) {
		paper = papers[p];
		for (u32 i = 0; i < paper->rows; i++) {
			const struct row *r = &paper->row[i];
			const char *number = kept ? kept_number(kept, r->key) : NULL;
			char now[32];

			if (row_wanted(r, groups)) {
				number_print(r, number_of(r), now);
				number = now;
			}
			if (number)
				fprintf(f, "%s %s\n", r->key, number);
		}
	}
	fclose(f);
}

/* Charts of papers of which all groups are wanted, where gnuplot is present; quick runs have no tables to draw. */
static void chart_draw(const char *groups)
{
	char *command = xasprintf("gnuplot -e \"dir='%s'\" tests/reproduce/%s.gp", out_folder, paper->name);
	char *chart = xasprintf("tests/reproduce/%s.gp", paper->name);

	if (!quick && strstr(groups, paper->groups) && !access(chart, R_OK) &&
	    !system("command -v gnuplot >/dev/null") && system(command))
		fail("%s: gnuplot has failed", chart);
	free(command);
	free(chart);
}

/* The groups that words name, in the order of the papers; all (of a paper, name NULL: any) if there are none. Ends the
 * program with status 2 if one is no group. */
static char *groups_of(const char *name, char **word, int n)
{
	struct text all = {0}, some = {0}, names = {0};

	for (u32 p = 0; p < ARRAY_LEN(papers); p++) {
		text_list(&names, " ", papers[p]->name);
		if (!name || !strcmp(papers[p]->name, name))
			text_list(&all, " ", papers[p]->groups);
	}
	if (!all.s)
		usage("no paper '%s'; the papers are %s", name, names.s);
	for (int i = 0; i < n; i++) {
		if (!listed(all.s, word[i], strlen(word[i])))
			usage("no group '%s'; the groups are %s", word[i], all.s);
		text_list(&some, " ", word[i]);
	}
	return n ? some.s : all.s;
}

/* Do a thing for each paper of which a group is wanted. */
static void papers_each(void (*f)(const char *groups), const char *groups)
{
	for (u32 p = 0; p < ARRAY_LEN(papers); p++) {
		bool any = false;

		paper = papers[p];
		for (u32 i = 0; i < paper->rows && !any; i++)
			any = wanted(paper->row[i].key, NULL, groups);
		if (any && (f != paper_print || !kept_only || any_kept()))
			f(groups);
	}
}

int main(int argc, char **argv)
{
	const char *write = getenv("WRITE"), *out = getenv("OUT"), *name = NULL, *html = NULL;
	char *groups, *quick_path;

	out_folder = out ? out : "build/reproduce";
	for (; argc > 1 && !strncmp(argv[1], "--", 2); argc--, argv++) {
		if (!strncmp(argv[1], "--kept=", 7))
			whole_path = argv[1] + 7;
		else if (!strncmp(argv[1], "--paper=", 8))
			name = argv[1] + 8;
		else if (!strncmp(argv[1], "--page=", 7))
			html = argv[1] + 7;
		else if (strcmp(argv[1], "--quick") && strcmp(argv[1], "--kept"))
			usage("no option '%s'; there are --quick, --kept[=FILE], --paper=NAME and --page=FILE",
			      argv[1]);
		quick |= !strcmp(argv[1], "--quick");
		kept_only |= !strncmp(argv[1], "--kept", 6);
	}
	groups = groups_of(name, argv + 1, argc - 1);
	papers_each(keys_check, groups);
	phase = COMPUTING;
	if (!quick && !access(whole_path, R_OK))
		table_each(whole_path, kept_line, &whole);
	if (!kept_only) {
		mkdir("build", 0777);
		mkdir(out_folder, 0777);
		do
			papers_each(paper_compute, groups);
		while (runs_make());
		papers_each(numbers_check, groups);
	}
	quick_path = xasprintf("%s/quick.txt", out_folder);
	if (quick)
		numbers_write(quick_path, NULL, groups, "");
	free(quick_path);
	phase = PRINTING;
	if (html && !quick)
		page_open(html);
	papers_each(paper_print, groups);
	page_close();
	if (!quick)
		summary_print("all papers", all_count);
	if (kept_only)
		leave(0);
	if (!quick)
		papers_each(chart_draw, groups);
	if (!quick && write && *write)
		numbers_write(whole_path, &whole, groups,
			      "# Numbers of the last whole run (make reproduce WRITE=1): key of a row, ours.\n");
	leave(0);
}
