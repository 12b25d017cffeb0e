/*
 * main.c - writes every input and expected output that the scenarios read.
 *
 * usage: reference DIRECTORY
 *
 * The files are kept in scenarios/data and tests/ptx; the tests compare them with what this program writes. They hold
 * raw elements, low byte first. Inputs that a scenario describes as `random` come from the same function that the
 * program uses.
 */
#include "reference.h"

#include <stdlib.h>

static const char *directory;

void emit(const char *name, const void *data, size_t n)
{
	char path[1024];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "wb");
	if (!f || fwrite(data, 1, n, f) != n || fclose(f)) {
		perror(path);
		exit(STATUS_USAGE);
	}
}

int main(int argc, char **argv)
{
#define REFERENCE_ROW(name) reference_##name,
	static void (*const make[])(void) = {REFERENCES(REFERENCE_ROW)};
#undef REFERENCE_ROW

	if (argc != 2) {
		fputs("usage: reference DIRECTORY\n", stderr);
		return STATUS_USAGE;
	}
	directory = argv[1];
	for (u32 i = 0; i < ARRAY_LEN(make); i++)
		make[i]();
	return STATUS_OK;
}
