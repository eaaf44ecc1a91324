// SPDX-License-Identifier: Apache-2.0
// Two streams add one to a number of the device, each by a copy to the host, a host function and a copy
// back. If the copies of one lie between those of the other, an addition is lost.
#include "planted.h"

static void add_one(void *word) { *(unsigned *)word += 1; }

static void submit_addition(tarn_stream stream, tarn_addr number, unsigned *word) {
    must(tarn_copy(device, TARN_ADDR(word), number, sizeof *word, stream));
    must(tarn_stream_call(stream, add_one, word));
    must(tarn_copy(device, number, TARN_ADDR(word), sizeof *word, stream));
}

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_stream streams[2] = {new_stream(), new_stream()};
    tarn_addr number = new_memory(4096);
    unsigned *words[2] = {new_word(), new_word()}, sum = 0;
    for (int i = 0; i < 2; i++) {
        if (right && i > 0) order(streams[0], streams[i]);
        submit_addition(streams[i], number, words[i]);
    }
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_copy(device, TARN_ADDR(&sum), number, sizeof sum, TARN_STREAM_NONE));
    return ends(sum == 2);
}
