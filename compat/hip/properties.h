// SPDX-License-Identifier: Apache-2.0
// What a device is and can do, in the struct of HIP 6. Attributes are read from it too, so the two
// cannot disagree.
#ifndef TARN_COMPAT_HIP_PROPERTIES_H
#define TARN_COMPAT_HIP_PROPERTIES_H

#include <hip/detail/attributes.h>

#include "compat/hip/face.h"

// Limits of a launch: kernels are CPU functions, so these are ours to choose.
#define TN_HIP_THREADS_PER_BLOCK 1024
#define TN_HIP_GRID_X            2147483647
#define TN_HIP_GRID_YZ           65535
#define TN_HIP_SHARED_BYTES      65536

void tn_hip_properties(const struct tn_hip_device *device, hipDeviceProp_tR0600 *out);

// There is no bus: a PCI domain of our own, so that no real card is mistaken for it.
#define TN_HIP_PCI_DOMAIN 0x7461
static inline int tn_hip_pci_bus(const struct tn_hip_device *device) {
    return device->tarn_ordinal + 1;
}

#endif
