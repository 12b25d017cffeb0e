/* driver.c - the driver of a GPU, as the comparisons of scenarios have it. */
#include "../gpu/driver.c"
