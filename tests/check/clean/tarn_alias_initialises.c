// SPDX-License-Identifier: Apache-2.0
// Bytes that were written by one address are written. A block begins at another address of the same
// bytes, once beside the first one and once after it: neither read is of unwritten bytes, and the
// contents stay.

#include "check/support/tarn.h"

enum { PAGE = 2 << 20, BYTES = 4096 };

static int check(const char *device_name) {
    tarn_device *device = NULL;
    must(tarn_device_open(device_name, &device));
    tarn_phys page = make_phys(device, PAGE, 0);
    tarn_addr one = map_name(device, page, PAGE);
    must(tarn_fill(device, one, 7, 1, PAGE / 2, TARN_STREAM_NONE));
    tarn_addr other = map_name(device, page, PAGE);
    must(tarn_annotate_heap_begin(other, PAGE, "second"));
    must(tarn_annotate_region_begin(other, BYTES, NULL));
    must(tarn_copy(device, one + PAGE / 2, other, BYTES, TARN_STREAM_NONE));
    // A block that began before its bytes were written by the other address.
    must(tarn_annotate_region_begin(other + PAGE - BYTES, BYTES, NULL));
    must(tarn_fill(device, one + PAGE - BYTES, 7, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_copy(device, other, other + PAGE - BYTES, BYTES, TARN_STREAM_NONE));
    must(tarn_annotate_heap_reset(other));
    must(tarn_annotate_heap_end(other));
    end_name(one, PAGE);
    end_name(other, PAGE);
    one = map_name(device, page, PAGE); // after the bytes had no address
    must(tarn_annotate_heap_begin(one, PAGE, "third"));
    must(tarn_annotate_region_begin(one, BYTES, NULL));
    must(tarn_copy(device, one + BYTES, one, 0, TARN_STREAM_NONE));
    must(tarn_annotate_region_begin(one + BYTES, BYTES, NULL));
    must(tarn_copy(device, one + BYTES, one, BYTES, TARN_STREAM_NONE));
    bool reached = strncmp(device_name, "host", 4) == 0;
    int bad = reached && *(const char *)(uintptr_t)one != 7;
    must(tarn_annotate_heap_reset(one));
    must(tarn_annotate_heap_end(one));
    end_name(one, PAGE);
    must(tarn_phys_release(page));
    must(tarn_device_close(device));
    return bad;
}

int main(void) {
    int bad = check("sim:0") + check("host:0,memory=256M");
    if (bad != 0) fprintf(stderr, "the contents changed\n");
    return bad;
}
