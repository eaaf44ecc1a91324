// SPDX-License-Identifier: Apache-2.0
// The variables of the environment whose values are checked here: those that configure the faces, and
// switches of the library. An empty value counts as unset. One table drives the faces, the library and
// the commands that start a program, which refuse a bad value before the program runs. No state; any
// thread may call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tn_variable_kind {
    TN_VARIABLE_WORD,    // one of `words`, separated by spaces; its value is the index
    TN_VARIABLE_NUMBER,  // from `min` to `max`, with K, M or G
    TN_VARIABLE_RELEASE, // MAJOR.MINOR; its value is 100 * MAJOR + MINOR
    TN_VARIABLE_NAME,    // at most 48 letters, digits, '.', '_' and '-', the first no '.' or '-'
    TN_VARIABLE_LOG,     // LEVEL[:FILE], see log.h; its value is the level
    TN_VARIABLE_PROGRAM  // a program that can be executed, or one of `words`
};

struct tn_variable {
    const char *owner; // a face, "command", or "" for the library
    const char *name;
    enum tn_variable_kind kind;
    const char *words;
    uint64_t min, max;
};

// X(owner, name, kind, words, min, max)
#define TN_VARIABLES(X)                                                                            \
    X("", TARN_LOG, LOG, "", 0, 0)                                                                 \
    X("", TARN_MACHINE, NAME, "", 0, 0)                                                            \
    X("", TARN_POOL_FENCE, WORD, "0 1 exact", 0, 0)                                                \
    X("command", TARN_PROGRESS_MS, NUMBER, "", 0, UINT32_MAX)                                      \
    X("hip", TARN_HIP_COMPAT, WORD, "6 7", 0, 0)                                                   \
    X("hip", TARN_HIP_SPARSE, WORD, "0 1", 0, 0)                                                   \
    X("hip", TARN_HIP_KERNEL_RACES, WORD, "0 1", 0, 0)                                             \
    X("hip", TARN_HIP_BARRIERS, WORD, "vendor strict", 0, 0)                                       \
    X("hip", TARN_HIP_GAPS, WORD, "0 1", 0, 0)                                                     \
    X("hip", TARN_HIP_LOG, LOG, "", 0, 0)                                                          \
    X("cuda", TARN_CUDA_COMPAT, WORD, "12 13", 0, 0)                                               \
    X("cuda", TARN_CUDA_CAPABILITY, RELEASE, "", 100, 9999)                                        \
    X("cuda", TARN_CUDA_COHERENT, WORD, "0 1", 0, 0)                                               \
    X("cuda", TARN_CUDA_BARRIERS, WORD, "vendor strict", 0, 0)                                     \
    X("cuda", TARN_CUDA_KERNEL_RACES, WORD, "0 1", 0, 0)                                           \
    X("cuda", TARN_CUDA_LOG, LOG, "", 0, 0)                                                        \
    X("acl", TARN_ACL_GENERATION, WORD, "1 2", 0, 0)                                               \
    X("acl", TARN_ACL_MODE, WORD, "EP RC", 0, 0)                                                   \
    X("acl", TARN_ACL_PADDING, WORD, "0 32", 0, 0)                                                 \
    X("acl", TARN_ACL_STRICT, WORD, "0 1", 0, 0)                                                   \
    X("acl", TARN_ACL_POISON, WORD, "0 1", 0, 0)                                                   \
    X("acl", TARN_ACL_FAULT_REPORT, WORD, "0 1", 0, 0)                                             \
    X("acl", TARN_ACL_LOG, LOG, "", 0, 0)                                                          \
    X("hiai", TARN_HIAI_MODE, WORD, "EP RC", 0, 0)                                                 \
    X("hiai", TARN_HIAI_POOL, NUMBER, "", UINT64_C(1) << 20, UINT64_C(1) << 40)                    \
    X("hiai", TARN_HIAI_PREFAULT, NUMBER, "", 0, UINT64_C(1) << 40)                                \
    X("hiai", TARN_HIAI_DEVICES, NUMBER, "", 1, 64)                                                \
    X("hiai", TARN_HIAI_START_TIMEOUT, NUMBER, "", 0, UINT32_MAX)                                  \
    X("hiai", TARN_HIAI_DESTROY_TIMEOUT, NUMBER, "", 0, UINT32_MAX)                                \
    X("hiai", TARN_HIAI_DEVICE_PROGRAM, PROGRAM, "none", 0, 0)                                     \
    X("hiai", TARN_HIAI_LOG, LOG, "", 0, 0)

#define TN_VARIABLE_ONE(...) +1
enum { TN_VARIABLE_COUNT = 0 TN_VARIABLES(TN_VARIABLE_ONE) };
const struct tn_variable *tn_variable_at(unsigned index);

// Returns true if the text is a NAME.
bool tn_variable_is_name(const char *text);

// Reads LEVEL[:FILE] of a log. Returns false, with the level 0, if it is something else.
bool tn_variable_read_level(const char *text, int *level);

// Returns the text of the variable of this name, or NULL if it is unset or empty. A program with raised
// privileges has none.
const char *tn_variable_text(const char *name);

// Returns the value of a variable of the table, or `otherwise` if it is unset or bad.
uint64_t tn_variable_value(const char *name, uint64_t otherwise);

// Checks the variables of an owner. Returns true if none is bad. Otherwise `why` receives the name of the
// first bad one, its value, and what is expected.
bool tn_variables_check(const char *owner, char *why, size_t room);
