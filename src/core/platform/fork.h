// SPDX-License-Identifier: Apache-2.0
// fork(): what was opened before it belongs to the parent. In the child it is refused with FORKED,
// and the same device can be opened anew.
#ifndef TARN_CORE_PLATFORM_FORK_H
#define TARN_CORE_PLATFORM_FORK_H

#include <tarn/backend.h>

#include "base/atomic.h"

// Installs the handlers, once.
void tn_fork_watch(void);

// Installs them again behind those of the backend's library, once for each backend: it has just
// been opened.
void tn_fork_watch_behind(const tarn_backend *ops);

// How many forks lie between this process and the first one that watched. Written by the child
// before it has threads.
extern _Atomic(unsigned) tn_fork_generation;

#endif
