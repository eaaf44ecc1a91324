// SPDX-License-Identifier: Apache-2.0
// Data of operators on the host: sizes of elements, half floats and data buffers. A data buffer is an object
// with a handle. Changes of a buffer are not synchronised with its other uses, as in AscendCL.
#include <acl/detail/data.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/face.h"
#include "compat/face/log.h"

// ---- elements

size_t aclDataTypeSize(aclDataType dataType) {
    static const uint8_t sizes[] = {
        [ACL_FLOAT] = 4,     [ACL_FLOAT16] = 2,     [ACL_INT8] = 1,          [ACL_INT32] = 4,
        [ACL_UINT8] = 1,     [ACL_INT16] = 2,       [ACL_UINT16] = 2,        [ACL_UINT32] = 4,
        [ACL_INT64] = 8,     [ACL_UINT64] = 8,      [ACL_DOUBLE] = 8,        [ACL_BOOL] = 1,
        [ACL_COMPLEX64] = 8, [ACL_COMPLEX128] = 16, [ACL_BF16] = 2,          [ACL_COMPLEX32] = 4,
        [ACL_HIFLOAT8] = 1,  [ACL_FLOAT8_E5M2] = 1, [ACL_FLOAT8_E4M3FN] = 1, [ACL_FLOAT8_E8M0] = 1};
    return (unsigned)dataType < sizeof sizes ? sizes[dataType] : 0;
}

// A half has 5 bits of exponent, biased by 15, and 10 of fraction; a float 8, biased by 127, and 23.
float aclFloat16ToFloat(aclFloat16 value) {
    uint32_t exponent = value >> 10 & 31, fraction = value & 0x3ff;
    float sign = (value & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 0) return sign * (float)fraction / 0x1p24F;
    uint32_t bits = (exponent + 127 - 15) << 23 | fraction << 13;
    float result;
    memcpy(&result, &bits, sizeof result);
    return sign * result;
}

// Rounds to the nearest half, and to the even one of two.
aclFloat16 aclFloatToFloat16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return 0x7bff; // NaN
    if (bits >= 0x477ff000) return sign | 0x7bff;
    int shift = 13;
    uint32_t fraction = bits & 0x7fffff, exponent = bits >> 23;
    if (exponent <= 127 - 15) { // too small for a normal half
        shift += (int)(127 - 14 - exponent);
        if (shift > 24) return sign;
        fraction |= 0x800000;
        exponent = 0;
    } else {
        exponent -= 127 - 15;
    }
    uint32_t half = (exponent << 10) + (fraction >> shift);
    uint32_t rest = fraction & ((1U << shift) - 1), middle = 1U << (shift - 1);
    if (rest > middle || (rest == middle && (half & 1) != 0)) half++;
    return (aclFloat16)(sign | half);
}

// ---- data buffers

struct buffer {
    struct tn_face_object object; // first
    void *data;
    size_t size;
};

static void buffer_destroy(struct tn_face_object *object) { free(object); }

static aclError create_buffer(void *data, size_t size, aclDataBuffer **handle) {
    struct buffer *buffer = (struct buffer *)calloc(1, sizeof *buffer);
    if (buffer == NULL || !tn_face_handle_new(&buffer->object, TN_ACL_BUFFER, buffer_destroy)) {
        free(buffer);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a data buffer");
    }
    buffer->data = data;
    buffer->size = size;
    *handle = (aclDataBuffer *)buffer->object.handle;
    return ACL_SUCCESS;
}

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size) {
    aclDataBuffer *buffer = NULL;
    (void)TN_ACL_CALL(create_buffer(data, size, &buffer));
    return buffer;
}

TN_ACL_FUNCTION(aclDestroyDataBuffer, const aclDataBuffer *, dataBuffer) {
    TN_ACL_ARGUMENT(!tn_face_handle_end((uintptr_t)dataBuffer, TN_ACL_BUFFER),
                    "%p is not a data buffer", (const void *)dataBuffer);
    return ACL_SUCCESS;
}

static aclError get_buffer(const aclDataBuffer *handle, struct buffer **buffer) {
    *buffer = (struct buffer *)tn_face_handle_get((uintptr_t)handle, TN_ACL_BUFFER);
    TN_ACL_ARGUMENT(*buffer == NULL, "%p is not a data buffer", (const void *)handle);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclUpdateDataBuffer, aclDataBuffer *, dataBuffer, void *, data, size_t, size) {
    TN_ACL_GET(buffer, buffer, get_buffer(dataBuffer, &buffer));
    buffer->data = data;
    buffer->size = size;
    return ACL_SUCCESS;
}

// Leaves *data and *size as they are if there is no such buffer.
static aclError read_buffer(const aclDataBuffer *handle, void **data, size_t *size) {
    TN_ACL_GET(buffer, buffer, get_buffer(handle, &buffer));
    *data = buffer->data;
    *size = buffer->size;
    return ACL_SUCCESS;
}

#define GETTER(name, type, value)                                                                  \
    type name(const aclDataBuffer *dataBuffer) {                                                   \
        void *data = NULL;                                                                         \
        size_t size = 0;                                                                           \
        (void)TN_ACL_CALL(read_buffer(dataBuffer, &data, &size));                                  \
        return (type)(value);                                                                      \
    }

GETTER(aclGetDataBufferAddr, void *, data)
GETTER(aclGetDataBufferSize, uint32_t, size)
GETTER(aclGetDataBufferSizeV2, size_t, size)

// ---- logs of programs

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
               const char *fmt, ...) {
    static const enum tn_log_level levels[] = {[ACL_DEBUG] = TN_LOG_DEBUG,
                                               [ACL_INFO] = TN_LOG_INFO,
                                               [ACL_WARNING] = TN_LOG_ERROR,
                                               [ACL_ERROR] = TN_LOG_ERROR};
    char text[1024];
    va_list arguments;
    if (fmt == NULL || (unsigned)logLevel > ACL_ERROR || tn_log_level() < levels[logLevel]) return;
    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    tn_log_line(levels[logLevel], "%s (%s:%u): %s", func != NULL ? func : "?",
                file != NULL ? file : "?", line, text);
}
