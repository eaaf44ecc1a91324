/* SPDX-License-Identifier: Apache-2.0 */
/* What programs that use Tarn have in common: a device, a pool, and an end where a call that must
 * be good is not. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/channel.h>
#include <tarn/face.h>
#include <tarn/software.h>
#include <tarn/tarn.h>

// A region to begin: tarn_annotate_region_begin_with(REGION_OF(...)).
#define REGION_OF(addr, bytes, occupied, stream, name)                                             \
    (&(tarn_region_desc){sizeof(tarn_region_desc), addr, bytes, occupied, stream, name})

#define UNUSED     __attribute__((unused))
#define must(call) must_be((call), #call)

UNUSED static void must_be(tarn_status status, const char *call) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        fprintf(stderr, "%s: %s\n", call, error.message);
        exit(2);
    }
}

UNUSED static tarn_device *open_device(void) {
    tarn_device *device = NULL;
    must(tarn_device_open("host:0,memory=256M", &device));
    return device;
}

UNUSED static tarn_pool *make_pool(tarn_device *device, tarn_pool_kind kind) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = kind;
    desc.device = device;
    desc.limit = 64 << 20;
    must(tarn_pool_create(&desc, &pool));
    return pool;
}

UNUSED static tarn_addr take(tarn_pool *pool, uint64_t bytes) {
    tarn_addr addr = 0;
    must(tarn_pool_alloc(pool, bytes, TARN_STREAM_NONE, &addr));
    return addr;
}

UNUSED static tarn_stream make_stream(tarn_device *device) {
    tarn_stream stream = 0;
    must(tarn_stream_create(device, &stream));
    return stream;
}

UNUSED static void end_pool(tarn_device *device, tarn_pool *pool) {
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
}

// A name of physical memory: a reservation of its own with one mapping.
UNUSED static tarn_addr map_name(tarn_device *device, tarn_phys phys, uint64_t bytes) {
    const tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    tarn_addr addr = 0;
    must(tarn_space_reserve(device, bytes, 0, 0, &addr));
    must(tarn_map(addr, bytes, phys));
    must(tarn_map_set_access(addr, bytes, &grant, 1));
    return addr;
}

UNUSED static void end_name(tarn_addr addr, uint64_t bytes) {
    must(tarn_unmap(addr, bytes, 0));
    must(tarn_space_release(addr));
}

UNUSED static tarn_phys make_phys(tarn_device *device, uint64_t bytes, uint32_t shareable) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.shareable = shareable;
    must(tarn_phys_create(device, bytes, &desc, &phys));
    return phys;
}

// An array of two dimensions with elements of 4 bytes.
UNUSED static tarn_array make_array(tarn_device *device, uint64_t width, uint64_t height,
                                    uint32_t levels) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = 0;
    desc.extent = (tarn_extent){width, height, 0};
    desc.levels = levels;
    desc.element_bytes = 4;
    must(tarn_array_create(device, &desc, &array));
    return array;
}

// Copies between rows of host memory and the first elements of an array.
UNUSED static tarn_array_copy_desc into_array(tarn_array array, void *bytes, uint64_t width,
                                              uint64_t height) {
    tarn_array_copy_desc copy = TARN_INIT(tarn_array_copy_desc);
    copy.dst.array = array;
    copy.src.addr = TARN_ADDR(bytes);
    copy.width = width;
    copy.height = height;
    return copy;
}

UNUSED static tarn_array_copy_desc from_array(tarn_array array, void *bytes, uint64_t width,
                                              uint64_t height) {
    tarn_array_copy_desc copy = into_array(array, bytes, width, height);
    const tarn_array_place there = copy.dst;
    copy.dst = copy.src;
    copy.src = there;
    return copy;
}
