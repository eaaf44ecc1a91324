/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/dvpp/hi_media_common.h - types and error codes of the second generation of media functions.
 */
#ifndef ACL_DVPP_HI_MEDIA_COMMON_H
#define ACL_DVPP_HI_MEDIA_COMMON_H

#include <acl/detail/types.h>

typedef signed char hi_s8;
typedef unsigned char hi_u8;
typedef short hi_s16;
typedef unsigned short hi_u16;
typedef int hi_s32;
typedef unsigned int hi_u32;
typedef long long hi_s64;
typedef unsigned long long hi_u64;
typedef float hi_float;
typedef double hi_double;
typedef char hi_char;
#define hi_void void

typedef enum hi_bool { HI_FALSE = 0, HI_TRUE = 1 } hi_bool;

#define HI_NULL    0L
#define HI_SUCCESS 0
#define HI_FAILURE (-1)

/*
 * Codes consist of 0xA0000000, the module in bits 16 to 23, the level in bits 13 to 15, and the
 * number of the error. Functions return them as hi_s32, so they are negative.
 */
#define HI_ID_SYS          2
#define HI_ID_VPC          7
#define HI_ERR_LEVEL_ERROR 4

#define HI_DEFINE_ERR(module, level, id)                                                           \
    ((hi_s32)(0xA0000000U | ((hi_u32)(module) << 16) | ((hi_u32)(level) << 13) | (hi_u32)(id)))

#define HI_ERR_SYS_ILLEGAL_PARAM HI_DEFINE_ERR(HI_ID_SYS, HI_ERR_LEVEL_ERROR, 0x03)
#define HI_ERR_SYS_NULL_PTR      HI_DEFINE_ERR(HI_ID_SYS, HI_ERR_LEVEL_ERROR, 0x06)
#define HI_ERR_SYS_NOT_SUPPORT   HI_DEFINE_ERR(HI_ID_SYS, HI_ERR_LEVEL_ERROR, 0x08)
#define HI_ERR_SYS_NO_MEM        HI_DEFINE_ERR(HI_ID_SYS, HI_ERR_LEVEL_ERROR, 0x0C)
#define HI_ERR_SYS_NOT_READY     HI_DEFINE_ERR(HI_ID_SYS, HI_ERR_LEVEL_ERROR, 0x10)

#define HI_ERR_VPC_ILLEGAL_PARAM HI_DEFINE_ERR(HI_ID_VPC, HI_ERR_LEVEL_ERROR, 0x03)
#define HI_ERR_VPC_NULL_PTR      HI_DEFINE_ERR(HI_ID_VPC, HI_ERR_LEVEL_ERROR, 0x06)
#define HI_ERR_VPC_NOT_SUPPORT   HI_DEFINE_ERR(HI_ID_VPC, HI_ERR_LEVEL_ERROR, 0x08)
#define HI_ERR_VPC_NO_MEM        HI_DEFINE_ERR(HI_ID_VPC, HI_ERR_LEVEL_ERROR, 0x0C)
#define HI_ERR_VPC_NOT_READY     HI_DEFINE_ERR(HI_ID_VPC, HI_ERR_LEVEL_ERROR, 0x10)

#endif
