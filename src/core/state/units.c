/*
 * units.c - which settings say how long the instructions of a class take on an execution unit.
 */
#include "banks.h"
#include "state/units.h"

const struct class_times class_times[CLASS_COUNT] = {
	[CLASS_CONTROL] = {SET_unit_int_exit, SET_unit_int_exit, CLASS_CONTROL},
	[CLASS_INT] = {SET_lat_int, SET_unit_int_interval, CLASS_INT},
	[CLASS_IMUL] = {SET_lat_imul, SET_unit_int_interval, CLASS_IMUL},
	[CLASS_IDIV] = {SET_lat_idiv, SET_unit_int_interval, CLASS_IDIV},
	[CLASS_FP32] = {SET_lat_fp32, SET_unit_fp32_interval, CLASS_FP32},
	[CLASS_FP64] = {SET_lat_fp64, SET_unit_fp64_interval, CLASS_FP64},
	[CLASS_SFU] = {SET_lat_sfu, SET_unit_sfu_interval, CLASS_SFU},
	[CLASS_DIV32] = {SET_lat_div32, SET_unit_sfu_interval, CLASS_DIV32},
	[CLASS_DIV64] = {SET_lat_div64, SET_unit_fp64_interval, CLASS_DIV64},
	[CLASS_TENSOR] = {SET_lat_tensor, SET_unit_tensor_interval, CLASS_TENSOR},
	[CLASS_SHFL] = {SET_lat_shfl, SET_unit_int_interval, CLASS_SHFL},
	[CLASS_CONST] = {SET_lat_const, SET_unit_int_interval, CLASS_CONST},
	[CLASS_DMMA] = {SET_lat_dmma, SET_unit_tensor_f64, CLASS_TENSOR},
	[CLASS_HALF] = {SET_lat_half, SET_unit_half_interval, CLASS_FP32},
	[CLASS_UNIFORM] = {SET_lat_uniform, SET_unit_uniform_interval, CLASS_INT},
};

#define ALLOCATED 2 /* cycles from issue to the reservation of reads (collector.allocate) */

u32 inst_window(const struct config *c, const struct inst *in)
{
	u32 reads[MAX_BANKS] = {0}, passes = 0;
	if (c->collector_allocate)
		return ALLOCATED;
	for (u32 i = 0; i < in->nread; i++)
		if (!operand_merged(c, in, i))
			passes = max_u32(passes, ++reads[register_bank(c, 0, in->read[i])]);
	passes = passes ? passes + c->collector_delay + c->collector_late : 1;
	return max_u32(ceil_div(passes, c->collector_passes), c->collector_window);
}

u32 inst_due(const struct config *c, const struct inst *in)
{
	u32 window = c->collector_allocate ? max_u32(c->collector_window, ALLOCATED) : inst_window(c, in);
	u32 due = window + c->lat_pipe + class_latency(c, in->class);
	bool known = class_is_fixed(in->class) && !(in->class == CLASS_TENSOR && c->lat_tensor_step);
	return known && due <= CONTROL_MOST_STALL ? due : 0;
}
