// SPDX-License-Identifier: Apache-2.0
// Tiles without memory read as zero and drop what is written. Tiles come and go in the order of a
// stream, and two arrays show the same memory one after the other.

#include "check/support/tarn.h"

enum { SIDE = 256 }; // a tile of bytes

static tarn_array make_sparse(tarn_device *device) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = 0;
    desc.extent = (tarn_extent){2 * SIDE, SIDE, 0};
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE;
    must(tarn_array_create(device, &desc, &array));
    return array;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device), other = make_stream(device);
    tarn_phys_desc tiles = TARN_INIT(tarn_phys_desc);
    static char bytes[2 * SIDE * SIDE], more[2 * SIDE * SIDE];
    tarn_phys phys = 0;
    tiles.usage = TARN_USAGE_TILE_POOL;
    must(tarn_phys_create(device, 2 << 20, &tiles, &phys));
    tarn_array one = make_sparse(device), two = make_sparse(device);
    tarn_array_map_item tile = {.array = one,
                                .op = TARN_ARRAY_MAP,
                                .phys = phys,
                                .part = TARN_ARRAY_TILES,
                                .extent = {SIDE, SIDE, 1}};
    tarn_array_copy_desc read = from_array(one, bytes, 2 * SIDE, SIDE);
    tarn_array_copy_desc write = into_array(one, bytes, 2 * SIDE, SIDE);
    must(tarn_array_copy(device, &read, stream));
    must(tarn_array_map(&tile, 1, stream));
    must(tarn_array_copy(device, &write, stream));
    must(tarn_array_copy(device, &read, stream));
    tile.array = two;
    must(tarn_array_map(&tile, 1, stream));
    tile.offset[0] = SIDE; // beside the tile that is read below, on another stream
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    tarn_array_copy_desc first = from_array(two, more, SIDE, SIDE);
    must(tarn_array_copy(device, &first, other));
    must(tarn_array_map(&tile, 1, stream));
    tile.op = TARN_ARRAY_UNMAP;
    tile.phys = 0;
    must(tarn_array_map(&tile, 1, stream));
    must(tarn_array_destroy(one));
    must(tarn_array_destroy(two));
    must(tarn_phys_release(phys));
    must(tarn_stream_destroy(stream));
    must(tarn_stream_destroy(other));
    must(tarn_device_close(device));
    return 0;
}
