// SPDX-License-Identifier: Apache-2.0
// An address inside plain memory is exported. Tarn refuses it.
// EXPECT: WARN inner-export: tarn_memory_export of 0x..., which is 256 byte(s) inside a block of device memory of 4096 byte(s)
// EXPECT:     ... main .../tarn_inner_export.c:

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_key key;
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, 4096, &memory));
    (void)tarn_memory_export(memory + 256, &key);
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
