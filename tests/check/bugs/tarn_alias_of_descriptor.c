// SPDX-License-Identifier: Apache-2.0
// A process maps the descriptor of its own block. The host fills the block while a stream copies from
// the second address.
// EXPECT: ERROR host-race: write of 1000 byte(s) at 0x... by tarn_fill on the host is unordered with the read by tarn_copy on stream 0x... of the same memory at 0x...
// EXPECT:     ... main .../tarn_alias_of_descriptor.c:35

#include <unistd.h>

#include <tarn/software.h>

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_shareable object = {TARN_SHAREABLE_FD, -1, 0};
    tarn_addr block = 0, opened = 0, copy = 0;
    tarn_phys phys = 0;
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    must(tarn_memory_alloc(device, 4096, &block));
    must(tarn_memory_alloc(device, 4096, &copy));
    must(tarn_fill(device, block, 0, 1, 4096, TARN_STREAM_NONE));
    must(tarn_memory_export_fd(block, &object.fd));
    must(tarn_phys_import(device, &object, &phys));
    (void)close(object.fd);
    must(tarn_phys_query(phys, &info));
    must(tarn_space_reserve(device, info.bytes, 0, 0, &opened));
    must(tarn_map(opened, info.bytes, phys));
    must(tarn_phys_release(phys));
    must(tarn_map_set_access(opened, info.bytes, &grant, 1));
    // The program forgets that the copy reads the block, whose address is another one.
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_copy(device, copy, opened + 1000, 1000, stream));
    must(tarn_fill(device, block, 1, 1, 2000, TARN_STREAM_NONE));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_unmap(opened, info.bytes, 0));
    must(tarn_space_release(opened));
    must(tarn_memory_free(block, 0));
    must(tarn_memory_free(copy, 0));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
