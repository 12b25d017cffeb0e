/* chart.c - a table of results as a chart of bars, drawn by gnuplot (grid.h). */
#include "grid.h"
#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A text of gnuplot's, in double quotes. */
static void put_quoted(FILE *f, const char *text)
{
	putc('"', f);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', f);
		putc((u8)*text < ' ' ? ' ' : *text, f);
	}
	putc('"', f);
}

/* The columns that name a row as one label. */
static void put_label(FILE *f, const struct table *t, u32 row)
{
	struct text label = {0};

	for (u32 i = 0; i < t->labels; i++)
		text_list(&label, " ", t->cell[row * t->columns + i].text ? t->cell[row * t->columns + i].text : "");
	put_quoted(f, label.s ? label.s : "all");
	text_free(&label);
}

/* What gnuplot is to draw. */
static void put_script(FILE *f, const struct table *t, const char *file, u32 columns)
{
	u32 rows = t->cells / t->columns;

	if (!strcmp(file, "-"))
		fprintf(f, "set terminal dumb %u 24 noenhanced\n", columns);
	else {
		fprintf(f, "set terminal svg size %u,420 noenhanced font 'sans,12' background '#ffffff'\nset output ",
			min_u32(2000, 320 + 60 * rows * (t->columns - t->labels)));
		put_quoted(f, file);
		fputc('\n', f);
	}
	fputs("set title ", f);
	put_quoted(f, t->what ? t->what : "");
	fputs("\n$data << EOD\n", f);
	for (u32 row = 0; row < rows; row++) {
		put_label(f, t, row);
		for (u32 i = t->labels; i < t->columns; i++) {
			const struct table_cell *c = &t->cell[row * t->columns + i];

			fprintf(f, c->text ? " NaN" : " %.15g", c->x);
		}
		fputc('\n', f);
	}
	fputs("EOD\nset style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.8 border -1\n"
	      "set boxwidth 0.9\nset grid ytics\nset yrange [0:*]\nset key outside right top\nset xtics nomirror\n"
	      "set datafile missing 'NaN'\nplot ",
	      f);
	for (u32 i = t->labels; i < t->columns; i++) {
		fprintf(f, "%s$data using %u%s title ", i > t->labels ? ", " : "", i - t->labels + 2,
			i == t->labels ? ":xtic(1)" : "");
		put_quoted(f, t->head[i]);
	}
	fputc('\n', f);
}

enum status table_chart(const struct table *t, const char *file, u32 columns, struct error *e)
{
	int how;
	FILE *f;

	if (t->columns == t->labels || !t->cells)
		return error_set(e, STATUS_USAGE, "--chart: the query has no column of numbers");
	if (system("command -v gnuplot >/dev/null 2>&1"))
		return error_set(e, STATUS_FAILED,
				 "--chart needs gnuplot, which is not installed (package gnuplot-nox)");
	fflush(stdout);
	f = popen("gnuplot", "w");
	if (!f)
		return error_set(e, STATUS_FAILED, "cannot run gnuplot: %s", strerror(errno));
	put_script(f, t, file, columns);
	how = pclose(f);
	if (how)
		return error_set(e, STATUS_FAILED, "gnuplot failed (exit status %d)", WEXITSTATUS(how));
	return STATUS_OK;
}
