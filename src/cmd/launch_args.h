/* launch_args.h - the arguments and the host loop of a `launch`: private to src/cmd. */
#ifndef WARPSTEP_LAUNCH_ARGS_H
#define WARPSTEP_LAUNCH_ARGS_H

#include "command.h"
#include "scene.h"

/* Read the words behind `args` from token *at on into l->param. */
enum status launch_args(struct session *s, const struct args *a, u32 *at, struct launch *l, struct error *e);
/* Read the words behind `while`. */
enum status launch_loop(struct session *s, const struct args *a, u32 *at, struct host_loop *out, struct error *e);
/* Append "(type, type)" of a kernel: what `args` of a launch takes; and the same behind its name. */
void launch_parameters(struct text *out, const struct kernel *k);
void launch_signature(struct text *out, const struct kernel *k);
/* Refuse a launch, its kernel's signature behind the reason. */
enum status launch_refuse(const struct kernel *k, const char *why, u32 column, struct error *e);
/* Change one option of a copy of a launch: its word and its value. The copy's tables of threads are its own from then
 * on.
 */
enum status launch_change(struct session *s, const struct token *word, struct launch *l, struct error *e);
/* Is a word one that begins an option of launch? */
bool launch_keyword(const char *word);

#endif
