// SPDX-License-Identifier: Apache-2.0
// fork(): what was opened before it belongs to the parent. In the child it is refused with FORKED,
// and the same device can be opened anew.
#ifndef TARN_CORE_FORK_H
#define TARN_CORE_FORK_H

#include "base/atomic.h"

// Installs the handlers, once.
void tn_fork_watch(void);

// How many forks lie between this process and the first one that watched. Written by the child
// before it has threads.
extern _Atomic(unsigned) tn_fork_generation;

#endif
