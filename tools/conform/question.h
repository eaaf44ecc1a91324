// SPDX-License-Identifier: Apache-2.0
// The means by which the questions of `tarn conform` are written; see tests/conform/README.md. A
// question calls functions of a vendor's API and states values. It runs in a process of its group,
// which has one thread unless the question makes more.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tn_question {
    const char *api, *group, *name;
    const char *source; // of the expected answer
    void (*ask)(void);
    int place;     // in its file
    bool is_first; // it begins in a new process, and calls the library's first function itself
};

// The functions that all questions of an API share.
struct tn_conform_api {
    const char *name;
    // Prepares the process for a question. Returns false if an earlier question has spoilt it, or
    // if the library has no device.
    bool (*begin)(void);
    // States the devices and versions, and last the value "devices".
    void (*about)(void);
};

// Defines a question. The file defines TN_API and TN_GROUP.
#define QUESTION(name, source)       TN_QUESTION(name, source, false)
#define FIRST_QUESTION(name, source) TN_QUESTION(name, source, true)
#define TN_QUESTION(name, source, is_first)                                                        \
    static void name(void);                                                                        \
    static const struct tn_question question_##name = {TN_API, TN_GROUP,    #name,   source,       \
                                                       name,   __COUNTER__, is_first};             \
    static const struct tn_question *const place_of_##name                                         \
        __attribute__((used, section("tn_questions"))) = &question_##name;                         \
    static void name(void)

// ASK calls a function of the library and states its result: ASK(cudaFree, ptr). ASK0 calls one
// without arguments. MUST states the result only if it is not 0, for calls that prepare or clean
// up. CALL states nothing. A function that the library lacks ends the question: that is the answer.
// They state the name as it is written. A file that maps names by macros defines them itself.
#define TN_ASK(function, ...)                                                                      \
    tn_state_code(#function, (tn_pending(#function), (long long)TN_CALLED(function)(__VA_ARGS__)))
#define TN_ASK0(function)                                                                          \
    tn_state_code(#function, (tn_pending(#function), (long long)TN_CALLED(function)()))
#define TN_MUST(function, ...)                                                                     \
    tn_state_failure(#function,                                                                    \
                     (tn_pending(#function), (long long)TN_CALLED(function)(__VA_ARGS__)))
#define TN_MUST0(function)                                                                         \
    tn_state_failure(#function, (tn_pending(#function), (long long)TN_CALLED(function)()))
#define TN_CALL(function, ...) (tn_pending(#function), TN_CALLED(function)(__VA_ARGS__))
#define TN_CALL0(function)     (tn_pending(#function), TN_CALLED(function)())
#ifndef ASK
#define ASK   TN_ASK
#define ASK0  TN_ASK0
#define MUST  TN_MUST
#define MUST0 TN_MUST0
#define CALL  TN_CALL
#define CALL0 TN_CALL0
#endif
#define TN_CALLED(function) ((__typeof__(&function))tn_find(TN_NAME_OF(function)))
#define TN_NAME_OF(name)    #name

// State a value: a number, 0 or 1, or text. A value is never an address or the size of a device.
void tn_state(const char *name, long long value);
void tn_state_text(const char *name, const char *text);
#define SAY(name, value)     tn_state((name), (long long)(value))
#define SAY_TEXT(name, text) tn_state_text((name), (text))
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        tn_state_text("skipped", (reason));                                                        \
        return;                                                                                    \
    } while (0)

void tn_pending(const char *name);
long long tn_state_code(const char *name, long long code);
long long tn_state_failure(const char *name, long long code);
void (*tn_find(const char *name))(void);

// Returns true if the library has the function.
bool tn_has(const char *name);

// Runs `work` in a second process, which opened the library for it, and waits until it ends. What
// the process states is part of the answer. `file` is a descriptor that it gets too, or -1.
void tn_in_peer(void (*work)(const void *data, int file), const void *data, size_t bytes, int file);
enum { TN_PEER_DATA_MAX = 1024 };
