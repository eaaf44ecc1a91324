// SPDX-License-Identifier: Apache-2.0
// What hipcc compiled into a program: it announces its code objects, kernels and variables before
// main() and takes them back at the end. None of it can run here, but a kernel that is launched all
// the same can be refused by its name.
#ifndef TARN_COMPAT_HIP_DEVICE_CODE_H
#define TARN_COMPAT_HIP_DEVICE_CODE_H

#include <stdbool.h>
#include <stddef.h>

// Writes the name of the kernel whose host stub is at that address; false: none was announced.
bool tn_hip_device_code_name(const void *stub, char *name, size_t room);

#endif
