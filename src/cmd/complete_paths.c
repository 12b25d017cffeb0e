/*
 * complete_paths.c - names of the machine's fields as they are typed: sm[0]. leads to the fields of an SM and to its
 * arrays, sm[0].warp[5]. to the fields of a warp.
 */
#include "complete_paths.h"

#include "machine.h"
#include "sim.h"

#include <dirent.h>
#include <sys/stat.h>

#define MAX_NAMES 2 /* of a path before the last */

/* The names of a path up to its last dot, without indices; their number. *end: where the name begins that is not whole.
 */
static u32 names_of(const char *path, char name[MAX_NAMES][64], size_t *end)
{
	u32 n = 0;
	size_t from = 0;
	int open = 0;

	*end = 0;
	for (size_t i = 0; path[i]; i++) {
		open += (path[i] == '[') - (path[i] == ']');
		if (path[i] != '.' || open)
			continue;
		if (n == MAX_NAMES)
			return MAX_NAMES + 1;
		snprintf(name[n++], sizeof(name[0]), "%.*s", (int)strcspn(path + from, "[."), path + from);
		from = *end = i + 1;
	}
	return n;
}

/* The row of a name in a block; SECTION_ALL: there is none. */
static u32 row_named(const char *name, u32 where)
{
	for (u32 i = 0; i < SECTION_ALL; i++) {
		const struct section_row *row = section_of(i);

		if (row && row->where == where && !strcmp(row->path, name))
			return i;
	}
	return SECTION_ALL;
}

/* The block that a name indexes: its row is its own; SECTION_ALL: it is none. */
static u32 block_named(const char *name)
{
	static const u32 block[] = {SECTION_SM, SECTION_SLICE, SECTION_CHANNEL};

	for (u32 i = 0; i < ARRAY_LEN(block); i++)
		if (!strcmp(section_of(block[i])->path, name))
			return block[i];
	return SECTION_ALL;
}

/* The fields of a row behind a path. */
static void offer_fields(const char *path, size_t n, const struct section_row *row, complete_offer *offer)
{
	char word[256];

	for (u32 i = 0; i < row->nfields; i++) {
		snprintf(word, sizeof(word), "%.*s%s", (int)n, path, row->field[i].name);
		offer(word, row->field[i].doc);
	}
}

/* The arrays of a block behind a path: what schemes keep has no index. */
static void offer_arrays(const char *path, size_t n, u32 where, u32 but, complete_offer *offer)
{
	char word[256];

	for (u32 i = 0; i < SECTION_ALL; i++) {
		const struct section_row *row = section_of(i);

		if (!row || row->where != where || i == but || !row->path)
			continue;
		snprintf(word, sizeof(word), "%.*s%s%s", (int)n, path, row->path,
			 i >= SECTION_COUNT || !strcmp(row->path, "gpu") ? "." : "[");
		offer(word, "of the machine");
	}
}

void complete_path(const char *partial, complete_offer *offer)
{
	char name[MAX_NAMES][64];
	size_t end;
	u32 n = names_of(partial, name, &end), block, row;

	if (!n) {
		static const char *const heads[] = {"sm[", "slice[", "channel["};

		for (u32 i = 0; i < ARRAY_LEN(heads); i++)
			offer(heads[i], "of the machine");
		offer_arrays("", 0, IN_GPU, SECTION_ALL, offer);
		offer_arrays("", 0, IN_SM, SECTION_SM, offer); /* of the focused SM */
		return;
	}
	block = block_named(name[0]);
	if (n == 1 && block < SECTION_ALL) {
		offer_fields(partial, end, section_of(block), offer);
		offer_arrays(partial, end, section_of(block)->where, block, offer);
	} else if (n == 1) {
		row = row_named(name[0], IN_GPU);
		row = row < SECTION_ALL ? row : row_named(name[0], IN_SM);
		if (row < SECTION_ALL)
			offer_fields(partial, end, section_of(row), offer);
	} else if (n == MAX_NAMES && block < SECTION_ALL) {
		row = row_named(name[1], section_of(block)->where);
		if (row < SECTION_ALL)
			offer_fields(partial, end, section_of(row), offer);
	}
}

void complete_kernel_files(const char *partial, complete_offer *offer)
{
	const char *slash = strrchr(partial, '/'), *begin = slash ? slash + 1 : partial;
	char *folder = slash ? xstrndup(partial, (size_t)(begin - partial)) : xstrdup("./");
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *path = xasprintf("%s%s", folder, entry->d_name), *word;
		struct stat about;
		bool inside = !stat(path, &about) && S_ISDIR(about.st_mode);

		if (!strncmp(entry->d_name, begin, strlen(begin)) && (entry->d_name[0] != '.' || *begin == '.') &&
		    (inside || ends_with(entry->d_name, ".cu") || ends_with(entry->d_name, ".ptx"))) {
			word = xasprintf("%.*s%s%s", (int)(begin - partial), partial, entry->d_name, inside ? "/" : "");
			offer(word, NULL);
			free(word);
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	free(folder);
}
