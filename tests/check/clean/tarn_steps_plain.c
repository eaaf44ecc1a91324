// SPDX-License-Identifier: Apache-2.0
// Memory outside of pools goes from step to step and is freed in the step after its own.
// OPTIONS: --leaks=step

#include "check/support/tarn.h"

#include <tarn/annotate.h>

int main(void) {
    tarn_device *device = open_device();
    tarn_addr before = 0;
    for (int step = 0; step < 6; step++) {
        tarn_addr now = 0;
        must(tarn_memory_alloc(device, 1000, &now));
        if (before != 0) must(tarn_memory_free(before, 0));
        before = now;
        tarn_annotate_step("step");
    }
    must(tarn_memory_free(before, 0));
    must(tarn_device_close(device));
    return 0;
}
