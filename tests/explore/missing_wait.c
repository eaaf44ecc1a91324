// SPDX-License-Identifier: Apache-2.0
// A stream copies what another one fills, without a wait between them.
#include "planted.h"

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_stream producer = new_stream(), consumer = new_stream(), other = new_stream();
    tarn_addr block = new_memory(4096), scratch = new_memory(4096);
    unsigned *word = new_word();
    for (int i = 0; i < 3; i++) must(tarn_fill(device, scratch, 1, 1, 4096, other));
    must(tarn_fill(device, block, 42, 1, 4096, producer));
    if (right) order(producer, consumer);
    must(tarn_copy(device, TARN_ADDR(word), block, 1, consumer));
    for (int i = 0; i < 3; i++) must(tarn_fill(device, scratch, 2, 1, 4096, other));
    must(tarn_stream_synchronize(consumer, TARN_FOREVER));
    return ends(*word == 42);
}
