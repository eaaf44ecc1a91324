// SPDX-License-Identifier: Apache-2.0
// The program allocates five blocks, and looks at the status of four.
#include "planted.h"

int main(int argc, char **argv) {
    bool right = begins(argc, argv);
    tarn_addr blocks[5] = {0};
    for (int i = 0; i < 5; i++) {
        tarn_status status = tarn_memory_alloc(device, 1 << 16, &blocks[i]);
        if (i != 3 || right) must(status);
        memset((void *)(uintptr_t)blocks[i], i, 1 << 16);
    }
    tarn_stream stream = new_stream();
    must(tarn_fill(device, blocks[4], 9, 1, 1 << 16, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    return ends(*(unsigned char *)(uintptr_t)blocks[4] == 9);
}
