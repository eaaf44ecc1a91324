// SPDX-License-Identifier: Apache-2.0
// Levels and layers of an array are written and read one by one; streams work beside each other in one
// array; a volume is read after an event.

#include "check/support/tarn.h"

enum { SIDE = 32, LEVELS = 3 };

static void levels(tarn_device *device) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    static char bytes[SIDE * SIDE];
    tarn_array array = 0;
    desc.extent = (tarn_extent){SIDE, SIDE, 0};
    desc.layers = 4;
    desc.levels = LEVELS;
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_LAYERED;
    must(tarn_array_create(device, &desc, &array));
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint64_t layer = 0; layer < 4; layer++) {
            tarn_array_copy_desc copy = into_array(array, bytes, SIDE >> level, SIDE >> level);
            copy.dst.level = level;
            copy.dst.z = layer;
            must(tarn_array_copy(device, &copy, TARN_STREAM_NONE));
            copy.src = copy.dst;
            copy.dst = (tarn_array_place){.addr = TARN_ADDR(bytes)};
            must(tarn_array_copy(device, &copy, TARN_STREAM_NONE));
        }
    must(tarn_array_destroy(array));
}

static void beside_each_other(tarn_device *device) {
    tarn_stream one = make_stream(device), other = make_stream(device);
    tarn_event event = 0;
    static char bytes[2][SIDE * SIDE * 4];
    must(tarn_event_create(device, &event));
    tarn_array image = make_array(device, SIDE, SIDE, 1);
    tarn_array_copy_desc left = into_array(image, bytes[0], SIDE / 2, SIDE);
    tarn_array_copy_desc right = into_array(image, bytes[1], SIDE / 2, SIDE);
    right.dst.x = SIDE / 2;
    must(tarn_array_copy(device, &left, one));
    must(tarn_array_copy(device, &right, other));
    must(tarn_event_record(event, one));
    must(tarn_stream_wait(other, event, 0));
    tarn_array_copy_desc whole = from_array(image, bytes[1], SIDE, SIDE);
    must(tarn_array_copy(device, &whole, other));
    must(tarn_array_destroy(image)); // waits
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(other));
}

int main(void) {
    tarn_device *device = open_device();
    levels(device);
    beside_each_other(device);
    must(tarn_array_destroy(0));
    must(tarn_device_close(device));
    must(tarn_device_open("sim:0", &device));
    levels(device);
    beside_each_other(device);
    must(tarn_device_close(device));
    return 0;
}
