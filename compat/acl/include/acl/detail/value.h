/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/value.h - words that streams write and wait for, and reductions.
 *
 * All functions return the codes of detail/stream.h, and 207000 on a platform without conditions
 * in streams (only the software devices have them). If the memory is freed before the work runs,
 * the work fails.
 */
#ifndef ACL_DETAIL_VALUE_H
#define ACL_DETAIL_VALUE_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/* Conditions of aclrtValueWait() on the word `now`. */
#define ACL_STREAM_WAIT_VALUE_GEQ 0x0U /* (int64_t)(now - value) >= 0, which survives an overflow */
#define ACL_STREAM_WAIT_VALUE_EQ  0x1U /* now == value */
#define ACL_STREAM_WAIT_VALUE_AND 0x2U /* (now & value) != 0 */
#define ACL_STREAM_WAIT_VALUE_NOR 0x3U /* ~(now | value) != 0 */

/*
 * Writes 8 bytes of device memory in stream order; makes later work of the stream wait until such a
 * word meets a condition. `devAddr` is a multiple of 8. 100000 if it is NULL; 107000 if `flag` is
 * not 0 (a write) or not one of the conditions (a wait), and for other memory or another address.
 */
aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);
aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

typedef enum aclrtReduceKind {
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

/*
 * Computes dst = dst op src for each element, in stream order. `count` is in bytes. The types are
 * ACL_INT8, ACL_INT16, ACL_INT32, ACL_FLOAT16, ACL_FLOAT and ACL_BF16, and ACL_UINT32 on a chip
 * without padding (Ascend950). Sums of integers wrap around; those of floating point numbers are
 * rounded to the nearest, to even in a tie. The maximum and the minimum of a NaN and a number are
 * the NaN. 100000 if dst or src is NULL, `reserve` is not, or the type is another one; 107000 if
 * count is 0 or no multiple of the element's size, the kind is unknown, a sum has more than 4 GiB,
 * or an address is not memory of the stream's device; 207000 for EQUAL.
 */
aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void *reserve);

ACL_EXTERN_C_END
#endif
