// SPDX-License-Identifier: Apache-2.0
// See error.h.
#include "compat/runtime/base/error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/face/inject.h"
#include "compat/face/log.h"
#include "compat/face/text.h"
#include "compat/runtime/base/policy.h"
#include "src/base/tsan.h"

struct tn_rt_base_policy tn_rt_base_policy;

static _Thread_local tn_rt_error last_error;
static _Thread_local tn_rt_error last_result; // of the last call
static _Thread_local bool unkept;             // the failure of the running call is not kept

const char *tn_rt_text(void) {
    const char *room = tn_face_text_room();
    return room != NULL ? room : "";
}

tn_rt_error tn_rt_fail(tn_rt_error error, const char *format, ...) {
    char *room = tn_face_text_room();
    if (room != NULL) {
        va_list arguments;
        va_start(arguments, format);
        tn_face_text_format(room, TN_RT_TEXT, format, arguments);
        va_end(arguments);
    }
    return error;
}

tn_rt_error tn_rt_null_pointer(const char *name) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL", name);
}

tn_rt_error tn_rt_check_starts(const size_t *first, size_t runs, size_t count) {
    TN_RT_REFUSE(first == NULL || runs == 0 || runs > count || first[0] != 0, TN_RT_INVALID_VALUE,
                 "%zu runs from %p, of %zu entries", runs, (const void *)first, count);
    for (size_t i = 1; i < runs; i++)
        TN_RT_REFUSE(first[i] <= first[i - 1] || first[i] >= count, TN_RT_INVALID_VALUE,
                     "run %zu begins at entry %zu of %zu, behind %zu", i, first[i], count,
                     first[i - 1]);
    return TN_RT_OK;
}

static tn_rt_error code_of(tarn_status status) {
    switch (status) {
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS: return TN_RT_OUT_OF_MEMORY;
    case TARN_BAD_HANDLE: return TN_RT_INVALID_HANDLE;
    case TARN_BAD_DEVICE: return TN_RT_INVALID_DEVICE;
    case TARN_UNSUPPORTED: return TN_RT_NOT_SUPPORTED;
    case TARN_DEVICE_FAILED: return TN_RT_ILLEGAL_ADDRESS;
    case TARN_SYSTEM: return TN_RT_OPERATING_SYSTEM;
    case TARN_CORRUPT:
    case TARN_NATIVE:
    case TARN_TIMED_OUT:
    case TARN_BAD_CONFIG: return TN_RT_UNKNOWN;
    default: return TN_RT_INVALID_VALUE;
    }
}

tn_rt_error tn_rt_error_of_failure(tarn_status status) {
    if (status == TARN_NOT_READY) return TN_RT_NOT_READY;
    tarn_error last;
    (void)tarn_last_error(&last);
    tn_rt_error (*error_of)(tarn_status) = tn_rt_base_policy.error_of;
    return tn_rt_fail(error_of != NULL ? error_of(status) : code_of(status), "%s", last.message);
}

tn_rt_error tn_rt_error_or(tarn_status status, tn_rt_error error) {
    if (__builtin_expect(status == TARN_OK, 1)) return TN_RT_OK;
    tn_rt_error plain = tn_rt_error_of_failure(status);
    return plain == TN_RT_OUT_OF_MEMORY || plain == TN_RT_NOT_SUPPORTED ? plain : error;
}

tn_rt_error tn_rt_inject(const char *function, const struct tn_face_code *codes, size_t count) {
    int code = 0;
    tarn_status status = tn_face_inject(function, codes, count, &code);
    tn_rt_error error = tn_rt_error_of(status);
    return code != 0 ? (tn_rt_error)code : error;
}

const struct tn_face_code *tn_rt_find_code(const struct tn_face_code *codes, size_t count,
                                           int code) {
    for (size_t i = 0; i < count; i++)
        if (codes[i].code == code) return &codes[i];
    return NULL;
}

// TSan of a program does not see its calls of a face of this runtime.
__attribute__((constructor)) static void hide_calls(void) {
    if (!tn_tsan_watches()) return;
    tn_face_is_unseen = true;
    atomic_store(&tn_face_leaves_slowly, true);
}

tn_rt_error tn_rt_log(tn_rt_error error, const char *function) {
    if (tn_face_is_unseen) tn_tsan_leave();
    if (tn_face_counts() && error != TN_RT_NOT_READY)
        tn_face_fidelity_call(function, (int)error, error != TN_RT_OK ? tn_rt_text() : "");
    if (error == TN_RT_OK || error == TN_RT_NOT_READY) return error;
    tarn_annotate_caller(NULL);
    const struct tn_face_code *codes = tn_rt_base_policy.codes;
    size_t count = tn_rt_base_policy.code_count;
    if (tn_rt_base_policy.codes_of != NULL) codes = tn_rt_base_policy.codes_of(function, &count);
    const struct tn_face_code *code = tn_rt_find_code(codes, count, (int)error);
    const char *text = tn_rt_text();
    code = code != NULL ? code : tn_rt_find_code(codes, count, TN_RT_UNKNOWN);
    tn_log_failure(function, code != NULL ? code->name : "unknown error",
                   text[0] != '\0' ? text
                   : code != NULL  ? code->text
                                   : "");
    return error;
}

// ---- the last error

tn_rt_error tn_rt_not_last_error(tn_rt_error error) {
    unkept = error != TN_RT_OK;
    return error;
}

// False until a thread has a last error. While it is false, a success has nothing to replace, and no variable
// of the thread is looked up.
static _Atomic(bool) kept;

static void keep_result(tn_rt_error error) {
    bool fails = error != TN_RT_OK && error != TN_RT_NOT_READY;
    if (error != TN_RT_OK) {
        atomic_store_explicit(&kept, true, memory_order_relaxed);
        atomic_store_explicit(&tn_face_leaves_slowly, true, memory_order_relaxed);
    }
    if (fails || tn_rt_base_policy.keeps_every_result) last_error = error;
    last_result = error;
}

static __attribute__((noinline)) tn_rt_error leave_otherwise(tn_rt_error error,
                                                             const char *function) {
    if (error != TN_RT_OK || atomic_load_explicit(&kept, memory_order_relaxed)) {
        if (!unkept) keep_result(error);
        unkept = false;
    }
    if (error != TN_RT_OK && tn_rt_base_policy.on_error != NULL) tn_rt_base_policy.on_error(error);
    return tn_rt_log(error, function);
}

tn_rt_error tn_rt_leave(tn_rt_error error, const char *function) {
    bool nothing =
        error == TN_RT_OK && !atomic_load_explicit(&tn_face_leaves_slowly, memory_order_relaxed);
    return __builtin_expect(nothing, 1) ? error : leave_otherwise(error, function);
}

tn_rt_error tn_rt_last_error(void) { return last_error; }

tn_rt_error tn_rt_take_last_error(void) {
    tn_rt_error last = last_error;
    last_error = TN_RT_OK;
    return last;
}

tn_rt_error tn_rt_take_last_result(void) {
    tn_rt_error last = last_result;
    last_result = TN_RT_OK;
    return tn_rt_base_policy.keeps_every_result ? tn_rt_take_last_error() : last;
}
