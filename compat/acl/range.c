// SPDX-License-Identifier: Apache-2.0
// See range.h. Extents in order, none touching another: as memory is cut from few windows they grow
// together soon.
#include "compat/acl/range.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/fork.h"

struct extent {
    uintptr_t start;
    uintptr_t end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct extent *extents;
static size_t count;
static size_t room;

// The first extent that ends at or behind an address.
static size_t first_from(uintptr_t address) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (extents[middle].end < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool make_room(void) {
    if (count < room) {
        return true;
    }
    size_t more = room == 0 ? 16 : room * 2;
    struct extent *bigger = (struct extent *)realloc(extents, more * sizeof *extents);
    if (bigger == NULL) {
        return false;
    }
    extents = bigger;
    room = more;
    return true;
}

// Puts an extent in the place of those from `first` up to `last` that it touches.
static void merge(size_t first, size_t last, struct extent extent) {
    if (first == last && !make_room()) {
        return;
    }
    memmove(&extents[first + 1], &extents[last], (count - last) * sizeof *extents);
    count = count + 1 - (last - first);
    extents[first] = extent;
}

void tn_acl_range_add(uintptr_t start, size_t bytes) {
    struct extent extent = {start, start + bytes};
    (void)pthread_mutex_lock(&lock);
    size_t first = first_from(start);
    size_t last = first;
    while (last < count && extents[last].start <= extent.end) {
        extent.start = extents[last].start < extent.start ? extents[last].start : extent.start;
        extent.end = extents[last].end > extent.end ? extents[last].end : extent.end;
        last++;
    }
    merge(first, last, extent);
    (void)pthread_mutex_unlock(&lock);
}

bool tn_acl_range_holds(uintptr_t address) {
    (void)pthread_mutex_lock(&lock);
    size_t at = first_from(address);
    // One that ends right at the address does not hold it; the next one begins further up.
    bool held = at < count && extents[at].start <= address && address < extents[at].end;
    (void)pthread_mutex_unlock(&lock);
    return held;
}

// The devices of the child have a range of their own.
void tn_acl_range_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    count = step == TN_FACE_FORK_CHILD ? 0 : count;
    (void)pthread_mutex_unlock(&lock);
}
