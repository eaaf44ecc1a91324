// SPDX-License-Identifier: Apache-2.0
// Data of operators on the host: sizes of elements, half floats and data buffers. A data buffer is an object
// with a handle. Changes of a buffer are not synchronised with its other uses, as in AscendCL.
#include <acl/detail/data.h>

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/face.h"
#include "compat/face/half.h"
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

// AscendCL's halves have neither infinity nor NaN: the largest exponent is one of numbers.
float aclFloat16ToFloat(aclFloat16 value) {
    bool is_largest = (value & 0x7c00) == 0x7c00;
    return is_largest ? 2 * tn_face_from_half(value - 0x400) : tn_face_from_half(value);
}

aclFloat16 aclFloatToFloat16(float value) {
    aclFloat16 half = tn_face_to_half(value);
    if ((half & 0x7c00) != 0x7c00) return half;
    return isnan(value) ? 0x7bff : (aclFloat16)((half & 0x8000) | 0x7bff);
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
