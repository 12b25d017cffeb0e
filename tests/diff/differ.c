#include "diff.h"
#include <string.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "ops"))
		return ops_compare(argc - 1, argv + 1);
	return 2;
}
