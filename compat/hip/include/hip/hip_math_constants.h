/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_math_constants.h - constants of mathematics, of type float (names that end with _F) and double. Those
 * that are no ordinary numbers need the functions of kernel/integer_functions.h.
 */
#ifndef HIP_HIP_MATH_CONSTANTS_H
#define HIP_HIP_MATH_CONSTANTS_H

#define HIP_INF_F            __int_as_float(0x7f800000)
#define HIP_NAN_F            __int_as_float(0x7fffffff)
#define HIP_MIN_DENORM_F     __int_as_float(0x00000001)
#define HIP_MAX_NORMAL_F     __int_as_float(0x7f7fffff)
#define HIP_NEG_ZERO_F       __int_as_float((int)0x80000000)
#define HIP_ZERO_F           0.0F
#define HIP_ONE_F            1.0F
#define HIP_SQRT_HALF_F      0.707106781F
#define HIP_SQRT_TWO_F       1.41421356F
#define HIP_THIRD_F          0.333333333F
#define HIP_PIO4_F           0.785398163F
#define HIP_PIO2_F           1.57079633F
#define HIP_3PIO4_F          2.35619449F
#define HIP_2_OVER_PI_F      0.636619772F
#define HIP_SQRT_2_OVER_PI_F 0.797884561F
#define HIP_PI_F             3.14159265F
#define HIP_L2E_F            1.44269504F
#define HIP_L2T_F            3.32192809F
#define HIP_LG2_F            0.301029996F
#define HIP_LGE_F            0.434294482F
#define HIP_LN2_F            0.693147181F
#define HIP_LNT_F            2.30258509F
#define HIP_LNPI_F           1.14472989F
#define HIP_TWO_TO_M126_F    1.17549435e-38F
#define HIP_TWO_TO_126_F     8.50705917e37F
#define HIP_NORM_HUGE_F      3.40282347e38F
#define HIP_TWO_TO_23_F      8388608.0F
#define HIP_TWO_TO_24_F      16777216.0F
#define HIP_TWO_TO_31_F      2147483648.0F
#define HIP_TWO_TO_32_F      4294967296.0F

#define HIP_INF          __longlong_as_double(0x7ff0000000000000ll)
#define HIP_NAN          __longlong_as_double((long long)0xfff8000000000000ull)
#define HIP_MIN_DENORM   __longlong_as_double(0x0000000000000001ll)
#define HIP_NEG_ZERO     __longlong_as_double((long long)0x8000000000000000ull)
#define HIP_ZERO         0.0
#define HIP_ONE          1.0
#define HIP_SQRT_HALF    0.70710678118654752
#define HIP_SQRT_TWO     1.4142135623730951
#define HIP_THIRD        0.33333333333333333
#define HIP_PIO4         0.78539816339744831
#define HIP_PIO2         1.5707963267948966
#define HIP_3PIO4        2.3561944901923449
#define HIP_2_OVER_PI    0.63661977236758134
#define HIP_PI           3.1415926535897932
#define HIP_L2E          1.4426950408889634
#define HIP_L2T          3.3219280948873623
#define HIP_LG2          0.30102999566398120
#define HIP_LGE          0.43429448190325183
#define HIP_LN2          0.69314718055994531
#define HIP_LNT          2.3025850929940457
#define HIP_LNPI         1.1447298858494002
#define HIP_TWOTHIRD     0.66666666666666667
#define HIP_SQRT_2PI     2.5066282746310005
#define HIP_SQRT_PIO2    1.2533141373155003
#define HIP_TWO_TO_23    8388608.0
#define HIP_TWO_TO_52    4503599627370496.0
#define HIP_TWO_TO_53    9007199254740992.0
#define HIP_TWO_TO_54    18014398509481984.0
#define HIP_TWO_TO_M1022 2.2250738585072014e-308

#endif
