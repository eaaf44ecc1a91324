// SPDX-License-Identifier: Apache-2.0
// See inject.h. The state is whether the process asks for failures, and the arguments of a call.
#include "compat/face/inject.h"

#include <stdlib.h>
#include <string.h>

#include <tarn/backend.h>
#include <tarn/face.h>

#include "src/base/tsan.h"
#include "src/fail/call.h"

_Atomic(int) tn_face_injects;
bool tn_face_is_unseen;

void tn_face_enter(void) {
    if (tn_face_is_unseen) tn_tsan_enter();
}

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

static _Thread_local uint64_t given[TN_FAIL_ARGUMENTS];
_Static_assert(sizeof(struct tn_face_given) == sizeof given, "each argument has a word");

void tn_face_note(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                  uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k) {
    const uint64_t words[TN_FAIL_ARGUMENTS] = {a, b, c, d, e, f, g, h, i, j, k};
    memcpy(given, words, sizeof given);
}

tarn_status tn_face_inject(const char *function, const struct tn_face_code *codes, size_t count,
                           int *code) {
    const char *as = NULL;
    *code = 0;
    if (!tarn_fail_asked()) {
        if (!tn_face_is_unseen)
            atomic_store_explicit(&tn_face_injects, TN_FACE_INJECTS_NONE, memory_order_relaxed);
        return TARN_OK;
    }
    tarn_status status = tn_fail_call(function, given, TN_FAIL_ARGUMENTS, &as);
    if (status != TARN_OK && as != NULL && !find_code(as, codes, count, code)) {
        return tarn_backend_fail(TARN_BAD_CONFIG, "", 0,
                                 "environment variable TARN_FAIL: \"as=%s\": %s has no such error",
                                 as, function);
    }
    return status;
}
