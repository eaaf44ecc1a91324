// SPDX-License-Identifier: Apache-2.0
// The calling thread's last failure. The function that detects an error records it here, once. Its
// callers return the status unchanged.
#pragma once

#include <tarn/base.h>

// Records the failure with a text that names the offending values, and returns `status`.
__attribute__((cold)) tarn_status tn_fail(tarn_status status, const char *format, ...)
    TARN_PRINTF(2, 3);

// The same for an error of the operating system (errno) or of a vendor's library. Records the
// native code and the call too.
__attribute__((cold)) tarn_status tn_fail_native(tarn_status status, const char *call, int64_t code,
                                                 const char *format, ...) TARN_PRINTF(4, 5);

// Saves and restores the last failure, around internal calls whose failure the caller must not see.
struct tn_error_saved {
    tarn_status status;
    int64_t native_code;
    const char *call;
    char message[512];
};
void tn_error_save(struct tn_error_saved *kept);
void tn_error_restore(const struct tn_error_saved *kept);

static inline struct tn_error_saved tn_error_now(void) {
    struct tn_error_saved now;
    tn_error_save(&now);
    return now;
}

// A declaration: restores the last failure at the end of the block, on every way out.
#define TN_ERROR_KEPT                                                                              \
    __attribute__((cleanup(tn_error_restore), unused)) const struct tn_error_saved error_here =    \
        tn_error_now()

// Logs that a public function fails, unless this library is a part of a face, which logs its own functions
// (log.h). Returns `status`.
__attribute__((cold)) tarn_status tn_log_call(const char *function, tarn_status status);

// The status with which a function returns: a failure of a public one is logged.
#define TN_FAILED(status)                                                                          \
    __extension__({                                                                                \
        tarn_status failed_status = (status);                                                      \
        __builtin_strncmp(__func__, "tarn_", 5) == 0 && failed_status != TARN_NOT_READY            \
            ? tn_log_call(__func__, failed_status)                                                 \
            : failed_status;                                                                       \
    })

// Returns `status` from a public function and logs a failure. It prevents a tail call, so that the function
// stays on the stack that subscribers record.
#define TN_DONE(status)                                                                            \
    __extension__({                                                                                \
        tarn_status done_status = (status);                                                        \
        __builtin_expect(done_status == TARN_OK, 1) ? TARN_OK : TN_FAILED(done_status);            \
    })

// Returns from the enclosing function with the status of `step`, unless it is TARN_OK. Use it only
// where nothing has been acquired yet that the function must release.
#define TN_TRY(step)                                                                               \
    do {                                                                                           \
        tarn_status step_status = (step);                                                          \
        if (step_status != TARN_OK) return TN_FAILED(step_status);                                 \
    } while (0)

// Returns from the enclosing function with tn_fail(status, format, ...) if `condition` holds. Use it
// where TN_TRY() may be used.
#define TN_REFUSE(condition, ...)                                                                  \
    do {                                                                                           \
        if (condition) return TN_FAILED(tn_fail(__VA_ARGS__));                                     \
    } while (0)
