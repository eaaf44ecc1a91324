// SPDX-License-Identifier: Apache-2.0
// Two threads share a block, and each of them frees it as its last user.
// EXPECT: ERROR double-free: region R1 [0x...,+...) given to HIAI_DFree again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... drop .../hiai_two_owners.c:14
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hiai_two_owners.c:20
// EXPECT:   first freed by thread
// EXPECT:     ... drop .../hiai_two_owners.c:14

#include "check/support/hiai.h"

static void *drop(void *block) {
    (void)HIAI_DFree(block);
    return NULL;
}

int main(void) {
    begin();
    void *block = take(5000);
    run_thread(drop, block);
    run_thread(drop, block);
    return 0;
}
