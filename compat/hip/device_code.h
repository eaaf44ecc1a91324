// SPDX-License-Identifier: Apache-2.0
// What hipcc compiled into a program: it announces its code objects, kernels and variables before
// main() and takes them back at the end. None of it can run here, but a kernel that is launched all
// the same can be refused by its name.
#ifndef TARN_COMPAT_HIP_DEVICE_CODE_H
#define TARN_COMPAT_HIP_DEVICE_CODE_H

// The name of the kernel whose host stub is at that address; NULL: none was announced. The
// program's own, as long as its code is announced.
const char *tn_hip_device_code_name(const void *stub);

#endif
