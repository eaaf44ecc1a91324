// SPDX-License-Identifier: Apache-2.0
// Callbacks on a thread of the program's own, which asks for them in a loop: they come in the order of the
// stream, and with ACL_CALLBACK_BLOCK the stream waits for them.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "support/sample.h"

#define BYTES  ((size_t)1 << 18)
#define ROUNDS 8

static atomic_int stop;

// The thread may ask before it is subscribed, and when there is nothing to do.
static void *report_main(void *unused) {
    (void)unused;
    while (!atomic_load(&stop)) {
        aclError error = aclrtProcessReport(10);
        expect(error == ACL_SUCCESS || error == ACL_ERROR_RT_THREAD_SUBSCRIBE ||
               error == ACL_ERROR_RT_REPORT_TIMEOUT);
        if (error == ACL_ERROR_RT_THREAD_SUBSCRIBE) usleep(100);
    }
    return NULL;
}

struct round {
    unsigned char *bytes; // pinned
    int number;
    int *finished; // rounds
};

// The copy before it is done. The copy behind it takes what it writes.
static void check_round(void *data) {
    struct round *round = (struct round *)data;
    expect(*round->finished == round->number);
    expect(round->bytes[0] == round->number && round->bytes[BYTES - 1] == round->number);
    memset(round->bytes, 100 + round->number, BYTES);
    ++*round->finished;
}

static void run_rounds(aclrtStream stream) {
    struct round rounds[ROUNDS];
    void *device = NULL, *pinned = NULL;
    unsigned char last[2] = {0, 0};
    int finished = 0;
    must(aclrtMallocHost(&pinned, BYTES));
    must(aclrtMalloc(&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
    for (int i = 0; i < ROUNDS; i++) {
        rounds[i] = (struct round){(unsigned char *)pinned, i, &finished};
        must(aclrtMemsetAsync(device, BYTES, i, BYTES, stream));
        must(aclrtMemcpyAsync(pinned, BYTES, device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
        must(aclrtLaunchCallback(check_round, &rounds[i], ACL_CALLBACK_BLOCK, stream));
        must(aclrtMemcpyAsync(device, BYTES, pinned, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    }
    must(aclrtSynchronizeStream(stream));
    expect(finished == ROUNDS);
    must(aclrtMemcpy(&last[0], 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    must(aclrtMemcpy(&last[1], 1, (char *)device + BYTES - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    expect(last[0] == 100 + ROUNDS - 1 && last[1] == 100 + ROUNDS - 1);
    must(aclrtFree(device));
    must(aclrtFreeHost(pinned));
}

int main(void) {
    pthread_t thread;
    aclrtStream stream;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtCreateStream(&stream));
    expect(pthread_create(&thread, NULL, report_main, NULL) == 0);
    must(aclrtSubscribeReport((uint64_t)thread, stream));
    run_rounds(stream);
    must(aclrtUnSubscribeReport((uint64_t)thread, stream));
    atomic_store(&stop, 1);
    expect(pthread_join(thread, NULL) == 0);
    must(aclrtDestroyStream(stream));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%d callbacks\n", ROUNDS);
    return 0;
}
