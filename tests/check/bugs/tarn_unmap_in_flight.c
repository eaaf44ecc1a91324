// SPDX-License-Identifier: Apache-2.0
// A mapping is taken away without waiting while a stream writes to it.
// EXPECT: ERROR unmap-in-flight: 8388608 byte(s) at 0x... that tarn_fill on stream 0x... may still
// write

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_stream stream = make_stream(device);
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    must(tarn_space_reserve(device, 8 << 20, 0, 0, &addr));
    must(tarn_phys_create(device, 8 << 20, NULL, &phys));
    must(tarn_map(addr, 8 << 20, phys));
    must(tarn_map_set_access(addr, 8 << 20, &grant, 1));
    must(tarn_fill(device, addr, 1, 1, 8 << 20, stream));
    must(tarn_unmap(addr, 8 << 20, TARN_NO_WAIT));
    (void)tarn_stream_synchronize(stream, TARN_FOREVER);
    must(tarn_stream_destroy(stream));
    must(tarn_phys_release(phys));
    must(tarn_space_release(addr));
    must(tarn_device_close(device));
    return 0;
}
