/*
 * scene.h - what set-up commands have declared: modules, buffers, launches, constants. session_make copies it into
 * session.program.
 */
#ifndef WARPSTEP_SCENE_H
#define WARPSTEP_SCENE_H

#include "front.h"
#include "session.h"

/* A launch as declared. */
struct scene_launch {
	struct launch launch;
	char *at, *every, *deadline; /* texts of times, NULL none: converted when the machine is made */
	u32 regs; /* per thread, that were asked for; 0: as many as the kernel needs in the order that it has then */
	char *file;
	u32 line;
};
/* A module's constants as `symbol` wants them. */
struct scene_symbol {
	struct module *module;
	u32 symbol;
	u8 *bytes;
	u8 *before; /* what was there, for undo */
};
struct scene {
	struct module **module;
	struct buffer *buffer;
	struct scene_launch *launch;
	struct scene_symbol *symbol;
	u32 nmodule, nbuffer, nlaunch, nsymbol;
	u64 next_address, bytes;
	u64 filled, symbols; /* bytes of buffers that have contents; of what `symbol` gave and what was there before */
	u32 *place;	     /* by name, open addressing: 1 + index of a buffer; 0: free */
	u32 nplace, nentered;
	u64 revision; /* changes whenever something is declared or dropped */
	u32 holders;  /* who has it beside the session that declares it (scene_hold) */
};
/* Set-up is about to change: a machine that has not moved is dropped, one that has is marked for restart. */
void scene_touch(struct session *s);
enum status scene_add_module(struct session *s, struct module *m, struct error *e);
/* Is there memory for a buffer of so many bytes that is filled (memory.limit)? */
enum status scene_filled_room(const struct session *s, const char *name, u64 bytes, struct error *e);
/* The same for what one more `symbol` keeps. */
enum status scene_symbol_room(const struct session *s, const struct module_symbol *y, struct error *e);
/* A buffer of that size; its init (owned from then on) may be NULL. */
enum status scene_add_buffer(struct session *s, const char *name, u8 type, u64 count, u8 *init, struct error *e);
/* What is in the newest buffer at the beginning has been said. */
void scene_define_buffer(struct session *s);
/* A texture or surface object: a buffer that holds its description. */
struct texture;
enum status scene_add_texture(struct session *s, const char *name, const struct texture *t, struct error *e);
struct scene_launch *scene_add_launch(struct session *s);
void scene_add_symbol(struct session *s, struct module *m, u32 symbol, u8 *bytes);
struct buffer *scene_buffer(struct session *s, const char *name);
struct kernel *scene_kernel(struct session *s, const char *name, struct error *e);
/* Fail if an entry of this name, or the only one with this part, could not be taken from its module. */
enum status scene_refused(const struct session *s, const char *name, struct error *e);
/* Drop what was declared after the counts of `to` (undo). */
void scene_truncate(struct session *s, const struct scene *to);
void scene_free(struct scene *t);
/* One more has the scene; one less: the last frees it. */
struct scene *scene_hold(struct scene *t);
void scene_drop(struct scene *t);
/* Fill session.program from the scene; the program is the scene's again. */
enum status scene_build(struct session *s, struct error *e);
/* Do lanes of a kernel that part go their own ways: as its module's target says, and as is set? Traces tell their
 * paths.
 */
bool launch_apart(const struct config *c, const struct kernel *k);
void scene_unbuild(struct session *s);
/* What the session's settings make of launch i as it was declared: times in cycles, lanes, whether a block fits. */
enum status scene_launch_settle(struct session *s, u32 i, struct launch *out, struct error *e);

#endif
