// SPDX-License-Identifier: Apache-2.0
// Private anonymous mappings. See pages.h.
#include "base/pages.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

static void *map_zeroed(uint64_t bytes) {
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start != MAP_FAILED ? start : NULL;
}

// Cuts an aligned part out of a larger mapping.
static void *map_aligned(uint64_t bytes) {
    char *start = (char *)map_zeroed(bytes + TN_HUGE_PAGE);
    if (start == NULL) return NULL;
    uint64_t front = (0 - (uint64_t)(uintptr_t)start) & (TN_HUGE_PAGE - 1);
    tn_pages_unmap(start, front);
    tn_pages_unmap(start + front + bytes, TN_HUGE_PAGE - front);
    int saved = errno;
    (void)madvise(start + front, bytes, MADV_HUGEPAGE); // a kernel without them refuses
    errno = saved;
    return start + front;
}

void *tn_pages_map(uint64_t bytes, bool huge) {
    bytes = (bytes + 4095) & ~UINT64_C(4095);
    return huge ? map_aligned(bytes) : map_zeroed(bytes);
}

void tn_pages_unmap(void *start, uint64_t bytes) {
    if (bytes != 0) (void)munmap(start, bytes);
}
