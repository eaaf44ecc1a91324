// SPDX-License-Identifier: Apache-2.0
// Threads of this library inside a program. A program's handlers of signals run on the program's
// threads.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// As pthread_create(). The thread, and those that it starts, block all signals but their own faults.
int tn_thread_create(pthread_t *thread, void *(*run)(void *), void *arg);

// Returns true if all threads of the process sleep, apart from the caller and those of the list.
bool tn_threads_sleep(const pid_t *without, size_t count);
