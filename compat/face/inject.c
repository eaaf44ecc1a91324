// SPDX-License-Identifier: Apache-2.0
// See inject.h. The only state is whether the process asks for failures.
#include "compat/face/inject.h"

#include <stdlib.h>
#include <string.h>

#include <tarn/backend.h>
#include <tarn/fail.h>

_Atomic(int) tn_face_injects;

static bool find_code(const char *text, const struct tn_face_code *codes, size_t count, int *code) {
    char *end;
    long number = strtol(text, &end, 0);
    for (size_t i = 0; i < count; i++) {
        bool numbered = end != text && *end == '\0' && codes[i].code == number;
        if (codes[i].code != 0 && (numbered || strcmp(codes[i].name, text) == 0)) {
            *code = codes[i].code;
            return true;
        }
    }
    return false;
}

tarn_status tn_face_inject(const char *function, const struct tn_face_code *codes, size_t count,
                           int *code) {
    const char *as = NULL;
    *code = 0;
    if (!tarn_fail_asked()) {
        atomic_store_explicit(&tn_face_injects, TN_FACE_INJECTS_NONE, memory_order_relaxed);
        return TARN_OK;
    }
    tarn_status status = tarn_fail_point(function, &as);
    if (status != TARN_OK && as != NULL && !find_code(as, codes, count, code)) {
        return tarn_backend_fail(TARN_BAD_CONFIG, "", 0,
                                 "environment variable TARN_FAIL: \"as=%s\": %s has no such error",
                                 as, function);
    }
    return status;
}
