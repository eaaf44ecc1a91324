// SPDX-License-Identifier: Apache-2.0
// Host functions: code of the caller that runs in the order of a stream. A thread inside one must
// not wait for streams, since it would wait for itself or for the workers it holds up; so those who
// run them say so, and those who wait ask. About the calling thread only.
#ifndef TARN_BASE_HOSTFN_H
#define TARN_BASE_HOSTFN_H

#include <stdbool.h>

// Calls fn(arg) as a host function of `owner`, the backend's platform.
void tn_hostfn_run(const void *owner, void (*fn)(void *), void *arg);

// Is the calling thread inside a host function of `owner`, however deep?
bool tn_hostfn_inside(const void *owner);

#endif
