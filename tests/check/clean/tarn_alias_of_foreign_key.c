// SPDX-License-Identifier: Apache-2.0
// A process opens the key of another one twice, and its streams use different bytes, or wait.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/tarn.h"

enum { BYTES = 8192 };

// Exports a block, and keeps it until the other side closes its end.
static int serve(int out, int in) {
    tarn_device *device = open_device();
    tarn_key key;
    tarn_addr block = 0;
    char end = 0;
    must(tarn_memory_alloc(device, BYTES, &block));
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_memory_export(block, &key));
    if (write(out, &key, sizeof key) != sizeof key) return 2;
    (void)!read(in, &end, 1);
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return 0;
}

int main(void) {
    tarn_key key;
    tarn_addr one = 0, other = 0;
    int there[2], back[2], status = 0;
    if (pipe(there) != 0 || pipe(back) != 0) return 2;
    pid_t child = fork();
    if (child == 0) {
        (void)close(back[1]);
        return serve(there[1], back[0]);
    }
    if (read(there[0], &key, sizeof key) != sizeof key) return 2;
    tarn_device *device = open_device();
    tarn_stream reader = make_stream(device), writer = make_stream(device);
    must(tarn_memory_import(device, &key, &one));
    must(tarn_memory_import(device, &key, &other));
    must(tarn_copy(device, one, one + 4096, 1024, reader));
    must(tarn_fill(device, other + 4096 + 1024, 2, 1, 512, writer));
    must(tarn_stream_synchronize(reader, TARN_FOREVER));
    must(tarn_copy(device, other + 6144, one, 1024, writer));
    must(tarn_stream_destroy(reader));
    must(tarn_stream_destroy(writer));
    must(tarn_memory_free(one, 0));
    must(tarn_memory_free(other, 0));
    must(tarn_device_close(device));
    (void)close(back[1]);
    return waitpid(child, &status, 0) == child ? status != 0 : 2;
}
