// SPDX-License-Identifier: Apache-2.0 Failures on request: a user names a function of the face in
// TARN_FAIL, and it fails with a code of the face. Any thread may call. A process that asks for no
// failure pays one load and one untaken branch for each function.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tarn/base.h>

// An error code of a face.
struct tn_face_code {
    const char *name;
    int code;
    const char *text; // NULL: none
};

enum { TN_FACE_INJECTS_UNKNOWN, TN_FACE_INJECTS_NONE, TN_FACE_INJECTS_SOME };
extern _Atomic(int) tn_face_injects;

// False if no function of the face can be made to fail. A macro, so that a debugger stays in the line
// of the function that uses it.
#define TN_FACE_MAY_FAIL                                                                           \
    __builtin_expect(                                                                              \
        atomic_load_explicit(&tn_face_injects, memory_order_relaxed) != TN_FACE_INJECTS_NONE, 0)

// A process with TSan, whose calls TSan does not see; set before the first call. TN_FACE_MAY_FAIL is
// true then.
extern bool tn_face_is_unseen;
__attribute__((cold)) void tn_face_enter(void); // begins such a call

// The arguments of the running function, a word for each; see src/fail/function.h. The frame notes
// them before it asks, so that a specification may select calls by them.
struct tn_face_given {
    uint64_t words[11];
};
__attribute__((cold)) void tn_face_note(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                        uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j,
                                        uint64_t k);

// The word of an argument: its bytes, or the address of a struct that is passed in memory.
#define TN_FACE_WORD(argument)                                                                     \
    __extension__({                                                                                \
        uint64_t word = 0;                                                                         \
        if (sizeof(argument) > 16)                                                                 \
            word = (uintptr_t) & (argument);                                                       \
        else if (sizeof(argument) <= sizeof word)                                                  \
            __builtin_memcpy(&word, &(argument), sizeof(argument));                                \
        word;                                                                                      \
    })

// Decides whether the function fails. TARN_OK: it does not. Otherwise *code is the code that the
// user chose by name or number, or 0 if the face is to convert the status. BAD_CONFIG: the user's
// choice is wrong. The text is in tarn_last_error().
tarn_status tn_face_inject(const char *function, const struct tn_face_code *codes, size_t count,
                           int *code);
