/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that use HIAI: blocks and threads. A call that must succeed, and does not,
 * ends the program. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hiaiengine/c_api.h>

#ifndef UNUSED
#define UNUSED __attribute__((unused))
#endif
#define must(call) must_be((call), #call)

UNUSED static void must_be(HIAI_StatusT status, const char *call) {
    if (status != HIAI_OK) {
        fprintf(stderr, "%s: %u\n", call, (unsigned)status);
        exit(2);
    }
}

UNUSED static void begin(void) { must(HIAI_Init(0)); }

UNUSED static char *take(uint32_t bytes) {
    void *block = HIAI_DMalloc(bytes, 1000, MEMORY_ATTR_MANUAL_FREE);
    must(block != NULL ? HIAI_OK : 1);
    return (char *)block;
}

UNUSED static void run_thread(void *(*run)(void *), void *arg) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, run, arg) == 0 ? HIAI_OK : 1);
    (void)pthread_join(thread, NULL);
}
