// SPDX-License-Identifier: Apache-2.0
// The host functions that the calling thread is inside, as a list through their stack frames. They
// nest when a host function submits work to another platform that runs it at once. See hostfn.h.
#include "base/hostfn.h"

#include "base/uncancelled.h"

struct frame {
    const struct frame *outer;
    const void *owner;
};

static _Thread_local const struct frame *innermost;

void tn_hostfn_run(const void *owner, void (*fn)(void *), void *arg) {
    TN_UNCANCELLED;
    const struct frame frame = {innermost, owner};
    innermost = &frame;
    fn(arg);
    innermost = frame.outer;
}

bool tn_hostfn_inside(const void *owner) {
    const struct frame *frame = innermost;
    while (frame != NULL && owner != NULL && frame->owner != owner) frame = frame->outer;
    return frame != NULL;
}
