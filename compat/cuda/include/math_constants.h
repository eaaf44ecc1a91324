/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math_constants.h - constants of mathematics, of type float (names that end with _F) and double. Those
 * that are no ordinary numbers need the functions of kernel/integer_functions.h.
 */
#ifndef MATH_CONSTANTS_H
#define MATH_CONSTANTS_H

#define CUDART_INF_F            __int_as_float(0x7f800000)
#define CUDART_NAN_F            __int_as_float(0x7fffffff)
#define CUDART_MIN_DENORM_F     __int_as_float(0x00000001)
#define CUDART_MAX_NORMAL_F     __int_as_float(0x7f7fffff)
#define CUDART_NEG_ZERO_F       __int_as_float((int)0x80000000)
#define CUDART_ZERO_F           0.0F
#define CUDART_ONE_F            1.0F
#define CUDART_SQRT_HALF_F      0.707106781F
#define CUDART_SQRT_TWO_F       1.41421356F
#define CUDART_THIRD_F          0.333333333F
#define CUDART_PIO4_F           0.785398163F
#define CUDART_PIO2_F           1.57079633F
#define CUDART_3PIO4_F          2.35619449F
#define CUDART_2_OVER_PI_F      0.636619772F
#define CUDART_SQRT_2_OVER_PI_F 0.797884561F
#define CUDART_PI_F             3.14159265F
#define CUDART_L2E_F            1.44269504F
#define CUDART_L2T_F            3.32192809F
#define CUDART_LG2_F            0.301029996F
#define CUDART_LGE_F            0.434294482F
#define CUDART_LN2_F            0.693147181F
#define CUDART_LNT_F            2.30258509F
#define CUDART_LNPI_F           1.14472989F
#define CUDART_TWO_TO_M126_F    1.17549435e-38F
#define CUDART_TWO_TO_126_F     8.50705917e37F
#define CUDART_NORM_HUGE_F      3.40282347e38F
#define CUDART_TWO_TO_23_F      8388608.0F
#define CUDART_TWO_TO_24_F      16777216.0F
#define CUDART_TWO_TO_31_F      2147483648.0F
#define CUDART_TWO_TO_32_F      4294967296.0F

#define CUDART_INF          __longlong_as_double(0x7ff0000000000000ll)
#define CUDART_NAN          __longlong_as_double((long long)0xfff8000000000000ull)
#define CUDART_MIN_DENORM   __longlong_as_double(0x0000000000000001ll)
#define CUDART_NEG_ZERO     __longlong_as_double((long long)0x8000000000000000ull)
#define CUDART_ZERO         0.0
#define CUDART_ONE          1.0
#define CUDART_SQRT_HALF    0.70710678118654752
#define CUDART_SQRT_TWO     1.4142135623730951
#define CUDART_THIRD        0.33333333333333333
#define CUDART_PIO4         0.78539816339744831
#define CUDART_PIO2         1.5707963267948966
#define CUDART_3PIO4        2.3561944901923449
#define CUDART_2_OVER_PI    0.63661977236758134
#define CUDART_PI           3.1415926535897932
#define CUDART_L2E          1.4426950408889634
#define CUDART_L2T          3.3219280948873623
#define CUDART_LG2          0.30102999566398120
#define CUDART_LGE          0.43429448190325183
#define CUDART_LN2          0.69314718055994531
#define CUDART_LNT          2.3025850929940457
#define CUDART_LNPI         1.1447298858494002
#define CUDART_TWOTHIRD     0.66666666666666667
#define CUDART_SQRT_2PI     2.5066282746310005
#define CUDART_SQRT_PIO2    1.2533141373155003
#define CUDART_TWO_TO_23    8388608.0
#define CUDART_TWO_TO_52    4503599627370496.0
#define CUDART_TWO_TO_53    9007199254740992.0
#define CUDART_TWO_TO_54    18014398509481984.0
#define CUDART_TWO_TO_M1022 2.2250738585072014e-308

#endif
