// SPDX-License-Identifier: Apache-2.0
// Names of addresses in code: function, file and line, from the debug information and the symbol
// tables of the loaded libraries. Slow, for printing; takes its own lock. Never uses the network.
#ifndef TARN_STACK_SYMBOL_H
#define TARN_STACK_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct tn_stack_symbol {
    uintptr_t address;    // as passed
    const char *function; // NULL if unknown
    const char *file;     // NULL if unknown
    int line;
    const char *object; // the loaded file, or NULL
    uintptr_t offset;   // of the address in that file's memory
    bool is_of_tarn;    // by tn_stack_walk(): the function is one of Tarn's
};

// The strings are valid during the call. Returns false to stop.
typedef bool (*tn_stack_symbol_visit)(void *context, const struct tn_stack_symbol *symbol);

// Calls `visit` for the place of a return address, at least once: first for the innermost inlined
// function, then for each function around it. Returns false if `visit` did.
bool tn_stack_symbol_walk(uintptr_t address, tn_stack_symbol_visit visit, void *context);

#endif
