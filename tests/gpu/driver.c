/* driver.c - libcuda, if there is one. */
#include "driver.h"

#include <dlfcn.h>
#include <string.h>

struct driver driver;

bool driver_open(const char **why)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);

	if (!library) {
		*why = "there is no libcuda.so.1, the driver of NVIDIA's GPUs";
		return false;
	}
#define DRIVER_FIND(name, arguments) \
	do { \
		void *found = dlsym(library, #name); \
		if (!found) { \
			*why = "the driver has no " #name; \
			return false; \
		} \
		memcpy(&driver.name, &found, sizeof(found)); \
	} while (0);
	DRIVER_FUNCTIONS(DRIVER_FIND)
#undef DRIVER_FIND
	return true;
}

const char *driver_text(int code)
{
	const char *text = NULL;

	driver.cuGetErrorString(code, &text);
	return text ? text : "unknown error";
}
