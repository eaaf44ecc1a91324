// SPDX-License-Identifier: Apache-2.0
// The least program for NVIDIA's management library, which is a front of the driver library.
#include <nvml.h>

int main(void) {
    unsigned count = 0;
    return nvmlInit() == NVML_SUCCESS && nvmlDeviceGetCount(&count) == NVML_SUCCESS && count > 0
               ? 0
               : 1;
}
