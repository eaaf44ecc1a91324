// SPDX-License-Identifier: Apache-2.0
// Host functions: functions of the caller that run in the order of a stream. A thread inside one
// must not wait for streams of the same platform, since it would wait for itself or for the workers
// that it occupies. Backends call host functions through this file, and waiting calls query it
// first. State is per thread.
#pragma once

#include <stdbool.h>

// Calls fn(arg) as a host function of `owner`, the platform of the backend.
void tn_hostfn_run(const void *owner, void (*fn)(void *), void *arg);

// Returns true if the calling thread is inside a host function of `owner`, at any depth, or, with
// NULL, of any owner.
bool tn_hostfn_inside(const void *owner);
