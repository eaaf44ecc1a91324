// SPDX-License-Identifier: Apache-2.0
// A host function on one stream opens a table that a host function on another stream uses.
#include "planted.h"

static unsigned *table;
static unsigned room[4];
static bool found_table = true;

static void open_table(void *unused) {
    (void)unused;
    table = room;
}

static void use_table(void *unused) {
    (void)unused;
    if (table == NULL)
        found_table = false;
    else
        table[0]++;
}

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_stream first = new_stream(), second = new_stream();
    must(tarn_stream_call(first, open_table, NULL));
    if (right) order(first, second);
    for (int i = 0; i < 4; i++) must(tarn_stream_call(second, use_table, NULL));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    return ends(found_table && room[0] == 4);
}
