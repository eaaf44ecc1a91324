// SPDX-License-Identifier: Apache-2.0
// The host functions that a thread is inside of: a list through their frames, for where there are
// no workers one may give work that runs there and then, to another platform too. See hostfn.h.
#include "base/hostfn.h"

#include <stddef.h>

struct frame {
    const struct frame *outer;
    const void *owner;
};

static _Thread_local const struct frame *innermost;

void tn_hostfn_run(const void *owner, void (*fn)(void *), void *arg) {
    const struct frame frame = {innermost, owner};
    innermost = &frame;
    fn(arg);
    innermost = frame.outer;
}

bool tn_hostfn_inside(const void *owner) {
    const struct frame *frame = innermost;
    while (frame != NULL && frame->owner != owner) {
        frame = frame->outer;
    }
    return frame != NULL;
}
