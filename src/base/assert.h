// SPDX-License-Identifier: Apache-2.0
// Assertions catch mistakes of this library, never those of a caller: public entry points return a
// status instead. They are evaluated if TARN_DEBUG is 1 (debug and sanitizer builds).
#pragma once

#ifndef TARN_DEBUG
#define TARN_DEBUG 0
#endif

// Writes one line to standard error and aborts.
__attribute__((cold, noreturn)) void tn_assert_failed(const char *file, int line, const char *text);

// The condition is compiled in every build, so that it stays valid, and evaluated only if `on`.
#define TN_ASSERT_IF(on, condition)                                                                \
    do {                                                                                           \
        if ((on) && !(condition)) tn_assert_failed(__FILE__, __LINE__, #condition);                \
    } while (0)

#define TARN_ASSERT(condition) TN_ASSERT_IF(TARN_DEBUG, condition)
