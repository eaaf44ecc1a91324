// SPDX-License-Identifier: Apache-2.0
// The program polls an event of another stream than the one that copies.
#include "planted.h"

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_stream first = new_stream(), second = new_stream();
    tarn_event event = new_event();
    tarn_addr block = new_memory(4096);
    unsigned *word = new_word();
    must(tarn_fill(device, block, 42, 1, 4096, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(word), block, 1, second));
    must(tarn_event_record(event, right ? second : first));
    while (tarn_event_query(event) == TARN_NOT_READY) {
    }
    return ends(*word == 42);
}
