// SPDX-License-Identifier: Apache-2.0
// The code that hipcc compiled into a program. The program registers its code objects, kernels and
// variables before main() and unregisters them at its end. None of it can run here, but an error
// about the launch of such a kernel can name it.
#ifndef TARN_COMPAT_HIP_DEVICE_CODE_H
#define TARN_COMPAT_HIP_DEVICE_CODE_H

// Returns the name of the kernel with that host stub, or NULL. The program owns the text while its
// code is registered.
const char *tn_hip_device_code_name(const void *stub);

#endif
