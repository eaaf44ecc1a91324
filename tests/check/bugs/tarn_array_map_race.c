// SPDX-License-Identifier: Apache-2.0
// A stream takes the memory of a tile away while a copy on another stream reads the tile.
// EXPECT: ERROR copy-race: write of 256 byte(s) at 0x... by tarn_array_map on stream 0x... is unordered with the read by tarn_array_copy on stream 0x..., in a device array of
// EXPECT:     ... main .../tarn_array_map_race.c:35
// EXPECT:     ... main .../tarn_array_map_race.c:32

#include "check/support/tarn.h"

enum { SIDE = 256 }; // a tile of bytes

int main(void) {
    tarn_device *device = open_device();
    tarn_stream copier = make_stream(device), mapper = make_stream(device);
    tarn_phys_desc tiles = TARN_INIT(tarn_phys_desc);
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    static char bytes[SIDE * SIDE];
    tarn_array array = 0;
    tarn_phys phys = 0;
    tiles.usage = TARN_USAGE_TILE_POOL;
    must(tarn_phys_create(device, 2 << 20, &tiles, &phys));
    desc.extent = (tarn_extent){2 * SIDE, SIDE, 0};
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE;
    must(tarn_array_create(device, &desc, &array));
    tarn_array_map_item tile = {.array = array,
                                .op = TARN_ARRAY_MAP,
                                .phys = phys,
                                .part = TARN_ARRAY_TILES,
                                .extent = {SIDE, SIDE, 1}};
    must(tarn_array_map(&tile, 1, TARN_STREAM_NONE));
    tarn_array_copy_desc read = from_array(array, bytes, SIDE, SIDE);
    must(tarn_array_copy(device, &read, copier));
    tile.op = TARN_ARRAY_UNMAP;
    tile.phys = 0;
    must(tarn_array_map(&tile, 1, mapper));
    must(tarn_stream_destroy(copier));
    must(tarn_stream_destroy(mapper));
    must(tarn_array_destroy(array));
    must(tarn_phys_release(phys));
    must(tarn_device_close(device));
    return 0;
}
