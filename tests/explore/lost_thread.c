// SPDX-License-Identifier: Apache-2.0
// Two threads read a number of the device, add one and write it back, without a lock around the three.
#include "planted.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tarn_addr number;
static bool locks;

static void *add_one(void *unused) {
    unsigned word = 0;
    (void)unused;
    if (locks) (void)pthread_mutex_lock(&lock);
    must(tarn_copy(device, TARN_ADDR(&word), number, sizeof word, TARN_STREAM_NONE));
    word++;
    must(tarn_copy(device, number, TARN_ADDR(&word), sizeof word, TARN_STREAM_NONE));
    if (locks) (void)pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    unsigned sum = 0;
    locks = begins(argc, argv);
    number = new_memory(4096);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, add_one, NULL) != 0) return 2;
    for (int i = 0; i < 2; i++) (void)pthread_join(threads[i], NULL);
    must(tarn_copy(device, TARN_ADDR(&sum), number, sizeof sum, TARN_STREAM_NONE));
    return ends(sum == 2);
}
