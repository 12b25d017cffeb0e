/*
 * block.c - where lines come from: texts, arrays, files; and the blocks that commands take from them.
 */
#include "interrupt.h"
#include "lang.h"
#include "rights.h"

#include <limits.h>

/* The next line of a text. */
static bool text_next(struct line_source *self)
{
	const char *start = self->data + self->offset, *end;

	if (self->offset >= self->size)
		return false;
	end = memchr(start, '\n', self->size - self->offset);
	self->text = start;
	self->length = end ? (size_t)(end - start) : self->size - self->offset;
	self->offset += self->length + 1;
	self->line++;
	return true;
}

/* The next line of an array. */
static bool array_next(struct line_source *self)
{
	if (self->at == self->nlines)
		return false;
	self->text = self->lines[self->at];
	self->length = strlen(self->text);
	self->line = self->first_line + self->at++;
	return true;
}

enum status lang_expand(struct lang *l, const char *verb, u32 n, struct error *e)
{
	l->expanded += min_u32(n, MAX_EXPANSION);
	if (l->expanded <= MAX_EXPANSION)
		return STATUS_OK;
	l->expanded = MAX_EXPANSION + 1;
	return usage_at(e, 0, "%s expands to more than %u lines", safe_text(verb), MAX_EXPANSION);
}

/* Is there no use in the lines behind one that failed: too many were made, or Ctrl-C was pressed? */
static bool is_over(const struct session *s, const struct line_source *src)
{
	const struct lang *l = s->lang;

	return src->outer && (l->expanded > MAX_EXPANSION || l->sourced > MAX_SOURCED || work_check(NULL));
}

enum status source_run(struct session *s, struct line_source *src, struct error *e)
{
	struct lang *l = s->lang;
	enum status st = STATUS_OK, first = STATUS_OK;

	if (s->depth >= MAX_DEPTH)
		return error_set(e, STATUS_USAGE, "files, blocks or commands nested more than %u deep", MAX_DEPTH);
	src->session = s;
	src->outer = s->source;
	s->source = src;
	while (!s->quit && src->next(src)) {
		if (!src->outer || !s->depth)
			l->expanded = l->sourced = 0;
		st = line_run(s, src, e);
		if (!st)
			continue;
		if (!s->keep_going || is_over(s, src))
			break;
		if (!l->reported)
			report_error(s, e);
		first = first ? first : st;
		st = STATUS_OK;
	}
	s->source = src->outer;
	if (!st && first)
		l->reported = true;
	return st ? st : first;
}

enum status lines_run(struct session *s, const char *text, const struct line_origin *from, const char *name,
		      u32 first_line, struct error *e)
{
	struct line_source src = {
		.next = text_next,
		.data = text,
		.size = strlen(text),
		.file = name,
		.from = from,
		.unnumbered = !first_line,
		.line = first_line ? first_line - 1 : 0,
	};

	return source_run(s, &src, e);
}

enum status text_run(struct session *s, const char *text, const char *name, bool unnumbered, struct error *e)
{
	return lines_run(s, text, &rights_user, name, unnumbered && !strchr(text, '\n') ? 0 : 1, e);
}

enum status words_run(struct session *s, const char *const *word, u32 n, struct error *e)
{
	struct text line = {0};
	enum status st;

	for (u32 i = 0; i < n; i++) {
		text_add(&line, i ? " " : "");
		word_add_quoted(&line, word[i]);
	}
	st = text_run(s, line.s ? line.s : "", NULL, true, e);
	text_free(&line);
	return st;
}

enum status command_run_line(struct session *s, const char *line, const char *file, u32 line_number, struct error *e)
{
	char *dir = file ? path_dir(file) : NULL;
	struct line_origin from = {.dir = dir, .root = dir};
	enum status st;

	s->depth++;
	st = lines_run(s, line, dir ? rights_keep(s, &from) : &rights_user, file, max_u32(line_number, 1), e);
	s->depth--;
	free(dir);
	return st;
}

enum status lines_run_apart(struct session *s, const char *text, const struct line_origin *from, const char *name,
			    u32 first_line, struct error *e)
{
	struct lang *l = s->lang;
	u32 expanded = l->expanded, sourced = l->sourced;
	enum status st;

	l->expanded = l->sourced = 0;
	st = lines_run(s, text, from, name, first_line, e);
	l->expanded = expanded;
	l->sourced = sourced;
	return st;
}

/* The next line of a file that a file reads: they are counted, for two lines that read the same double it. */
static bool sourced_next(struct line_source *self)
{
	struct lang *l = self->session->lang;

	return ++l->sourced <= MAX_SOURCED && text_next(self);
}

/* Refuse to run a file inside itself; else note that it is open. */
static enum status file_enter(struct lang *l, const char *path, struct error *e)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		snprintf(real, sizeof(real), "%s", path);
	for (u32 i = 0; i < l->nopen; i++)
		if (!strcmp(l->open_file[i], real))
			return error_set(e, STATUS_USAGE, "%s is already being read (a file cannot source itself)",
					 safe_text(path));
	l->open_file = xrealloc(l->open_file, (l->nopen + 1) * sizeof(*l->open_file));
	l->open_file[l->nopen++] = xstrdup(real);
	return STATUS_OK;
}

/* Run a file's lines, which come from there. */
static enum status file_run(struct session *s, const char *path, const char *name, const struct line_origin *from,
			    struct error *e)
{
	struct lang *l = s->lang;
	struct line_source src = {
		.next = l->nopen ? sourced_next : text_next, .file = name, .from = rights_keep(s, from)};
	char *data = NULL;
	enum status st = file_read_text(path, MAX_SCRIPT_BYTES, &data, &src.size, e);

	l->sourced += l->nopen ? LINES_OF_FILE : 0;
	if (!st)
		st = file_enter(l, path, e);
	if (!st) {
		src.data = data;
		src.offset = src.size >= 3 && !memcmp(data, "\xef\xbb\xbf", 3) ? 3 : 0; /* a byte order mark */
		s->depth++;
		st = source_run(s, &src, e);
		s->depth--;
		if (!st && l->sourced > MAX_SOURCED)
			st = error_set(e, STATUS_USAGE, "sourced files expand to more than %u lines", MAX_SOURCED);
		free(l->open_file[--l->nopen]);
	}
	free(data);
	return st;
}

enum status command_run_file(struct session *s, const char *path, struct error *e)
{
	bool odd = path[0] == '-' || !strcmp(path, "stdin");
	char *name = odd ? xasprintf("./%s", path) : xstrdup(path), *dir = path_dir(name);
	struct line_origin from = *rights_now(s);
	enum status st;

	from.dir = dir;
	from.root = from.root ? from.root : dir;
	st = file_run(s, path, name, &from, e);
	free(dir);
	free(name);
	return st;
}

enum status init_run(struct session *s, const char *path, struct error *e)
{
	char *dir = path_dir(path);
	enum status st = file_run(s, path, path, &(struct line_origin){.dir = dir}, e);

	free(dir);
	return st;
}

int block_depth(struct session *s, const struct line_source *src)
{
	struct words w;
	struct error e;
	const struct command *c = NULL;
	u32 words = 0;
	int depth = 0;

	if (!words_parse(&w, src->text, src->length, &e) && w.n) {
		if (!strcmp(w.token[0].s, "end") && w.n == 1)
			depth = -1;
		else
			c = alias_command(s->lang, w.token[0].s, &e);
	}
	if (c && definition_find(s->lang, w.token[0].s))
		c = NULL;
	for (u32 i = 0; c && i < MAX_ARGS && c->arg[i].type != ARG_END; i++)
		words += c->arg[i].type != ARG_FLAG && c->arg[i].type != ARG_REST && c->arg[i].type != ARG_EXPR;
	if (c && ((c->flags & COMMAND_BLOCK) || ((c->flags & COMMAND_BLOCK_IF_BARE) && w.n <= words + 1)))
		depth = 1;
	words_free(&w);
	return depth;
}

/* The next line of a block, which may have to be typed. */
static bool next_line(struct line_source *src)
{
	bool there;

	interrupt_pause();
	there = src->next(src);
	interrupt_resume();
	return there;
}

enum status block_read(struct session *s, struct line_source *src, const char *verb, char ***out, u32 *n,
		       struct error *e)
{
	u32 opened = src->line;
	int depth = 1;

	*out = NULL;
	*n = 0;
	while (next_line(src)) {
		if (memchr(src->text, 0, src->length)) {
			lines_free(*out, *n);
			return usage_at(e, (u32)strlen(src->text) + 1,
					"control byte 0x00 (commands must be plain text)");
		}
		depth += block_depth(s, src);
		if (!depth)
			return STATUS_OK;
		*out = array_grow(*out, *n, sizeof(**out));
		(*out)[(*n)++] = xstrndup(src->text, src->length);
	}
	lines_free(*out, *n);
	*out = NULL;
	*n = 0;
	return error_at(e, STATUS_USAGE, src->file, src->unnumbered ? 0 : opened, 0, "'%s' without its 'end'", verb);
}

void kept_fill(struct kept *k, struct session *s, const struct args *a)
{
	const struct line_source *src = s->source;

	*k = (struct kept){
		.line = xcalloc(a->nblock ? a->nblock : 1, sizeof(char *)),
		.n = a->nblock,
		.first_line = a->block_line,
		.file = src->file ? xstrdup(src->file) : NULL,
		.from = rights_keep(s, src->from),
	};
	for (u32 i = 0; i < a->nblock; i++)
		k->line[i] = xstrdup(a->block[i]);
}

void kept_free(struct kept *k)
{
	lines_free(k->line, k->n);
	free(k->file);
	*k = (struct kept){0};
}

enum status kept_run(struct session *s, const struct kept *k, char *const *lines, struct error *e)
{
	struct line_source src = {
		.next = array_next,
		.file = k->file,
		.from = k->from,
		.lines = lines,
		.nlines = k->n,
		.first_line = k->first_line,
	};
	enum status st;

	s->depth++;
	st = source_run(s, &src, e);
	s->depth--;
	return st;
}
