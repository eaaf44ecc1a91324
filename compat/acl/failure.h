// SPDX-License-Identifier: Apache-2.0
// Streams that stop at failures. In mode 0 a failure is reported and later work runs. In mode 1 the
// stream stops, and with it the other streams of its context. Any thread may call these functions.
#pragma once

#include "compat/acl/queue.h"

// Sets the failure mode of a queue. Only bit 0 of `mode` counts. 207000 for a return to mode 0.
aclError tn_acl_failure_mode(struct tn_acl_queue *queue, uint64_t mode);

// Call this after each submission of work that may fail. If the queue is in mode 1, the context's
// other streams stop once the work has failed. Does nothing on a platform without conditions.
void tn_acl_failure_watch(struct tn_acl_queue *queue);
