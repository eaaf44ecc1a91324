// SPDX-License-Identifier: Apache-2.0
// A block of an arena is freed. A stale pointer into the second mapping of the arena still writes it.
// EXPECT: ERROR use-after-free: write of 100 byte(s) at 0x... by tarn_fill, the same memory as at 0x...
// EXPECT:   is 28 byte(s) inside freed region R1 [0x...) size 256, freed...
// EXPECT:     ... main .../tarn_alias_freed.c:23
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_alias_freed.c:21

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_phys page = make_phys(device, PAGE, 0);
    tarn_addr arena = map_name(device, page, PAGE);
    tarn_addr window = map_name(device, page, PAGE);
    must(tarn_annotate_heap_begin(arena, PAGE, "arena"));
    must(tarn_annotate_region_begin(arena + 4096, 256, NULL));
    must(tarn_fill(device, window + 4096, 0, 1, 256, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(arena + 4096, TARN_STREAM_NONE));
    must(tarn_fill(device, window, 0, 1, PAGE, TARN_STREAM_NONE)); // the arena as a whole
    must(tarn_fill(device, window + 4096 + 28, 1, 1, 100, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(arena));
    end_name(arena, PAGE);
    end_name(window, PAGE);
    must(tarn_phys_release(page));
    must(tarn_device_close(device));
    return 0;
}
