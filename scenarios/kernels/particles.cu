// particles - structures as parameters: the box, the step and the pointers come by value, and a member is chosen by a
// dynamic index, so that some compilers copy the parameter to local memory. Particles bounce off the walls.
struct box {
	float low[3], high[3];
};

struct step {
	struct box walls;
	float *position[3];
	float *velocity[3];
	short bounces_most;
	double dt;
	int n;
};

extern "C" __global__ void particles(struct step s, int *bounces)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;

	if (i >= s.n)
		return;
#pragma unroll 1
	for (int axis = 0; axis < 3; axis++) {
		float v = s.velocity[axis][i], p = (float)(s.position[axis][i] + s.dt * v);

		if (p < s.walls.low[axis]) {
			p = 2.0f * s.walls.low[axis] - p;
			v = -v;
			count++;
		} else if (p > s.walls.high[axis]) {
			p = 2.0f * s.walls.high[axis] - p;
			v = -v;
			count++;
		}
		s.position[axis][i] = p;
		s.velocity[axis][i] = v;
	}
	bounces[i] = min(count, (int)s.bounces_most);
}
