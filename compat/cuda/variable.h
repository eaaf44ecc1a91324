// SPDX-License-Identifier: Apache-2.0
// Variables of device code that a program registers. A device gets memory for one at its first use,
// filled with zeros: the initial values are in code that only a GPU reads. Any thread may call.
#pragma once

#include <stddef.h>

// Adds a variable, which the program names by the address `symbol`, and ends those of a code.
void tn_cu_variable_add(const void *code, const void *symbol, size_t size);
void tn_cu_variables_end(const void *code);
