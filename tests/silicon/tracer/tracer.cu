/*
 * tracer.cu - record every instruction of every kernel that a program launches, for NVBit 1.7.6 (sh tests/kernels.sh
 * record), as traces of version 6 of Accel-Sim's tracer, which `trace` reads.
 *
 * Into the folder $TRACES: kernelslist.g, kernel-N.traceg, and of a kernel's first launch its machine code,
 * kernel-N.cubin, and that as text, kernel-N.sass. $TRACER_BYTES: of the buffer on the GPU (3 GiB); a launch with more
 * records is left out, with a message. Deviations: registers are vector registers alone; instructions of functions that
 * a kernel calls get PCs from 0x1000000 on.
 */
#include <algorithm>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>
#include <unordered_set>
#include <vector>
#include "nvbit.h"

struct head {
	unsigned long long used, most;
};
struct stat {
	std::string words;
	bool mem;
	unsigned pc;
};
static std::vector<stat> table;
static std::unordered_set<CUfunction> done;
static uint64_t buffer;
static bool busy;
static int kernel_id;
static std::string folder = "traces";

static bool has(const std::string &s, const char *w)
{
	return s.find(w) != std::string::npos;
}

static unsigned width_of(const std::string &op)
{
	size_t at = 0;
	while ((at = op.find('.', at)) != std::string::npos) {
		at++;
		std::string t = op.substr(at, op.find('.', at) - at);
		if (!t.empty() && t[0] == 'U' && t.size() > 1)
			t = t.substr(1);
		if (!t.empty() && t.find_first_not_of("0123456789") == std::string::npos)
			return atoi(t.c_str()) / 8;
	}
	return 4;
}

static bool no_result(const std::string &s)
{
	static const char *const names[] = {"BRA",    "BRX",	   "BRXU",     "EXIT", "RET",	"CALL",	   "JMP",
					    "JMX",    "WARPSYNC",  "BAR",      "BSSY", "BSYNC", "BREAK",   "NANOSLEEP",
					    "DEPBAR", "LDGDEPBAR", "FCHK",     "R2P",  "PLOP3", "NOP",	   "MEMBAR",
					    "ERRBAR", "CCTL",	   "YIELD",    "BPT",  "KILL",	"R2B",	   "ST",
					    "STG",    "STS",	   "STL",      "RED",  "REDG",	"ARRIVES", "FENCE",
					    "SYNCS",  "LDGSTS",	   "WARPGROUP"};
	for (auto n : names)
		if (s == n)
			return true;
	return has(s, "SETP");
}

static void words_of(Instr *in, stat &o)
{
	std::string op = in->getOpcode(), shortop = op.substr(0, op.find('.'));
	char b[64];
	int dst = -1, nimm = 0, mrefs = 0;
	std::vector<int> src;
	long long imm[2] = {0, 0};
	bool lead = !no_result(shortop);
	for (int i = 0; i < in->getNumOperands(); i++) {
		const InstrType::operand_t *x = in->getOperand(i);
		switch (x->type) {
		case InstrType::OperandType::PRED:
		case InstrType::OperandType::UPRED: break;
		case InstrType::OperandType::REG:
			if (lead)
				dst = x->u.reg.num;
			else
				src.push_back(x->u.reg.num);
			lead = false;
			break;
		case InstrType::OperandType::MREF:
			mrefs++;
			if (x->u.mref.has_ra)
				src.push_back(x->u.mref.ra_num);
			lead = false;
			break;
		case InstrType::OperandType::IMM_UINT64:
			if (nimm < 2)
				imm[nimm++] = (long long)(int32_t)x->u.imm_uint64.value;
			lead = false;
			break;
		default: lead = false;
		}
	}
	auto space = in->getMemorySpace();
	o.mem = mrefs && space != InstrType::MemorySpace::NONE && space != InstrType::MemorySpace::CONSTANT;
	o.pc = in->getOffset();
	if (dst >= 0) {
		snprintf(b, sizeof b, "1 R%d ", dst);
		o.words += b;
	} else
		o.words += "0 ";
	o.words += op;
	if (src.size() > 4)
		src.resize(4);
	snprintf(b, sizeof b, " %zu ", src.size());
	o.words += b;
	for (int r : src) {
		snprintf(b, sizeof b, "R%d ", r);
		o.words += b;
	}
	if (o.mem) {
		snprintf(b, sizeof b, "%u ", width_of(op));
		o.words += b;
	} else {
		snprintf(b, sizeof b, "0 %lld %lld ", imm[0], imm[1]);
		o.words += b;
	}
}

static void instrument(CUcontext ctx, CUfunction f, const char *name)
{
	if (!done.insert(f).second)
		return;
	std::vector<CUfunction> all = nvbit_get_related_functions(ctx, f);
	if (!all.empty())
		fprintf(stderr, "tracer: %s calls %zu functions\n", name, all.size());
	all.push_back(f);
	FILE *sass = fopen((folder + "/kernel-" + std::to_string(kernel_id + 1) + ".sass").c_str(), "w");
	for (auto g : all) {
		bool own = g == f;
		for (auto in : nvbit_get_instrs(ctx, g)) {
			stat o;
			words_of(in, o);
			if (sass)
				fprintf(sass, "%s%04x %s\n", own ? "" : "callee ", o.pc, in->getSass());
			if (!own)
				o.pc += 0x1000000;
			int mref = !strncmp(in->getOpcode(), "LDGSTS", 6) ? 1 : 0;
			nvbit_insert_call(in, o.mem ? "trace_mem" : "trace_inst", IPOINT_BEFORE);
			nvbit_add_call_arg_guard_pred_val(in);
			nvbit_add_call_arg_const_val32(in, (uint32_t)table.size());
			if (o.mem)
				nvbit_add_call_arg_mref_addr64(in, mref);
			nvbit_add_call_arg_const_val64(in, buffer);
			table.push_back(o);
		}
	}
	if (sass)
		fclose(sass);
	nvbit_dump_cubin(ctx, f, (folder + "/kernel-" + std::to_string(kernel_id + 1) + ".cubin").c_str());
}

struct ref {
	uint32_t cta, warp;
	uint64_t at;
};

static void addresses(FILE *out, uint32_t mask, const uint64_t *a)
{
	uint64_t first = 0;
	long long stride = 0;
	int n = 0, last = -1;
	bool even = true;
	for (int i = 0; i < 32; i++) {
		if (!(mask >> i & 1))
			continue;
		if (!n)
			first = a[i];
		else {
			long long d = (long long)(a[i] - a[last]);
			if (n == 1)
				stride = d;
			if (d != stride || i != last + 1)
				even = false;
		}
		last = i;
		n++;
	}
	if (!n) {
		fprintf(out, "1 0x0 0 ");
		return;
	}
	if (even && n > 1) {
		fprintf(out, "1 0x%llx %lld ", (unsigned long long)first, stride);
		return;
	}
	fprintf(out, "2 0x%llx ", (unsigned long long)first);
	uint64_t at = first;
	bool begun = false;
	for (int i = 0; i < 32; i++)
		if (mask >> i & 1) {
			if (begun)
				fprintf(out, "%lld ", (long long)(a[i] - at));
			begun = true;
			at = a[i];
		}
}

static void write_out(CUcontext ctx, CUfunction f, cuLaunchKernel_params *p, const char *name)
{
	head h;
	cudaMemcpy(&h, (void *)buffer, sizeof h, cudaMemcpyDeviceToHost);
	if (h.used > h.most) {
		fprintf(stderr, "tracer: %s: %llu bytes of records, too many\n", name, h.used);
		return;
	}
	std::vector<uint8_t> raw(h.used);
	cudaMemcpy(raw.data(), (void *)(buffer + 64), h.used, cudaMemcpyDeviceToHost);
	std::vector<ref> order;
	for (uint64_t at = 0; at < h.used;) {
		const uint32_t *r = (const uint32_t *)&raw[at];
		order.push_back({r[2], r[3] & 0x7fffffff, at});
		at += 16 + (r[3] >> 31 ? 256 : 0);
	}
	std::stable_sort(order.begin(), order.end(),
			 [](const ref &x, const ref &y) { return x.cta != y.cta ? x.cta < y.cta : x.warp < y.warp; });
	char path[600];
	snprintf(path, sizeof path, "%s/kernel-%d.traceg", folder.c_str(), kernel_id);
	FILE *out = fopen(path, "w");
	int regs, shared, version;
	cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, f);
	cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, f);
	cuFuncGetAttribute(&version, CU_FUNC_ATTRIBUTE_BINARY_VERSION, f);
	fprintf(out,
		"-kernel name = %s\n-kernel id = %d\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %d\n-binary version = %d\n"
		"-cuda stream id = 0\n-shmem base_addr = 0x%016llx\n-local mem base_addr = 0x%016llx\n-nvbit version = %s\n-accelsim tracer version = 6\n-enable lineinfo = 0\n\n",
		name, kernel_id, p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY, p->blockDimZ,
		shared + p->sharedMemBytes, regs, version, (unsigned long long)nvbit_get_shmem_base_addr(ctx),
		(unsigned long long)nvbit_get_local_mem_base_addr(ctx), NVBIT_VERSION);
	fprintf(out,
		"#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediates\n");
	size_t i = 0;
	while (i < order.size()) {
		uint32_t cta = order[i].cta;
		fprintf(out, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", cta % p->gridDimX,
			cta / p->gridDimX % p->gridDimY, cta / p->gridDimX / p->gridDimY);
		while (i < order.size() && order[i].cta == cta) {
			size_t j = i;
			while (j < order.size() && order[j].cta == cta && order[j].warp == order[i].warp)
				j++;
			fprintf(out, "\nwarp = %u\ninsts = %zu\n", order[i].warp, j - i);
			for (; i < j; i++) {
				const uint32_t *r = (const uint32_t *)&raw[order[i].at];
				const stat &o = table[r[0]];
				fprintf(out, "%04x %08x %s", o.pc, r[1], o.words.c_str());
				if (o.mem)
					addresses(out, r[1], (const uint64_t *)(r + 4));
				fputc('\n', out);
			}
		}
		fprintf(out, "\n#END_TB\n");
	}
	fclose(out);
	FILE *list = fopen((folder + "/kernelslist.g").c_str(), "a");
	fprintf(list, "kernel-%d.traceg\n", kernel_id);
	fclose(list);
}

void nvbit_at_init()
{
	if (getenv("TRACES"))
		folder = getenv("TRACES");
}

void nvbit_tool_init(CUcontext ctx)
{
	unsigned long long most = 3ull << 30;
	if (getenv("TRACER_BYTES"))
		most = strtoull(getenv("TRACER_BYTES"), NULL, 0);
	void *p = NULL;
	if (cudaMalloc(&p, most + 64) != cudaSuccess) {
		fprintf(stderr, "tracer: no memory\n");
		_exit(1);
	}
	buffer = (uint64_t)p;
}

void nvbit_at_cuda_event(CUcontext ctx, int is_exit, nvbit_api_cuda_t cbid, const char *name, void *params,
			 CUresult *status)
{
	if (cbid == API_CUDA_cuModuleUnload)
		done.clear();
	if (busy || (cbid != API_CUDA_cuLaunchKernel && cbid != API_CUDA_cuLaunchKernel_ptsz))
		return;
	busy = true;
	cuLaunchKernel_params *p = (cuLaunchKernel_params *)params;
	const char *kernel = nvbit_get_func_name(ctx, p->f, true);
	if (!is_exit) {
		unsigned long long most = 3ull << 30;
		if (getenv("TRACER_BYTES"))
			most = strtoull(getenv("TRACER_BYTES"), NULL, 0);
		head h = {0, most};
		cudaDeviceSynchronize();
		cudaMemcpy((void *)buffer, &h, sizeof h, cudaMemcpyHostToDevice);
		instrument(ctx, p->f, kernel);
		nvbit_enable_instrumented(ctx, p->f, true);
		kernel_id++;
	} else {
		cudaError_t e = cudaDeviceSynchronize();
		if (e != cudaSuccess)
			fprintf(stderr, "tracer: %s: %s\n", kernel, cudaGetErrorString(e));
		else
			write_out(ctx, p->f, p, kernel);
	}
	busy = false;
}
