// SPDX-License-Identifier: Apache-2.0
// Variables of devices by the symbol tables of the program and its libraries, as the compilers `tarn hipcc` and
// `tarn nvcc` mark them. No state; any thread may call.
#pragma once

#include <stddef.h>

// Returns the size of the variable of devices that begins at the address, or 0: another object begins there, or
// the file has no symbol table.
size_t tn_rt_image_variable_size(const void *address);
