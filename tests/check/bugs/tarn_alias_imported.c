// SPDX-License-Identifier: Apache-2.0
// A handle is exported as a descriptor and imported again. The two handles are one memory, so the copy
// to one mapping needs an order with the copy from the other.
// EXPECT: ERROR copy-race: write of 4096 byte(s) at 0x... by tarn_fill on stream 0x... is unordered with the read by tarn_copy on stream 0x... of the same memory at 0x..., in a mapping of 2097152 byte(s)
// EXPECT:     ... main .../tarn_alias_imported.c:26

#include <unistd.h>

#include "check/support/tarn.h"

enum { PAGE = 2 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream reader = make_stream(device);
    tarn_stream writer = make_stream(device);
    tarn_shareable file = {0};
    tarn_phys again = 0;
    tarn_phys page = make_phys(device, PAGE, TARN_SHAREABLE_FD);
    tarn_addr one = map_name(device, page, PAGE);
    must(tarn_phys_export(page, TARN_SHAREABLE_FD, &file));
    must(tarn_phys_import(device, &file, &again));
    tarn_addr other = map_name(device, again, PAGE);
    must(tarn_fill(device, one, 0, 1, PAGE, TARN_STREAM_NONE));
    must(tarn_copy(device, one + (1 << 20), one, 4096, reader));
    must(tarn_fill(device, other, 1, 1, 8192, writer));
    must(tarn_stream_destroy(reader));
    must(tarn_stream_destroy(writer));
    end_name(one, PAGE);
    end_name(other, PAGE);
    must(tarn_phys_release(page));
    must(tarn_phys_release(again));
    (void)close(file.fd);
    must(tarn_device_close(device));
    return 0;
}
