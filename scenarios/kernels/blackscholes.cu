// blackscholes - prices of European options, two per thread: exponentials, logarithms, roots and quotients on the special
// function units in their fast, approximate forms.
#define RATE 0.02f
#define VOLATILITY 0.30f

// The normal distribution by a polynomial in 1 / (1 + 0.2316419 |d|).
static __device__ float normal(float d)
{
	float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
	float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
	float tail = 0.39894228f * __expf(-0.5f * d * d) * p;

	return d > 0.0f ? 1.0f - tail : tail;
}

static __device__ float price(float stock, float strike, float years, float *put)
{
	float root = years * rsqrtf(years);
	float d1 = __fdividef(__logf(__fdividef(stock, strike)) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years,
			      VOLATILITY * root);
	float d2 = d1 - VOLATILITY * root, n1 = normal(d1), n2 = normal(d2);
	float now = strike * __expf(-RATE * years);

	*put = now * (1.0f - n2) - stock * (1.0f - n1);
	return stock * n1 - now * n2;
}

extern "C" __global__ void blackscholes(const float2 *stock, const float2 *strike, const float2 *years, float2 *call,
					float2 *put, int pairs)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float2 c, p;

	if (i >= pairs)
		return;
	c.x = price(stock[i].x, strike[i].x, years[i].x, &p.x);
	c.y = price(stock[i].y, strike[i].y, years[i].y, &p.y);
	call[i] = c;
	put[i] = p;
}
