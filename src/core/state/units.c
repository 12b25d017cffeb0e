/*
 * units.c - which settings say how long the instructions of a class take on an execution unit.
 */
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
