// SPDX-License-Identifier: Apache-2.0
// See hip.h.
#include "support/hip.h"

#include "support/child.h"

// A child of a process with threads may have threads of its own, whatever ThreadSanitizer expects.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

void hip_assert_error(hipError_t got, hipError_t want, const char *expression, const char *file,
                      int line) {
    if (got == want) return;
    print_error("%s\n  gave %s (%d): %s\n  expected %s (%d)\n", expression, hipGetErrorName(got),
                (int)got, hipExtGetLastErrorText(), hipGetErrorName(want), (int)want);
    _fail(file, line);
}

void hip_in_child(void (*body)(void *arg), void *arg, ...) {
    va_list pairs;
    va_start(pairs, arg);
    child_run(body, arg, pairs);
    va_end(pairs);
}

int hip_group_setup(void **state) {
    static const char *const foreign[] = {"HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                                          "TARN_HIP_COMPAT",     "TARN_HIP_SPARSE",
                                          "TARN_HIP_LOG",        "TARN_HOST"};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (unsetenv(foreign[i]) != 0) return -1;
    return setenv("TARN_HIP_DEVICE", "host:0,devices=2,memory=1G", 1);
}
