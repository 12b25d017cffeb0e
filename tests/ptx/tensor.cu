/* tensor.cu - products of small matrices as mma.h and inline PTX have them: nvcc -ptx -arch=sm_80 tensor.cu */
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

/* d = a x b + c, 16 x 16 each, all of which lie side by side or all across. */
template <typename T, typename S, typename L, int K, typename E>
__device__ void product(const E *a, const E *b, const S *c, S *d, layout_t how, int lead)
{
	fragment<matrix_a, 16, 16, K, T, L> fa;
	fragment<matrix_b, 16, 16, K, T, L> fb;
	fragment<accumulator, 16, 16, K, S> fc;

	load_matrix_sync(fa, a, lead);
	load_matrix_sync(fb, b, lead);
	load_matrix_sync(fc, c, 16, how);
	mma_sync(fc, fa, fb, fc);
	store_matrix_sync(d, fc, 16, how);
}

extern "C" __global__ void halves(const half *a, const half *b, const float *c, float *d)
{
	product<half, float, row_major, 16>(a, b, c, d, mem_row_major, 16);
}

extern "C" __global__ void across(const half *a, const half *b, const float *c, float *d)
{
	product<half, float, col_major, 16>(a, b, c, d, mem_col_major, 16);
}

extern "C" __global__ void narrow(const half *a, const half *b, const half *c, half *d)
{
	product<half, half, row_major, 16>(a, b, c, d, mem_row_major, 16);
}

extern "C" __global__ void narrow_across(const half *a, const half *b, const half *c, half *d)
{
	product<half, half, col_major, 16>(a, b, c, d, mem_col_major, 16);
}

extern "C" __global__ void brains(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *c, float *d)
{
	product<__nv_bfloat16, float, row_major, 16>(a, b, c, d, mem_row_major, 16);
}

extern "C" __global__ void bytes(const signed char *a, const signed char *b, const int *c, int *d)
{
	product<signed char, int, row_major, 16>(a, b, c, d, mem_row_major, 16);
}

extern "C" __global__ void bytes_across(const signed char *a, const signed char *b, const int *c, int *d)
{
	product<signed char, int, col_major, 16>(a, b, c, d, mem_col_major, 16);
}

/* Factors through shared memory, where a row is 24 elements long. */
extern "C" __global__ void shared(const half *a, const half *b, const float *c, float *d)
{
	__shared__ half sa[16 * 24], sb[16 * 24];

	for (int i = threadIdx.x; i < 256; i += 32) {
		sa[i / 16 * 24 + i % 16] = a[i];
		sb[i / 16 * 24 + i % 16] = b[i];
	}
	__syncwarp();
	product<half, float, row_major, 16>(sa, sb, c, d, mem_row_major, 24);
}

/* 16 x 8 of d = a x b, 16 deep: ldmatrix and mma.sync; columns 8 to 15 of d stay. */
extern "C" __global__ void direct(const half *a, const half *b, const float *c, float *d)
{
	__shared__ __align__(16) half sa[256], sb[256];
	unsigned r[4], s[2], lane = threadIdx.x, at;
	float x[4];

	for (int i = lane; i < 256; i += 32) {
		sa[i] = a[i];
		sb[i] = b[i];
	}
	__syncwarp();
	at = (unsigned)__cvta_generic_to_shared(&sa[lane % 16 * 16 + lane / 16 * 8]);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
	at = (unsigned)__cvta_generic_to_shared(&sb[lane % 16 * 16]);
	asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(s[0]), "=r"(s[1]) : "r"(at));
	for (int i = 0; i < 4; i++)
		x[i] = c[(lane / 4 + i / 2 * 8) * 16 + lane % 4 * 2 + i % 2];
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
		     : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(s[0]), "r"(s[1]));
	for (int i = 0; i < 4; i++)
		d[(lane / 4 + i / 2 * 8) * 16 + lane % 4 * 2 + i % 2] = x[i];
}

/* Other shapes: d = a x b + c of 32 x 8 and 8 x 32, 16 deep. */
template <int M, int N, typename T, typename S, typename LA, typename LB, typename E>
__device__ void oblong(const E *a, const E *b, const S *c, S *d, int la, int lb, layout_t how, int lc)
{
	fragment<matrix_a, M, N, 16, T, LA> fa;
	fragment<matrix_b, M, N, 16, T, LB> fb;
	fragment<accumulator, M, N, 16, S> fc;

	load_matrix_sync(fa, a, la);
	load_matrix_sync(fb, b, lb);
	load_matrix_sync(fc, c, lc, how);
	mma_sync(fc, fa, fb, fc);
	store_matrix_sync(d, fc, lc, how);
}
#define OBLONG(name, m, n, type, sum, element) \
	extern "C" __global__ void name##_rows(const element *a, const element *b, const sum *c, sum *d) \
	{ \
		oblong<m, n, type, sum, row_major, row_major>(a, b, c, d, 16, n, mem_row_major, n); \
	} \
	extern "C" __global__ void name##_columns(const element *a, const element *b, const sum *c, sum *d) \
	{ \
		oblong<m, n, type, sum, col_major, col_major>(a, b, c, d, m, 16, mem_col_major, m); \
	}
OBLONG(tall_halves, 32, 8, half, float, half)
OBLONG(wide_halves, 8, 32, half, float, half)
OBLONG(tall_narrow, 32, 8, half, half, half)
OBLONG(wide_narrow, 8, 32, half, half, half)
OBLONG(tall_brains, 32, 8, __nv_bfloat16, float, __nv_bfloat16)
OBLONG(wide_brains, 8, 32, __nv_bfloat16, float, __nv_bfloat16)
OBLONG(tall_bytes, 32, 8, signed char, int, signed char)
OBLONG(wide_bytes, 8, 32, signed char, int, signed char)

/* Doubles: 8 x 8, 4 deep. */
template <typename LA, typename LB>
__device__ void doubles(const double *a, const double *b, const double *c, double *d, int la, int lb, layout_t how)
{
	fragment<matrix_a, 8, 8, 4, double, LA> fa;
	fragment<matrix_b, 8, 8, 4, double, LB> fb;
	fragment<accumulator, 8, 8, 4, double> fc;

	load_matrix_sync(fa, a, la);
	load_matrix_sync(fb, b, lb);
	load_matrix_sync(fc, c, 8, how);
	mma_sync(fc, fa, fb, fc);
	store_matrix_sync(d, fc, 8, how);
}
extern "C" __global__ void doubles_rows(const double *a, const double *b, const double *c, double *d)
{
	doubles<row_major, row_major>(a, b, c, d, 4, 8, mem_row_major);
}
extern "C" __global__ void doubles_columns(const double *a, const double *b, const double *c, double *d)
{
	doubles<col_major, col_major>(a, b, c, d, 8, 4, mem_col_major);
}

/* Less than a byte: 8 x 8 of d = a x b + c, 16 bytes deep; rows of a lie c[64] elements apart. */
template <typename T, int K, typename E> __device__ void packed(const E *a, const E *b, const int *c, int *d, layout_t how, bool limit)
{
	fragment<matrix_a, 8, 8, K, T, row_major> fa;
	fragment<matrix_b, 8, 8, K, T, col_major> fb;
	fragment<accumulator, 8, 8, K, int> fc;

	load_matrix_sync(fa, a, c[64]);
	load_matrix_sync(fb, b, K);
	load_matrix_sync(fc, c, 8, how);
	mma_sync(fc, fa, fb, fc, limit);
	store_matrix_sync(d, fc, 8, how);
}
extern "C" __global__ void nibbles(const int *a, const int *b, const int *c, int *d)
{
	packed<experimental::precision::s4, 32>(a, b, c, d, mem_row_major, false);
}
extern "C" __global__ void unsigned_nibbles(const int *a, const int *b, const int *c, int *d)
{
	packed<experimental::precision::u4, 32>(a, b, c, d, mem_col_major, true);
}

template <experimental::bmmaBitOp OP> __device__ void bits(const unsigned *a, const unsigned *b, const int *c, int *d)
{
	fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> fa;
	fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> fb;
	fragment<accumulator, 8, 8, 128, int> fc;

	load_matrix_sync(fa, a, c[64]);
	load_matrix_sync(fb, b, 128);
	load_matrix_sync(fc, c, 8, mem_row_major);
	bmma_sync(fc, fa, fb, fc, OP);
	store_matrix_sync(d, fc, 8, mem_row_major);
}
extern "C" __global__ void bits_xor(const unsigned *a, const unsigned *b, const int *c, int *d)
{
	bits<experimental::bmmaBitOpXOR>(a, b, c, d);
}
extern "C" __global__ void bits_and(const unsigned *a, const unsigned *b, const int *c, int *d)
{
	bits<experimental::bmmaBitOpAND>(a, b, c, d);
}
