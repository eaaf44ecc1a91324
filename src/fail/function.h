// SPDX-License-Identifier: Apache-2.0
// The functions of vendors' APIs that can be made to fail: the error of each, and the arguments by
// which a spec may select its calls. A recipe is a list of FACT=FACTORS. A factor is a letter, which
// stands for the argument of that place (a is the first), and what follows it:
//
//     b        the argument; c*d is a product, and a number may be a factor
//     a[112]   the 64 bits at that byte of what the argument points to; a[12.4] 32 bits
//     c>       the upper 32 bits of a struct of 8 bytes
//     d+       the argument, or 1 if it is 0
//     b#       the bytes of an element that a channel description has
//
// A struct of more than 16 bytes is passed as its address. Constant; any thread may call.
#pragma once

#include "fail/spec.h"

// The functions that have an error and a recipe in common. Spaces separate their names.
struct tn_fail_function {
    const char *error, *arguments, *names;
};

// Returns the row of a function, or NULL. A name without the ending of a form or a release, such as
// cuMemAlloc, finds that of the function that has it, cuMemAlloc_v2.
const struct tn_fail_function *tn_fail_function_find(const char *name);

// Returns true if calls of the function are those that a spec with this name means.
bool tn_fail_function_is(const char *spec, const char *name);

// Returns the facts that a recipe has, as bits.
unsigned tn_fail_function_facts(const struct tn_fail_function *function);

// Adds the facts of a call to a list.
void tn_fail_function_read(const struct tn_fail_function *function, const uint64_t *arguments,
                           unsigned count, struct tn_fail_facts *facts);
