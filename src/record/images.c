// SPDX-License-Identifier: Apache-2.0
// A short list of address ranges that only grows; see images.h.
#include "record/images.h"

#include <link.h>
#include <pthread.h>

#include "base/atomic.h"

enum { IMAGES = 16 };

struct range {
    uintptr_t lo, hi;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of tn_record_image_add()
static struct range images[IMAGES];
static _Atomic size_t count; // a store with release publishes an image

// Looks for the image that contains the address in context->lo, and stores its range.
static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    struct range *range = (struct range *)context;
    struct range all = {UINTPTR_MAX, 0};
    bool is_inside = false;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t lo = info->dlpi_addr + part->p_vaddr, hi = lo + part->p_memsz;
        if (part->p_type == PT_LOAD) {
            is_inside = is_inside || range->lo - lo < part->p_memsz;
            all.lo = lo < all.lo ? lo : all.lo;
            all.hi = hi > all.hi ? hi : all.hi;
        }
    }
    *range = is_inside ? all : *range;
    return is_inside ? 1 : 0;
}

void tn_record_image_add(const void *address) {
    struct range range = {(uintptr_t)address, 0};
    if (tn_record_image_has(address) || dl_iterate_phdr(find_image, &range) == 0) return;
    (void)pthread_mutex_lock(&lock);
    size_t known = tn_load_relaxed(&count);
    if (known < IMAGES) {
        images[known] = range;
        tn_store_release(&count, known + 1);
    }
    (void)pthread_mutex_unlock(&lock);
}

bool tn_record_image_has(const void *address) {
    size_t known = tn_load_acquire(&count);
    for (size_t i = 0; i < known; i++)
        if ((uintptr_t)address - images[i].lo < images[i].hi - images[i].lo) return true;
    return false;
}
