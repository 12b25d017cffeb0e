/*
 * video.h - how a video instruction is told what its spelling says: the number that is the last source of the rows of
 * ops_video.def. ptx_video.c puts it together, exec_video.h takes it apart.
 */
#ifndef WARPSTEP_VIDEO_H
#define WARPSTEP_VIDEO_H

#define VIDEO_A_SIGNED 1 /* .s32 as the type of a, b, d */
#define VIDEO_B_SIGNED 2
#define VIDEO_D_SIGNED 4
#define VIDEO_SATURATE 8
#define VIDEO_WRAP 16	/* shifts: by the amount modulo 32 */
#define VIDEO_NEGATE 32 /* vmad: the product, c, plus one */
#define VIDEO_NEGATE_C 64
#define VIDEO_PLUS_ONE 128
#define VIDEO_SECOND 8	 /* first bit of enum video_second */
#define VIDEO_COMPARE 12 /* of enum video_compare */
#define VIDEO_SCALE 16	 /* of the places that vmad shifts its result to the right: 4 bits */
/* First bits of the selectors: one of 3 bits of a scalar instruction (0 to 3 a byte, 4 and 5 a half, VIDEO_WHOLE); one
 * of 3 bits for each lane of an instruction on pairs or quads, the lowest first. Of d these have a mask of lanes. */
#define VIDEO_A 20
#define VIDEO_B 32
#define VIDEO_D 44
#define VIDEO_WHOLE 6

enum video_second { VIDEO_NONE, VIDEO_ADD, VIDEO_MIN, VIDEO_MAX };
enum video_compare { VIDEO_EQ, VIDEO_NE, VIDEO_LT, VIDEO_LE, VIDEO_GT, VIDEO_GE };

#endif
