/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/data.h - data of operators: kinds and formats of tensors, sizes of elements, and data
 * buffers. These functions need no device.
 */
#ifndef ACL_DETAIL_DATA_H
#define ACL_DETAIL_DATA_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

typedef enum aclFormat {
    ACL_FORMAT_UNDEFINED = -1,
    ACL_FORMAT_NCHW = 0,
    ACL_FORMAT_NHWC = 1,
    ACL_FORMAT_ND = 2,
    ACL_FORMAT_NC1HWC0 = 3,
    ACL_FORMAT_FRACTAL_Z = 4,
    ACL_FORMAT_NC1HWC0_C04 = 12,
    ACL_FORMAT_HWCN = 16,
    ACL_FORMAT_NDHWC = 27,
    ACL_FORMAT_FRACTAL_NZ = 29,
    ACL_FORMAT_NCDHW = 30,
    ACL_FORMAT_NDC1HWC0 = 32,
    ACL_FRACTAL_Z_3D = 33,
    ACL_FORMAT_NC = 35,
    ACL_FORMAT_NCL = 47,
    ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
    ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
    ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
    ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
    ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

typedef enum aclMemType {
    ACL_MEMTYPE_DEVICE = 0,
    ACL_MEMTYPE_HOST = 1,
    ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

typedef uint16_t aclFloat16;

/* Returns the bytes of an element, or 0 for a type without whole bytes. */
size_t aclDataTypeSize(aclDataType dataType);

/*
 * Convert between float and half. Neither form knows infinity or NaN: a half with the largest
 * exponent is the number that its bits would have (65536 for infinity), and a float that is too
 * large, infinite or NaN becomes 65504 with its sign, NaN without.
 */
float aclFloat16ToFloat(aclFloat16 value);
aclFloat16 aclFloatToFloat16(float value);

/*
 * A data buffer is the address and size of memory, which it neither reads nor frees. Create returns
 * NULL without host memory. 100000 for a buffer that is NULL; a getter then returns NULL or 0.
 */
typedef struct aclDataBuffer aclDataBuffer;

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);
aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer);
aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size);
void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer);
uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer);
size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer);

/* ---- logs of programs */

typedef enum aclLogLevel {
    ACL_DEBUG = 0,
    ACL_INFO = 1,
    ACL_WARNING = 2,
    ACL_ERROR = 3
} aclLogLevel;

/* Writes a line to the log of TARN_ACL_LOG if that is on. */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
               const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)

ACL_EXTERN_C_END
#endif
