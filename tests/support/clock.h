// SPDX-License-Identifier: Apache-2.0
// A clock that jumps, as on a machine that is busy. The program is linked with
// -Wl,--wrap=clock_gettime. One source of a program includes it, and one thread sets the jump.
#pragma once

#include <time.h>

static int clock_jump_s; // from one call to the next
static time_t clock_jumped_s;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    int result = __real_clock_gettime(clock, now);
    if (clock_jump_s != 0) clock_jumped_s += clock_jump_s;
    now->tv_sec += clock_jumped_s;
    return result;
}
