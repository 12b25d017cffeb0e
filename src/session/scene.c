/*
 * scene.c - what set-up commands have declared, and the program made from it.
 *
 * Declarations only grow (undo takes the last ones back), so session.program shares their memory. Buffers lie from
 * STORE_GLOBAL_BASE up with a gap behind each, so that running over an end faults.
 */
#include "scene.h"
#include "rights.h"
#include "texture.h"

#define BUFFER_GAP 4096u
#define BUFFER_ALIGN 256u
#define TOTAL_LIMIT (8ULL << 30)

void scene_touch(struct session *s)
{
	if (!s->live)
		return;
	s->stale = s->moved;
	if (!s->moved)
		session_unmake(s);
}

/* Room for one more element behind an array of n. */
#define GROW(array, n) ((array) = array_grow((array), (n), sizeof(*(array))))

static u64 hash_name(const char *name)
{
	u64 h = 0;

	while (*name)
		h = h * 31 + (u8)*name++;
	return mix64(h);
}

/* Buffer i can be found by its name. */
static void enter_name(struct scene *t, u32 i)
{
	u64 at = hash_name(t->buffer[i].name);

	while (t->place[at & (t->nplace - 1)])
		at++;
	t->place[at & (t->nplace - 1)] = i + 1;
	t->nentered++;
}

/* The newest buffer can be; what was dropped since leaves its place when the table is made anew, before it is full. */
static void enter_newest(struct scene *t)
{
	if (t->nentered * 2 < t->nplace) {
		enter_name(t, t->nbuffer - 1);
		return;
	}
	free(t->place);
	t->nplace = 64;
	while (t->nplace < t->nbuffer * 4)
		t->nplace *= 2;
	t->nentered = 0;
	t->place = xcalloc(t->nplace, sizeof(*t->place));
	for (u32 i = 0; i < t->nbuffer; i++)
		enter_name(t, i);
}

struct buffer *scene_buffer(struct session *s, const char *name)
{
	struct scene *t = s->scene;
	u64 at = hash_name(name);

	for (u32 i; t->nplace && (i = t->place[at & (t->nplace - 1)]); at++)
		if (i <= t->nbuffer && !strcmp(t->buffer[i - 1].name, name))
			return &t->buffer[i - 1];
	return NULL;
}

/* Elements that the program's array of n buffers has room for. */
static u32 room_for(u32 n)
{
	u32 room = 1;

	while (room <= n)
		room *= 2;
	return room;
}

/* The program's buffers and modules are the scene's, as long as no machine uses them. */
static void scene_share(struct session *s)
{
	const struct scene *t = s->scene;
	struct program *p = &s->program;

	if (s->live)
		return;
	if (!p->buffer || room_for(p->nbuffer) != room_for(t->nbuffer))
		p->buffer = xrealloc(p->buffer, room_for(t->nbuffer) * sizeof(*p->buffer));
	p->module = xrealloc(p->module, (t->nmodule + 1) * sizeof(*p->module));
	for (u32 i = min_u32(p->nbuffer, t->nbuffer); i < t->nbuffer; i++)
		p->buffer[i] = t->buffer[i];
	for (u32 i = 0; i < t->nmodule; i++)
		p->module[i] = t->module[i];
	p->nbuffer = t->nbuffer;
	p->nmodule = t->nmodule;
	p->global_bytes = t->next_address ? t->next_address - STORE_GLOBAL_BASE : 0;
}

/* Bytes that the scene holds: contents of buffers, which the machine copies, and those of `symbol`. */
static u64 filled_bytes(const struct scene *t)
{
	return 2 * t->filled + t->symbols;
}

enum status scene_filled_room(const struct session *s, const char *name, u64 bytes, struct error *e)
{
	u64 limit = config_memory(&s->config), filled = filled_bytes(s->scene) + 2 * bytes;

	if (filled <= limit)
		return STATUS_OK;
	return error_set(
		e, STATUS_USAGE,
		"buffer '%s' (%llu MiB): contents of buffers would take %llu MiB, twice, but memory.limit is %llu MiB (a buffer of zeros takes only what is touched)",
		safe_text(name), bytes >> 20, filled >> 21, limit >> 20);
}

enum status scene_symbol_room(const struct session *s, const struct module_symbol *y, struct error *e)
{
	u64 limit = config_memory(&s->config), filled = filled_bytes(s->scene) + 2ull * y->size;

	if (filled <= limit)
		return STATUS_OK;
	return error_set(
		e, STATUS_USAGE,
		"variable '%s' (%u MiB): initialized contents would take %llu MiB, but memory.limit is %llu MiB (a buffer of zeros takes only what is touched)",
		safe_text(y->name), y->size >> 20, filled >> 20, limit >> 20);
}

enum status scene_add_buffer(struct session *s, const char *name, u8 type, u64 count, u8 *init, struct error *e)
{
	struct scene *t = s->scene;
	u64 address = t->next_address ? t->next_address : STORE_GLOBAL_BASE;
	u64 bytes = count * value_type_size[type];

	if (scene_buffer(s, name)) {
		free(init);
		return error_set(e, STATUS_USAGE, "buffer '%s' already exists (choose another name)",
				 token_shown(name));
	}
	if (!count || count > TOTAL_LIMIT || bytes > TOTAL_LIMIT - t->bytes) {
		free(init);
		return error_set(e, STATUS_USAGE,
				 count ? "buffer '%s' does not fit in memory (all buffers together: 8 GiB)"
				       : "buffer '%s' is empty (the size must be at least 1)",
				 token_shown(name));
	}
	scene_touch(s);
	GROW(t->buffer, t->nbuffer);
	t->buffer[t->nbuffer++] = (struct buffer){
		.name = xstrdup(name),
		.type = type,
		.count = count,
		.address = address,
		.bytes = bytes,
		.init = init,
	};
	enter_newest(t);
	t->revision++;
	t->bytes += bytes;
	t->filled += init ? bytes : 0;
	t->next_address = (address + bytes + BUFFER_GAP + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
	scene_share(s);
	return STATUS_OK;
}

void scene_define_buffer(struct session *s)
{
	struct scene *t = s->scene;

	t->buffer[t->nbuffer - 1].defined = true;
	if (!s->live)
		s->program.buffer[t->nbuffer - 1].defined = true;
}

enum status scene_add_texture(struct session *s, const char *name, const struct texture *t, struct error *e)
{
	struct scene *c = s->scene;
	u8 *init = memcpy(xmalloc(sizeof(*t)), t, sizeof(*t));
	enum status st = scene_add_buffer(s, name, VALUE_U32, sizeof(*t) / 4, init, e);

	if (st)
		return st;
	c->buffer[c->nbuffer - 1].texture = true;
	scene_define_buffer(s);
	if (!s->live)
		s->program.buffer[c->nbuffer - 1].texture = true;
	return STATUS_OK;
}

/* The contents of a module's variable at the beginning, a copy; NULL: zeros. */
static u8 *copy_init(const struct module_symbol *y)
{
	return y->init ? memcpy(xmalloc(y->size), y->init, y->size) : NULL;
}

/* Make a buffer of a .global variable. */
static enum status place_symbol(struct session *s, const struct module *m, struct module_symbol *y, struct error *e)
{
	struct error why;
	enum status st;

	if (y->common && scene_buffer(s, y->name)) {
		y->address = scene_buffer(s, y->name)->address;
		return STATUS_OK;
	}
	if (scene_buffer(s, y->name))
		return error_at(e, STATUS_USAGE, m->path, y->line, y->column,
				"variable '%s' needs a buffer of that name, but one already exists",
				token_shown(y->name));
	st = y->init ? scene_filled_room(s, y->name, y->size, &why) : STATUS_OK;
	if (!st)
		st = scene_add_buffer(s, y->name, y->type, ceil_div(y->size, value_type_size[y->type]), copy_init(y),
				      &why);
	if (st)
		return error_at(e, STATUS_USAGE, m->path, y->line, y->column, "%s", why.message);
	scene_define_buffer(s);
	y->address = s->scene->buffer[s->scene->nbuffer - 1].address;
	return STATUS_OK;
}

/* Turn a module's .global variables into buffers, and say in its kernels where they are. */
static enum status place_symbols(struct session *s, struct module *m, struct error *e)
{
	for (u32 i = 0; i < m->nsymbol; i++)
		if (m->symbol[i].space == SPACE_GLOBAL && m->symbol[i].size && place_symbol(s, m, &m->symbol[i], e))
			return e->status;
	module_place(m);
	for (u32 i = 0; i < m->nreloc; i++) {
		const struct module_symbol *y = &m->symbol[m->reloc[i].symbol];
		bool again = i && m->reloc[i - 1].symbol == m->reloc[i].symbol; /* those of one symbol stand together */

		if (y->space == SPACE_GLOBAL && !again)
			memcpy(scene_buffer(s, y->name)->init, y->init, y->size);
	}
	return STATUS_OK;
}

enum status scene_add_module(struct session *s, struct module *m, struct error *e)
{
	struct scene *t = s->scene, before = *t;
	enum status st;

	for (u32 i = 0; i < t->nmodule; i++)
		if (!strcmp(t->module[i]->path, m->path)) {
			st = error_set(e, STATUS_USAGE, "module %s is already loaded", safe_text(m->path));
			module_free(m);
			return st;
		}
	st = place_symbols(s, m, e);
	if (st) {
		scene_truncate(s, &before);
		module_free(m);
		return st;
	}
	scene_touch(s);
	m->from = rights_keep(s, rights_now(s));
	GROW(t->module, t->nmodule);
	t->module[t->nmodule++] = m;
	t->revision++;
	scene_share(s);
	return STATUS_OK;
}

struct scene_launch *scene_add_launch(struct session *s)
{
	struct scene *t = s->scene;

	scene_touch(s);
	GROW(t->launch, t->nlaunch);
	t->revision++;
	t->launch[t->nlaunch] = (struct scene_launch){0};
	return &t->launch[t->nlaunch++];
}

void scene_add_symbol(struct session *s, struct module *m, u32 symbol, u8 *bytes)
{
	struct scene *t = s->scene;
	const struct module_symbol *y = &m->symbol[symbol];
	u8 *before = xmalloc(y->size);
	struct buffer *b = y->space == SPACE_GLOBAL ? scene_buffer(s, y->name) : NULL;

	scene_touch(s);
	if (b && !b->init) {
		b->init = xcalloc(1, b->bytes);
		t->filled += b->bytes;
	}
	t->symbols += 2ull * y->size;
	memcpy(before, b ? b->init : m->constants + y->address, y->size);
	if (b) {
		u32 i = (u32)(b - t->buffer); /* the program's buffers are the first of these */

		memcpy(b->init, bytes, y->size);
		if (i < s->program.nbuffer)
			s->program.buffer[i].init = b->init;
	} else if (!s->live) {
		memcpy(m->constants + y->address, bytes, y->size);
	}
	GROW(t->symbol, t->nsymbol);
	t->revision++;
	t->symbol[t->nsymbol++] = (struct scene_symbol){m, symbol, bytes, before};
}

/* Fail if the name is that of an entry that its module could not take; *parts counts those of which it is a part. */
static enum status refused_kernel(const struct scene *t, const char *name, u32 *parts, struct error *e)
{
	const struct refused_entry *found = NULL;
	const struct module *in = NULL;
	bool exact = false;

	*parts = 0;
	for (u32 i = 0; i < t->nmodule; i++)
		for (u32 k = 0; k < t->module[i]->nrefused && !exact; k++) {
			const struct refused_entry *r = &t->module[i]->refused[k];

			if (!*name || !strstr(r->name, name))
				continue;
			++*parts;
			exact = !strcmp(r->name, name);
			found = r;
			in = t->module[i];
		}
	if (!exact && *parts != 1)
		return STATUS_OK;
	*parts = exact ? 0 : 1;
	return error_at(e, STATUS_USAGE, in->path, found->line, found->column, "kernel %s cannot be run: %s",
			token_shown(found->name), found->message);
}

enum status scene_refused(const struct session *s, const char *name, struct error *e)
{
	u32 parts;

	return refused_kernel(s->scene, name, &parts, e);
}

struct kernel *scene_kernel(struct session *s, const char *name, struct error *e)
{
	const struct scene *t = s->scene;
	struct kernel *part = NULL;
	u32 parts = 0, total = 0, refused;
	struct text list = {0};

	for (u32 i = 0; i < t->nmodule; i++)
		for (u32 k = 0; k < t->module[i]->nkernel; k++) {
			struct kernel *kernel = &t->module[i]->kernel[k];

			if (kernel_is_called(kernel, name)) {
				text_free(&list);
				return kernel;
			}
			if (total++ < 12)
				text_add(&list, "%s%s", total > 1 ? ", " : "", token_shown(kernel->name));
			if (*name && strstr(kernel->name, name) && !parts++)
				part = kernel;
		}
	if (refused_kernel(t, name, &refused, e) && (!parts || !refused)) {
		text_free(&list);
		return NULL;
	}
	parts += refused;
	if (parts != 1)
		error_set(e, STATUS_USAGE,
			  total ? "%s kernel '%s' (kernels: %s)" : "%s kernel '%s' (load a `module` first)",
			  parts ? "ambiguous" : "unknown", token_shown(name), list.s);
	text_free(&list);
	return parts == 1 ? part : NULL;
}

/* Free one declared launch. */
static void launch_drop(struct scene_launch *l)
{
	struct program p = {.launch = xmalloc(sizeof(*p.launch)), .nlaunch = 1};

	p.launch[0] = l->launch;
	program_free(&p);
	free(l->at);
	free(l->every);
	free(l->deadline);
	free(l->file);
}

/* Take the last `symbol` back. */
static void symbol_drop(struct session *s, struct scene *t, struct scene_symbol *y)
{
	const struct module_symbol *row = &y->module->symbol[y->symbol];
	struct buffer *b = s && row->space == SPACE_GLOBAL ? scene_buffer(s, row->name) : NULL;

	if (b)
		memcpy(b->init, y->before, row->size);
	else if (s && !s->live)
		memcpy(y->module->constants + row->address, y->before, row->size);
	t->symbols -= 2ull * row->size;
	free(y->bytes);
	free(y->before);
}

/* Drop declarations down to the counts of `to`; s NULL: for good. */
static void scene_cut(struct session *s, struct scene *t, const struct scene *to)
{
	while (t->nlaunch > to->nlaunch)
		launch_drop(&t->launch[--t->nlaunch]);
	while (t->nsymbol > to->nsymbol)
		symbol_drop(s, t, &t->symbol[--t->nsymbol]);
	while (t->nbuffer > to->nbuffer) {
		t->nbuffer--;
		t->filled -= t->buffer[t->nbuffer].init ? t->buffer[t->nbuffer].bytes : 0;
		free(t->buffer[t->nbuffer].name);
		free(t->buffer[t->nbuffer].init);
	}
	while (t->nmodule > to->nmodule)
		module_free(t->module[--t->nmodule]);
	t->next_address = to->next_address;
	t->bytes = to->bytes;
}

void scene_truncate(struct session *s, const struct scene *to)
{
	scene_cut(s, s->scene, to);
	s->scene->revision++;
	scene_share(s);
}

void scene_free(struct scene *t)
{
	scene_cut(NULL, t, &(struct scene){0});
	free(t->launch);
	free(t->symbol);
	free(t->buffer);
	free(t->place);
	free(t->module);
	*t = (struct scene){0};
}

struct scene *scene_hold(struct scene *t)
{
	t->holders++;
	return t;
}

void scene_drop(struct scene *t)
{
	if (t->holders) {
		t->holders--;
		return;
	}
	scene_free(t);
	free(t);
}

bool launch_apart(const struct config *c, const struct kernel *k)
{
	if (config_slices(c) > 1 && k->front == FRONT_PTX)
		return true;
	if (c->warp_independent == INDEPENDENT_TARGET)
		return k->target >= 70;
	return c->warp_independent == INDEPENDENT_ON && k->front != FRONT_TRACE;
}

/* A grid that synchronizes itself must be resident as a whole, as cudaLaunchCooperativeKernel asks for. */
static enum status settle_grid_sync(const struct config *c, const struct launch *l, const struct occupancy *o,
				    struct error *e)
{
	u32 sms = l->sms ? l->sms : c->gpu_sms;

	if (!l->kernel->grid_sync || l->ctas <= (u64)o->ctas * sms)
		return STATUS_OK;
	return error_set(
		e, STATUS_USAGE,
		"%s synchronizes its grid, so its %u CTAs must be resident at once, but %u can be: %u on each of %u SMs (limited by %s)",
		safe_text(l->name), l->ctas, o->ctas * sms, o->ctas, sms, occupancy_limit_name[o->binding]);
}

enum status scene_launch_settle(struct session *s, u32 i, struct launch *out, struct error *e)
{
	const struct scene_launch *l = &s->scene->launch[i];
	struct occupancy o;
	enum status st;

	if (out->kernel->front == FRONT_PTX)
		out->regs = max_u32(l->regs, out->kernel->regs);
	out->patience = s->config.warp_patience;
	out->most_first = s->config.warp_first == FIRST_MOST;
	out->apart = launch_apart(&s->config, out->kernel);
	st = l->at ? session_time(s, l->at, &out->at, e) : STATUS_OK;
	if (!st && l->every)
		st = session_time(s, l->every, &out->every, e);
	if (!st && l->deadline)
		st = session_time(s, l->deadline, &out->deadline, e);
	if (!st && out->sms > s->config.gpu_sms)
		st = error_set(e, STATUS_USAGE, "%s requests %u SMs, but the GPU has %u (gpu.sms)",
			       safe_text(out->name), out->sms, s->config.gpu_sms);
	if (!st)
		st = occupancy_of(&s->config, out->threads, out->regs, out->shared, &o, e);
	if (!st)
		st = settle_grid_sync(&s->config, out, &o, e);
	if (!st)
		return STATUS_OK;
	e->status = STATUS_USAGE;
	if (l->file)
		snprintf(e->file, sizeof(e->file), "%s", l->file);
	e->line = l->line;
	return STATUS_USAGE;
}

/* Launches of one stream that follow each other: none has a time of its own. */
static bool same_stream(const struct launch *a, const struct launch *b)
{
	return a == b || (a->stream == b->stream && !a->at && !b->at && !a->every && !b->every);
}

/* A stream that begins again does with all its launches. */
static enum status spread_restart(const struct scene *t, struct program *p, struct error *e)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		for (u32 k = 0; p->launch[i].restart && k < p->nlaunch; k++) {
			struct launch *l = &p->launch[k];

			if (!same_stream(&p->launch[i], l))
				continue;
			if (l->loop.present)
				return error_at(e, STATUS_USAGE, t->launch[k].file, t->launch[k].line, 0,
						"%s: `while` is not allowed in stream %u, which restarts",
						safe_text(l->name), l->stream);
			l->restart = true;
		}
	return STATUS_OK;
}

enum status scene_build(struct session *s, struct error *e)
{
	struct scene *t = s->scene;
	struct program *p = &s->program;
	enum status st = STATUS_OK;

	for (u32 i = 0; i < t->nmodule; i++)
		for (u32 k = 0; k < t->module[i]->nkernel; k++)
			kernel_make(&t->module[i]->kernel[k], &s->config);
	scene_share(s);
	p->launch = xcalloc(t->nlaunch ? t->nlaunch : 1, sizeof(*p->launch));
	p->nlaunch = t->nlaunch;
	for (u32 i = 0; i < t->nlaunch && !st; i++) {
		p->launch[i] = t->launch[i].launch;
		st = scene_launch_settle(s, i, &p->launch[i], e);
	}
	if (!st)
		st = spread_restart(t, p, e);
	for (u32 i = 0; i < t->nsymbol; i++) {
		const struct module_symbol *y = &t->symbol[i].module->symbol[t->symbol[i].symbol];

		if (y->space == SPACE_CONST)
			memcpy(t->symbol[i].module->constants + y->address, t->symbol[i].bytes, y->size);
	}
	if (st)
		scene_unbuild(s);
	return st;
}

void scene_unbuild(struct session *s)
{
	struct program *p = &s->program;

	free(p->launch);
	free(p->buffer);
	free(p->module);
	*p = (struct program){0};
	scene_share(s);
}
