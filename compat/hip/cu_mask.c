// SPDX-License-Identifier: Apache-2.0
// Streams that may use some compute units only. The mask is stored and returned. It has no effect,
// because the compute units of a software device are threads of the process.
#include <stdlib.h>
#include <string.h>

#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/hip/properties.h"
#include "compat/runtime/stream.h"

static bool is_zero(const uint32_t *mask, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (mask[i] != 0) return false;
    return true;
}

static tn_rt_error create_masked(hipStream_t *stream, uint32_t words, const uint32_t *mask) {
    uintptr_t handle = 0;
    struct tn_rt_stream *s = NULL;
    TN_RT_REFUSE(stream == NULL, TN_RT_INVALID_HANDLE, "stream is NULL");
    TN_RT_REFUSE(words == 0 || mask == NULL, TN_RT_INVALID_VALUE, "a mask of %u words at %p", words,
                 (const void *)mask);
    if (is_zero(mask, words)) { // the default: all units
        TN_RT_TRY(tn_rt_stream_new(tn_rt_current(), TN_RT_STREAM_BLOCKING, 0, &handle));
        *stream = (hipStream_t)handle;
        return TN_RT_OK;
    }
    uint32_t *kept = (uint32_t *)calloc(words, sizeof *kept);
    TN_RT_REFUSE(kept == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a mask of %u words", words);
    memcpy(kept, mask, words * sizeof *kept);
    tn_rt_error error = tn_rt_stream_new(tn_rt_current(), TN_RT_STREAM_BLOCKING, 0, &handle);
    if (error == TN_RT_OK) error = tn_rt_stream_get((void *)handle, &s);
    if (error != TN_RT_OK) {
        free(kept);
        return error;
    }
    s->cu_mask = kept;
    s->cu_mask_words = words;
    tn_rt_stream_put(s);
    *stream = (hipStream_t)handle;
    return TN_RT_OK;
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize,
                                        const uint32_t *cuMask) {
    return TN_HIP_CALL(create_masked(stream, cuMaskSize, cuMask));
}

// Returns the bits of the compute units that exist, in word `index` of a mask.
static uint32_t units_in_word(uint32_t units, uint32_t index) {
    uint32_t left = units > index * 32 ? units - index * 32 : 0;
    return left >= 32 ? UINT32_MAX : (1u << left) - 1;
}

static tn_rt_error get_mask(hipStream_t handle, uint32_t words, uint32_t *mask) {
    struct tn_rt_stream *s = NULL;
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(mask, "cuMask"));
    TN_RT_TRY(tn_rt_stream_get(handle, &s));
    tn_hip_properties(s->device, &properties);
    uint32_t units = (uint32_t)properties.multiProcessorCount;
    tn_rt_error error = TN_RT_OK;
    if (words < (units + 31) / 32) {
        error = tn_rt_fail(TN_RT_INVALID_VALUE, "room for %u words, the mask of %u units has %u",
                           words, units, (units + 31) / 32);
    }
    for (uint32_t i = 0; error == TN_RT_OK && i < words; i++) {
        uint32_t own = s->cu_mask == NULL ? UINT32_MAX : i < s->cu_mask_words ? s->cu_mask[i] : 0;
        mask[i] = units_in_word(units, i) & own;
    }
    tn_rt_stream_put(s);
    return error;
}

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask) {
    return TN_HIP_CALL(get_mask(stream, cuMaskSize, cuMask));
}
