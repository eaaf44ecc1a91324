// SPDX-License-Identifier: Apache-2.0
// A scheduler's questions about devices.
#include <stddef.h>

#include <nvml.h>

int main(void) {
    nvmlDevice_t device = NULL;
    nvmlMemory_t memory = {0, 0, 0};
    nvmlMemory_v2_t more = {nvmlMemory_v2, 0, 0, 0, 0};
    nvmlProcessInfo_t processes[4];
    unsigned count = 4;
    char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
    if (nvmlInit() != NVML_SUCCESS || nvmlDeviceGetCount(&count) != NVML_SUCCESS) return 77;
    nvmlDeviceGetHandleByIndex(0, &device);
    nvmlDeviceGetName(device, name, sizeof name);
    nvmlDeviceGetMemoryInfo(device, &memory);
    nvmlDeviceGetMemoryInfo_v2(device, &more);
    count = 4;
    nvmlDeviceGetComputeRunningProcesses(device, &count, processes);
    return memory.total != more.total || sizeof(nvmlMemory_t) != 24 || sizeof more != 40 ||
           sizeof(nvmlPciInfo_t) != 68 || sizeof(nvmlProcessInfo_v1_t) != 16 ||
           sizeof processes[0] != 24 || nvmlShutdown() != NVML_SUCCESS;
}
