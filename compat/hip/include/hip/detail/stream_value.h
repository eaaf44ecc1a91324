/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream_value.h - streams that wait for a value in memory, and that write one.
 *
 * The memory is any that this library knows: device, managed, pinned or registered memory, blocks of
 * pools, mappings. Another stream, another device, another process or the CPU may write the value.
 * An aligned value is read and written in one access. A stream that waits holds no thread. In a
 * capture both become nodes (hipGraphNodeTypeBatchMemOp). Memory that is freed while a stream waits
 * for a value in it is a permanent failure of the stream.
 */
#ifndef HIP_DETAIL_STREAM_VALUE_H
#define HIP_DETAIL_STREAM_VALUE_H

#include <hip/detail/types.h>

/* The condition for the value v = *ptr & mask. */
#define hipStreamWaitValueGte 0x0 /* v >= value, without signs */
#define hipStreamWaitValueEq  0x1 /* v == value */
#define hipStreamWaitValueAnd 0x2 /* (v & value) != 0 */
#define hipStreamWaitValueNor 0x3 /* (~(v | value) & mask) != 0 */

/* The operations of hipStreamBatchMemOp(). */
typedef enum hipStreamBatchMemOpType {
    hipStreamMemOpWaitValue32 = 0x1,
    hipStreamMemOpWriteValue32 = 0x2,
    hipStreamMemOpFlushRemoteWrites = 0x3, /* not supported */
    hipStreamMemOpWaitValue64 = 0x4,
    hipStreamMemOpWriteValue64 = 0x5,
    hipStreamMemOpBarrier = 0x6 /* not supported */
} hipStreamBatchMemOpType;

typedef struct hipStreamMemOpWaitValueParams {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
        uint32_t value;
        uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias; /* not used */
} hipStreamMemOpWaitValueParams;

typedef struct hipStreamMemOpWriteValueParams {
    hipStreamBatchMemOpType operation;
    hipDeviceptr_t address;
    union {
        uint32_t value;
        uint64_t value64;
    };
    unsigned int flags;
    hipDeviceptr_t alias; /* not used */
} hipStreamMemOpWriteValueParams;

typedef struct hipStreamMemOpFlushRemoteWritesParams {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
} hipStreamMemOpFlushRemoteWritesParams;

typedef struct hipStreamMemOpMemoryBarrierParams {
    hipStreamBatchMemOpType operation;
    unsigned int flags;
} hipStreamMemOpMemoryBarrierParams;

typedef union hipStreamBatchMemOpParams {
    hipStreamBatchMemOpType operation;
    hipStreamMemOpWaitValueParams waitValue;
    hipStreamMemOpWriteValueParams writeValue;
    hipStreamMemOpFlushRemoteWritesParams flushRemoteWrites;
    hipStreamMemOpMemoryBarrierParams memoryBarrier;
    uint64_t pad[6];
} hipStreamBatchMemOpParams;

HIP_EXTERN_C_BEGIN

/*
 * Work that is submitted later to the stream begins when the condition holds. hipErrorInvalidValue:
 * ptr NULL, or not 4 (8) bytes in memory of this library, or unknown flags; an unknown stream;
 * hipErrorNotSupported: the device has no conditions (hipDeviceAttributeCanUseStreamWaitValue).
 */
HIP_API hipError_t hipStreamWaitValue32(hipStream_t stream, void *ptr, uint32_t value,
                                        unsigned int flags, uint32_t mask HIP_DEFAULT(0xffffffffu));
HIP_API hipError_t hipStreamWaitValue64(hipStream_t stream, void *ptr, uint64_t value,
                                        unsigned int flags,
                                        uint64_t mask HIP_DEFAULT(0xffffffffffffffffull));

/* Writes a value in stream order. `flags` are ignored. Errors as above. */
HIP_API hipError_t hipStreamWriteValue32(hipStream_t stream, void *ptr, uint32_t value,
                                         unsigned int flags);
HIP_API hipError_t hipStreamWriteValue64(hipStream_t stream, void *ptr, uint64_t value,
                                         unsigned int flags);

/*
 * The same for 1 to 256 waits and writes, in the order of the list. A wait compares the whole
 * value. All are checked before the first is submitted. Release 7. hipErrorInvalidValue also:
 * paramArray NULL, flags not 0, another count, hipStreamMemOpFlushRemoteWrites or
 * hipStreamMemOpBarrier.
 */
HIP_API hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                                       hipStreamBatchMemOpParams *paramArray, unsigned int flags);

HIP_EXTERN_C_END
#endif
