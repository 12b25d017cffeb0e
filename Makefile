# warpstep: build, test, install. `make help` lists the targets.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

VERSION := 0.1.0
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc

# What Debian needs: the one list. README gives the reasons. groff-base and mandoc check the manual and write it as HTML.
PACKAGES := pkg-config libncurses-dev libreadline-dev libjansson-dev libxxhash-dev liblzma-dev \
	zlib1g-dev libzstd-dev libsqlite3-dev libcmocka-dev tmux procps jq xz-utils groff-base mandoc
LINT_PACKAGES := cppcheck clang-tidy clang-format
FUZZ_PACKAGES := clang-14 libclang-rt-14-dev
LIBRARIES := ncursesw readline jansson libxxhash liblzma zlib libzstd sqlite3

# A comma, where make would take one for its own.
, := ,

CONFIG := $(if $(FUZZ),fuzz,$(if $(SAN),san,release))
B := build/$(CONFIG)
BINARY := $(if $(SAN),$B/warpstep,warpstep)
JOBS := $(shell nproc 2>/dev/null || echo 2)
SUBMAKE = +@$(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

# Expanded once, at the first recipe that compiles: the packages may have been installed by then.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell pkg-config --cflags $(LIBRARIES)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(shell pkg-config --libs $(LIBRARIES)))$(PKG_LIBS)

WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Werror=implicit-function-declaration $(if $(FUZZ),-Wno-unknown-pragmas -Wno-bitwise-instead-of-logical)
SANITIZE := -O1 -fsanitize=address$(,)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPTIMISE := $(if $(FUZZ),$(SANITIZE) -fsanitize=fuzzer-no-link,$(if $(SAN),$(SANITIZE),-O2))
DEFINES := -D_GNU_SOURCE -DVERSION='"$(VERSION)"'
# popcount and friends: every x86-64 of the last fifteen years has them.
ARCH := $(if $(filter x86_64,$(shell uname -m)),-march=x86-64-v2)
FLAGS = -std=gnu11 -g -pthread $(ARCH) $(OPTIMISE) $(HARDEN) $(WARNINGS) -ffp-contract=off -fno-math-errno $(DEFINES) -Iinclude -Iinclude/tables -I$B
LINK = $(CC) -pthread $(OPTIMISE) $(HARDEN_LINK) $(LDFLAGS)

# What makes an error in memory the end of the program and not somebody's way in; the sanitizers find more. What the compiler does
# not know is left out. CPPFLAGS, CFLAGS and LDFLAGS come behind all others: who gives one of these things decides about it.
GUARDS := -fstack-protector-strong -fstack-clash-protection $(if $(filter x86_64,$(shell uname -m)),-fcf-protection=return)
taken = $(if $(shell $(CC) -Werror $1 -x c -c /dev/null -o /dev/null 2>/dev/null && echo yes),$1)
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS))$(filter -O0,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
PLACED = $(if $(filter -static -static-pie -no-pie,$(LDFLAGS)),,$1)
HARDEN = $(if $(SAN)$(FUZZ),,$(GUARDS_TAKEN) $(FORTIFY) $(call PLACED,-fPIE))
HARDEN_LINK = $(if $(SAN)$(FUZZ),,$(call PLACED,-pie) -Wl$(,)-z$(,)relro$(,)-z$(,)now)
GUARDS_TAKEN = $(eval GUARDS_TAKEN := $(or $(call taken,$(GUARDS)),$(foreach g,$(GUARDS),$(call taken,$g))))$(GUARDS_TAKEN)

# Every source is found; the lanes' bodies are compiled once for each vector width of the host.
LANES_SOURCE := src/input/exec_lanes.c
SOURCES := $(filter-out $(LANES_SOURCE),$(wildcard src/*/*.c src/core/*/*.c))
LANES := baseline $(if $(filter x86_64,$(shell uname -m)),avx2 avx512)
LANES_baseline :=
LANES_avx2 := -mavx2 -mfma
LANES_avx512 := -mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma
# Short bodies are unrolled, long ones (conversions, halves) stay loops: they gain nothing, and take most of the time to compile.
LANES_OPTIMISE = $(if $(SAN),,-O3 $(call taken,--param max-completely-peeled-insns=100))
LANES_OBJECTS := $(if $(wildcard $(LANES_SOURCE)),$(LANES:%=$B/src/input/exec_lanes.%.o))
OBJECTS := $(SOURCES:%.c=$B/%.o) $(LANES_OBJECTS)
IDS := $(patsubst %,$B/%.ids,settings stats events ops machine)
MAIN := $B/src/main/main.o
LIBRARY := $B/libwarpstep.a
UNITS := $(patsubst tests/unit/%.c,$B/tests/%,$(wildcard tests/unit/test_*.c))
PROGRAMS := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/laws/*.c tests/bench/*.c tests/screens/*.c tests/reproduce/*.c tests/gpu/*.c tests/diff/*.c)))))
TEST_OBJECTS := $(patsubst tests/%.c,$B/objects-tests/%.o,$(wildcard tests/unit/test_*.c $(PROGRAMS:%=tests/%/*.c)))
REFERENCE := $B/tests/reference
.SECONDARY: $(TEST_OBJECTS)

# An object is as old as the moment when its compiler began: what is edited meanwhile compiles it again.
define COMPILE
@mkdir -p $(@D)
@echo "  cc      $<$(WIDTH)"
@began=$$(date +%s.%N); $(CC) $(FLAGS) $(INSIDE) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $< && touch -d @$$began $@
endef

.PHONY: all deps demo check check-more check-all run-tests test-programs lint style style-check words pictures mutants bench bench-compare reproduce silicon silicon-kernels fuzz fuzz-run differ ptx ptx-clang goldens man install dist deb clean help
.DELETE_ON_ERROR:

all: $(BINARY)

$(BINARY): $(MAIN) $(LIBRARY)
	@echo "  link    $@"
	@$(LINK) -o $@ $^ $(PKG_LIBS) -lm
	@$(if $(SAN),ln -sf $@ warpstep-san)

$(LIBRARY): $(filter-out $(MAIN),$(OBJECTS)) $B/objects
	@rm -f $@
	@$(AR) rcs $@ $(filter %.o,$^)

# The rows of the large tables by their names alone (of settings the highest value, too; of the fields of the machine all but the text), for the headers that everybody reads: a text,
# a default or a body that changes compiles again only what reads the table itself. Written when a name has changed; the stamp says when
# that was looked at last.
IDS_settings := \#define SETTING(id, name, kind, min, max, ...) SETTING(id, max)
IDS_stats := \#define COUNTER(where, id, ...) COUNTER(where, id)\n\#define FORMULA(...)
IDS_events := \#define EVENT(id, ...) EVENT(id)
IDS_ops := \#define OP(id, ...) OP(id)
$B/machine.ids.looked: include/tables/machine.def Makefile | $B/flags
	@awk '/^\/\*/ { text = 1 } !text { gsub(/"[^"]*"/, "\"\""); print } /\*\// { text = 0 }' $< > $@
	@cmp -s $@ $B/machine.ids || cp $@ $B/machine.ids
$(filter-out $B/machine.%,$(IDS:=.looked)): $B/%.ids.looked: include/tables/%.def Makefile $(wildcard include/tables/ops_*.def) | $B/flags
	@printf '$(IDS_$*)\n#include "$*.def"\n' | $(CC) -E -P -Iinclude/tables -x c - > $@
	@cmp -s $@ $B/$*.ids || cp $@ $B/$*.ids
$(IDS): %: %.looked
	@:

$B/%.o: %.c $B/flags | $(IDS)
	$(COMPILE)

# One object knows where the program is to be installed.
PLACES := src/session/paths
$B/$(PLACES).o: private INSIDE := -DDATA_DIR='"$(PREFIX)/share/warpstep"'
$B/$(PLACES).o: $B/prefix
$B/prefix: FORCE
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@

# The rooms of the core read each other's headers by their room; tests look inside the parts.
$B/src/core/%.o: private INSIDE := -iquote src/core -Wconversion
$B/src/policy/%.o: private INSIDE := -Wconversion
$B/objects-tests/%.o: private INSIDE := -iquote src/core -iquote src/input -iquote src/policy -iquote src/time
$B/objects-tests/%.o: tests/%.c $B/flags | $(IDS)
	$(COMPILE)

# The example of a policy in warpstep-hacking(7), as the first of a test's own policies (tests/unit/test_hacking.c).
$B/hacking_throttle.h: man/warpstep-hacking.7.in
	@mkdir -p $(@D)
	@sed -n '/^\/\* throttle\.c/,/^};/p' $< | sed -e 's/^\\&//' -e 's/\\(aq/'"'"'/g' -e 's/\\-/-/g' -e 's/\\e/\\/g' \
		-e 's/^const struct scheme scheme_throttle = {/const struct scheme scheme_trial[SCHEME_TRIALS] = {{/' -e 's/^};/}};/' > $@
$B/objects-tests/unit/test_hacking.o: $B/hacking_throttle.h

# What decides results, as one number: sweeps keep those of other versions apart (src/sweep/version.c).
MODEL := $(sort $(foreach f,base input policy core core/* time observe session lang cmd,$(wildcard src/$f/*.[ch])) $(wildcard include/*.h include/tables/*.def))
$B/model.h: $(MODEL) Makefile
	@mkdir -p $(@D)
	@printf '#define MODEL "%.12s"\n' "$$(cat $(MODEL) | sha256sum)" > $@
$B/src/sweep/version.o: $B/model.h

$(LANES_OBJECTS): private INSIDE = $(LANES_OPTIMISE) $(LANES_$*) -DLANES=$*
$(LANES_OBJECTS): private WIDTH = $() ($*)
$(LANES_OBJECTS): $B/src/input/exec_lanes.%.o: $(LANES_SOURCE) $B/flags | $(IDS)
	$(COMPILE)

# Unit tests, and test programs of several files, a folder each: when only the library has changed they are linked again, no more.
$B/tests/test_%: $B/objects-tests/unit/test_%.o $(LIBRARY)
	@mkdir -p $(@D)
	@$(LINK) -o $@ $^ -lcmocka $(PKG_LIBS) -lm

define PROGRAM
$B/tests/$1: $(patsubst tests/%.c,$B/objects-tests/%.o,$(wildcard tests/$1/*.c)) $(LIBRARY)
	@mkdir -p $$(@D)
	@$$(LINK) -o $$@ $$^ $$(PKG_LIBS) -lm
endef
$(foreach p,$(PROGRAMS),$(eval $(call PROGRAM,$p)))

# The laws look at what instructions read and write (flushes.c).
$B/tests/laws: private LINK += -Wl$(,)--wrap=front_issue
# What opens files goes through tests/fuzz/guard.h.
GUARDED := $(patsubst %,-Wl$(,)--wrap=%,fopen freopen open creat mkstemp mkostemp mkdir rmdir unlink truncate rename link opendir gzopen system popen)
$B/tests/test_fuzz: private LINK += $(GUARDED)
# A tracer beside that of origin follows values forwards.
$B/tests/test_origin: private LINK += -Wl$(,)--wrap=front_issue

$(REFERENCE): $(wildcard tests/reference/*.[ch]) tests/ptx/warpsync/warpsync.cu include/base.h $B/flags
	@mkdir -p $(@D)
	@echo "  cc      tests/reference"
	@$(CC) $(FLAGS) $(CPPFLAGS) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS) -o $@ $(filter %.c,$^) -lm

# Two stamps that change only with their contents: the flags, and the set of objects in the archive.
$B/flags: FORCE | $B/packages
	@echo '$(CC) $(subst ','\'',$(FLAGS) $(CPPFLAGS) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS))' | cmp -s - $@ || \
		echo '$(CC) $(subst ','\'',$(FLAGS) $(CPPFLAGS) $(CFLAGS) $(HARDEN_LINK) $(LDFLAGS))' > $@
$B/objects: FORCE
	@mkdir -p $(@D)
	@echo '$(OBJECTS)' | cmp -s - $@ || echo '$(OBJECTS)' > $@
$B/packages:
	@mkdir -p $(@D)
	@pkg-config --exists $(LIBRARIES) 2>/dev/null || \
		{ echo "warpstep: libraries are missing ($(LIBRARIES)); 'make deps' installs them" >&2; exit 1; }
	@touch $@
FORCE:

# Install the packages that are missing, where that is allowed; else print the command that would.
deps:
	@sh tests/deps.sh $(PACKAGES)

demo: deps
	$(SUBMAKE) all
	@if [ -t 0 ] && [ -t 1 ]; then ./warpstep; else ./warpstep -b scenarios/default.scn; fi

check: deps
	$(SUBMAKE) run-tests

# One at a time builds; then several may test.
run-tests:
	@mkdir -p build
	+@flock -o build/$(CONFIG).lock $(MAKE) --no-print-directory test-programs
	@BUILD=$B WARPSTEP=$(CURDIR)/$(BINARY) sh tests/run.sh $(TESTS)

# Of the unit tests only those that TESTS names, if it does.
WANTED = $(if $(TESTS),$(foreach u,$(UNITS),$(if $(strip $(foreach p,$(TESTS),$(findstring $p,$u))),$u)),$(UNITS))
test-programs: $(BINARY) $(WANTED) $(PROGRAMS:%=$B/tests/%) $(REFERENCE)

# With what takes longer: whole tables, the library on other machines, failures of each allocation and system call.
check-more: deps
	$(SUBMAKE) run-tests WARPSTEP_MORE=1

# The long tests, too, and those of check-more again under the sanitizers.
check-all: deps
	$(SUBMAKE) run-tests WARPSTEP_LONG=1
	$(SUBMAKE) run-tests SAN=1 WARPSTEP_MORE=1

lint: deps $B/packages $(IDS) $B/model.h
	@sh tests/deps.sh $(LINT_PACKAGES)
	cppcheck -j $(JOBS) --quiet --std=c11 --enable=warning,portability,performance --inline-suppr \
		--suppress=missingIncludeSystem --suppress=shiftTooManyBitsSigned --suppress=unknownMacro --suppress=constStatement --error-exitcode=1 -Iinclude -Iinclude/tables -I$B -D_GNU_SOURCE src
	@printf '%s\n' $(SOURCES) | xargs -P$(JOBS) -n16 sh -c 'clang-tidy --quiet "$$@" -- $(subst ','\'',$(FLAGS) -DDATA_DIR='""') -iquote src/core $(PKG_CFLAGS)' lint
	@$(MAKE) --no-print-directory style-check

# Bring the sources into the style of .clang-format (version 14; others differ in places). Strings alone may be longer than 120 columns.
STYLED = $(wildcard src/*/*.[ch] src/core/*/*.[ch] include/*.h tests/*/*.[ch])
CLANG_FORMAT ?= $(or $(shell command -v clang-format-14 2>/dev/null),clang-format)
style:
	$(CLANG_FORMAT) -i $(STYLED)

style-check:
	@$(CLANG_FORMAT) --dry-run -Werror $(STYLED)
	@for f in $(STYLED); do expand -t8 "$$f" | awk -v f="$$f" 'length > 120 && !/"/ { print f ":" NR ": longer than 120 columns"; bad = 1 } \
		END { exit bad }' || bad=1; done; [ -z "$$bad" ]

# SECONDS of each fuzzer, or of those that TARGETS names. What they find is kept in build/fuzz/corpus, what breaks in build/fuzz.
FUZZ_CC ?= $(or $(shell command -v clang-14 2>/dev/null),clang)
TARGETS ?= command ptx expr trace list packed lesson session kept
SECONDS ?= 60
fuzz: deps
	@sh tests/deps.sh $(FUZZ_PACKAGES)
	$(SUBMAKE) fuzz-run FUZZ=1 CC=$(FUZZ_CC)

fuzz-run: $(TARGETS:%=$B/fuzz_%)
	@for t in $(TARGETS); do SECONDS_EACH=$(SECONDS) B=$B sh tests/fuzz.sh $$t || exit 1; done

$B/fuzz_%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(LIBRARY)
	@echo "  cc      $<"
	@$(CC) $(FLAGS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(GUARDED) -fsanitize=fuzzer -o $@ $< $(LIBRARY) $(PKG_LIBS) -lm

# Random programs for SECONDS, from SEED on, by two interpreters and on random machines; GPU=1: on the GPU of this machine instead,
# and every form of an instruction there. What differs is kept, as small as it gets, in build/differ.
SEED ?= 1
differ: $B/tests/diff
	@mkdir -p build/differ; jobs=; for j in $$(seq $(JOBS)); do \
		$B/tests/diff $(if $(GPU),device,run -v 4 -o build/differ) -s $$(($(SEED) + j * 10000000)) -t $(SECONDS) & jobs="$$jobs $$!"; done; \
		bad=0; for j in $$jobs; do wait $$j || bad=1; done; $(if $(GPU),$B/tests/diff ops -g || bad=1;) exit $$bad

# Do the tests notice small errors? ROWS='pattern...' for some of tests/mutants/mutants.list.
mutants:
	@MAKE='$(MAKE)' CC='$(CC)' sh tests/mutants.sh $(ROWS)

# Its numbers go to build/bench.jsonl, too.
bench: $B/tests/bench
	@rm -f build/bench.jsonl; BENCH_JSON=build/bench.jsonl $B/tests/bench $(ROWS)

# The same of another commit, in turn: BASE=COMMIT, ROUNDS=5.
bench-compare: $B/tests/bench
	@MAKE='$(MAKE)' CC='$(CC)' BENCH=$B/tests/bench ROUNDS='$(or $(ROUNDS),5)' sh tests/bench.sh '$(BASE)' $(ROWS)

# The figures of papers beside ours, into build/reproduce: the runs that its database does not have yet, tables, and a page of HTML.
# PAPER=vt: of one paper; KEPT=1: of the numbers that are kept of the last whole run.
reproduce: $B/tests/reproduce
	@mkdir -p build/reproduce
	@OUT=build/reproduce $B/tests/reproduce $(if $(KEPT),--kept) --page=build/reproduce/reproduce.html $(if $(PAPER),--paper=$(PAPER)) $(ROWS)

# Microbenchmarks beside published numbers, and one-instruction traces beside Accel-Sim, into build/silicon.
PRESETS ?= volta a100 h100 qv100 ampere
PEERS ?= qv100
silicon: $(BINARY)
	@for p in $(PRESETS); do WARPSTEP=$(CURDIR)/$(BINARY) OUT=build/silicon sh tests/silicon.sh table $$p $(ROWS) || exit 1; done
	@for p in $(PEERS); do WARPSTEP=$(CURDIR)/$(BINARY) OUT=build/silicon sh tests/peer.sh ours $$p $(ROWS) || exit 1; done

# Kernels of the library on a preset beside what a GPU took; RUN=1: on the GPU of this machine first.
KERNELS_PRESET ?= h100
silicon-kernels: $(BINARY) $B/tests/gpu
	@$(if $(RUN),BUILD=$B OUT=build/silicon sh tests/kernels.sh run && BUILD=$B OUT=build/silicon sh tests/kernels.sh changes)
	@BUILD=$B OUT=build/silicon sh tests/kernels.sh table $(KERNELS_PRESET) $(if $(RUN),build/silicon/run-kernels.tsv)
	@BUILD=$B OUT=build/silicon sh tests/kernels.sh changed $(KERNELS_PRESET) $(if $(RUN),build/silicon/run-changes.tsv)

# If the unit tests and the laws hold, show what changes in the golden files (tests/goldens.sh); KEEP=yes keeps what was shown last.
goldens: test-programs
	@BUILD=$B WARPSTEP=$(CURDIR)/$(BINARY) sh tests/goldens.sh $(if $(KEEP),keep $(KEEP),show)

# Compile the kernels again; their PTX is kept in the tree, so that nobody needs a CUDA toolkit. A kernel that says -arch=sm_N gets that.
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),/usr/local/cuda/bin/nvcc)
ptx:
	@[ -x "$(NVCC)" ] || { echo "make ptx needs nvcc; set NVCC=/path/to/nvcc" >&2; exit 1; }
	@for d in scenarios/kernels scenarios/subcore/kernels; do cd $(CURDIR)/$$d && for k in *.cu; do \
		echo "  nvcc    $$k"; \
		arch=$$(sed -n 's/.*-arch=\(sm_[0-9]*\).*/\1/p' $$k | head -n 1); \
		$(NVCC) -ptx -arch=$${arch:-sm_75} -lineinfo -o $${k%.cu}.ptx $$k || exit 1; \
		sed -i -e '/\.file/s|"/.*/|"|' $${k%.cu}.ptx; done; done
	@cd tests/shape/advice && echo "  nvcc    advice.cu" && $(NVCC) -ptx -arch=sm_75 -o advice.ptx advice.cu
	@cd tests/ptx/warpsync && for arch in 75 80 90; do for o in 0 3; do \
		echo "  nvcc    warpsync.cu -O$$o sm_$$arch"; \
		$(NVCC) -ptx -arch=sm_$$arch -Xcicc -O$$o -lineinfo -o o$${o}_$$arch.ptx warpsync.cu || exit 1; \
		sed -i -e '/\.file/s|"/.*/|"|' o$${o}_$$arch.ptx; done; done

# The same kernels by clang alone, for the tests: all but those that call the toolkit's sines and exponentials, or say an architecture.
# And those of the labs, as each lab says itself.
CLANG ?= clang
CLANG_KERNELS = $(filter-out $(shell grep -lE '\b(sin|cos|exp|log)f?\b|-arch=' scenarios/kernels/*.cu),$(wildcard scenarios/kernels/*.cu))
CLANG_PTX := -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx60 \
	-Wno-unknown-cuda-version -nocudainc -nocudalib -O2 -S -include scenarios/kernels/warpstep.h
ptx-clang:
	@for k in $(CLANG_KERNELS); do \
		echo "  clang   $$k"; \
		$(CLANG) $(CLANG_PTX) -o tests/ptx/clang/$$(basename $$k .cu).ptx $$k || exit 1; done
	@for o in 0 2; do $(CLANG) $(CLANG_PTX) -O$$o -o tests/ptx/warpsync/clang$${o}_70.ptx \
		tests/ptx/warpsync/warpsync.cu || exit 1; done
	@cd scenarios/labs/kernels && for k in *.cu; do \
		echo "  clang   $$k"; \
		$$(sed -n 's/^compile //p' ../*-$${k%%[_.]*}.scn | sed -e "s|^clang|$(CLANG)|;s|%i|$$k|;s|%o|$${k%.cu}.ptx|;s|%d|.|") || exit 1; \
		sed -i -e '/\.file/s|"/.*/|"|' $${k%.cu}.ptx; done

# The pictures of README and the manual, of today's screens.
pictures: $(BINARY)
	@BUILD=$B WARPSTEP=$(CURDIR)/$(BINARY) WARPSTEP_GOLDENS=write sh tests/run.sh tests/golden/pictures

# Texts for users that break a rule of plain words (tests/words); PATHS='src/tui man' for some of them.
words:
	@sh tests/words.sh $(PATHS)

# The manual: the reference parts of its pages are printed by the program itself (man/make.sh).
man: $(BINARY)
	@sh man/make.sh ./$(BINARY) $(VERSION) build/man
	@./$(BINARY) --print-completion=bash > build/man/warpstep.bash
	@./$(BINARY) --print-completion=zsh > build/man/warpstep.zsh

# Folders of scenarios below the library's.
# Where zsh looks: site-functions, a package of Debian's puts it into vendor-completions.
ZSH_FOLDER := site-functions
AT = $(DESTDIR)$(PREFIX)
INSTALLED := $(BINARY)
LESSONS := $(sort $(patsubst scenarios/%/,%,$(dir $(wildcard scenarios/*/*.scn))))
install: all man
	install -d $(AT)/bin $(AT)/share/warpstep/scenarios/gpu \
		$(AT)/share/warpstep/scenarios/kernels \
		$(AT)/share/warpstep/scenarios/data \
		$(AT)/share/man/man1 $(AT)/share/man/man5 $(AT)/share/man/man7 \
		$(AT)/share/bash-completion/completions $(AT)/share/zsh/$(ZSH_FOLDER)
	install -m 755 $(INSTALLED) $(AT)/bin/warpstep
	install -m 644 man/warpstep.schema.json $(AT)/share/warpstep
	install -m 644 scenarios/*.scn $(AT)/share/warpstep/scenarios
	install -m 644 scenarios/gpu/*.gpu $(AT)/share/warpstep/scenarios/gpu
	install -m 644 scenarios/kernels/* $(AT)/share/warpstep/scenarios/kernels
	install -m 644 scenarios/data/* $(AT)/share/warpstep/scenarios/data
	for d in $(LESSONS); do \
		install -d $(AT)/share/warpstep/scenarios/$$d; \
		install -m 644 scenarios/$$d/*.scn $(AT)/share/warpstep/scenarios/$$d || exit 1; \
		[ -d scenarios/$$d/kernels ] || continue; \
		install -d $(AT)/share/warpstep/scenarios/$$d/kernels; \
		install -m 644 scenarios/$$d/kernels/* $(AT)/share/warpstep/scenarios/$$d/kernels || exit 1; done
	install -m 644 build/man/*.1 $(AT)/share/man/man1
	install -m 644 build/man/*.5 $(AT)/share/man/man5
	install -m 644 build/man/*.7 $(AT)/share/man/man7
	[ ! -e build/man/html/index.html ] || { install -d $(AT)/share/doc/warpstep/html && \
		install -m 644 build/man/html/* $(AT)/share/doc/warpstep/html; }
	install -m 644 build/man/warpstep.bash $(AT)/share/bash-completion/completions/warpstep
	install -m 644 build/man/warpstep.zsh $(AT)/share/zsh/$(ZSH_FOLDER)/_warpstep

# The files of the last commit, as one archive that is the same whoever makes it.
dist:
	@mkdir -p build
	@git archive --format=tar --prefix=warpstep-$(VERSION)/ HEAD | gzip -9n > build/warpstep-$(VERSION).tar.gz
	@echo "build/warpstep-$(VERSION).tar.gz"

# A Debian package for this machine's architecture and release of Debian. Its program differs in the object that knows the prefix.
DEB := build/deb
$(DEB)/paths.o: private INSIDE := -DDATA_DIR='"/usr/share/warpstep"'
$(DEB)/paths.o: $(PLACES).c $B/flags | $(IDS)
	$(COMPILE)
$(DEB)/warpstep: $(MAIN) $(DEB)/paths.o $(filter-out $(MAIN) $B/$(PLACES).o,$(OBJECTS))
	@$(LINK) -o $@ $^ $(PKG_LIBS) -lm
deb: $(DEB)/warpstep
	@rm -rf $(DEB)/root
	+@$(MAKE) --no-print-directory install AT=$(DEB)/root/usr INSTALLED=$< ZSH_FOLDER=vendor-completions >/dev/null
	@sh tests/deb.sh $(VERSION) $(DEB)/root build

clean:
	rm -rf build warpstep warpstep-san

help:
	@echo "make            build ./warpstep (SAN=1: with sanitizers, as ./warpstep-san)"
	@echo "make deps       install the Debian packages that are missing, or say how"
	@echo "make demo       deps, build, and open the first scenario"
	@echo "make check      deps, build, and run the quick tests (TESTS='pattern...' for some of them, long ones too)"
	@echo "make check-more what CI runs: also those that take longer"
	@echo "make check-all  the long tests too, and everything again under the sanitizers"
	@echo "make lint       cppcheck, clang-tidy and the style of the sources (make style applies it)"
	@echo "make bench      how fast it simulates on this machine (ROWS='word...' for some rows), also as JSON in build/bench.jsonl"
	@echo "make bench-compare BASE=COMMIT   the same beside another commit, in turn (ROUNDS=5 ROWS='word...')"
	@echo "make mutants    plant small errors and see whether the tests notice (ROWS='pattern...' for some of them)"
	@echo "make reproduce  papers' figures beside ours, in build/reproduce, as a page of HTML, too (PAPER=vt; KEPT=1: numbers of the last whole run; ROWS='fma ratio kernels mix rows limits vt static dyncta stalls elf points threshold large table chimera pairs classes maestro ranks decisions epochs sizes gangs supply choice reform apart ages stream ports readers' for some)"
	@echo "make silicon    microbenchmarks beside published numbers of GPUs and beside Accel-Sim, in build/silicon (PRESETS='volta a100 h100 qv100 ampere' ROWS='word...')"
	@echo "make silicon-kernels  kernels, and what changes of kernels save, on preset h100 beside an H100, in build/silicon; RUN=1 runs them on this machine's GPU first"
	@echo "make fuzz       feed the fuzzers for SECONDS=60 each (TARGETS='command ptx expr trace list packed lesson session kept'); needs clang"
	@echo "make differ     random programs on two interpreters and on random machines for SECONDS=60, from SEED=1 on (GPU=1: on this machine's GPU)"
	@echo "make pictures   draw the pictures of README and the manual again"
	@echo "make words      list the texts for users that break a rule of plain words (PATHS='src/tui man')"
	@echo "make man        assemble the manual pages in build/man, and as HTML in build/man/html"
	@echo "make goldens    if the unit tests and the laws hold, show what changes in the golden files; KEEP=yes (or 'pattern...') keeps what was shown"
	@echo "make ptx        compile scenarios/kernels/*.cu and tests/ptx/warpsync with nvcc"
	@echo "make ptx-clang  compile them with clang alone, into tests/ptx/clang, and those of the labs"
	@echo "make install    PREFIX=/usr/local DESTDIR="
	@echo "make dist       an archive of the files of the last commit, in build"
	@echo "make deb        a Debian package, in build"

-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d)
