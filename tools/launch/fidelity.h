// SPDX-License-Identifier: Apache-2.0
// The differences from the vendor that a program touched, for `tarn run --fidelity`. The processes of the
// program count in memory that this command opens (base/fidelity.h). One thread, one program.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Opens the memory and sets the environment of the program. Returns false, with a message, if that fails.
bool tn_fidelity_open(void);

// Returns true if the list has a row of this id, of `length` bytes.
bool tn_fidelity_has(const char *id, size_t length);

// Prints the rows that were touched, to standard error and, if `json`, as the result of the command. Those
// whose ids are in `accepted`, a list separated by commas, or NULL, are in the result only. Returns the
// number of the others.
unsigned tn_fidelity_print(const char *accepted, bool json, bool strict);
