// SPDX-License-Identifier: Apache-2.0
// Names of addresses in code: function, file and line, from the debug information and the symbol
// tables of what this process has loaded. For printing only: slow, and takes a lock of its own, so
// one thread at a time. Asks nobody over a network.
#ifndef TARN_CHECK_SYMBOL_H
#define TARN_CHECK_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct tn_check_symbol {
    uintptr_t address;    // as it was asked for
    const char *function; // NULL: not known
    const char *file;     // NULL: not known
    int line;
    const char *object; // the file that was loaded; NULL: not known
};

// What it points to is good during the call. False: enough.
typedef bool (*tn_check_symbol_visit)(void *context, const struct tn_check_symbol *symbol);

// Calls `visit` for the place of a return address: for the innermost inlined function first, then
// for each around it; at least once. False: `visit` said so.
bool tn_check_symbol_walk(uintptr_t address, tn_check_symbol_visit visit, void *context);

#endif
