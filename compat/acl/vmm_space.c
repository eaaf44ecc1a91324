// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses: those that the program reserved, in order of address, and what each is tied
// to. Pools and plain memory have addresses too, which are no business of these functions.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"

// Guards the below. Tarn is called under it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_acl_space *spaces;
static size_t count;
static size_t room;

// What the parent reserved is not the child's.
void tn_acl_space_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        count = 0;
    }
    (void)pthread_mutex_unlock(&lock);
}

// ---- the list

// How many start at or below `addr`.
static size_t position(tarn_addr addr) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spaces[middle].start <= addr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct tn_acl_space *tn_acl_space_lock(tarn_addr addr) {
    (void)pthread_mutex_lock(&lock);
    size_t at = position(addr);
    struct tn_acl_space *below = at > 0 ? &spaces[at - 1] : NULL;
    return below != NULL && addr - below->start < below->size ? below : NULL;
}

void tn_acl_space_unlock(void) {
    (void)pthread_mutex_unlock(&lock);
}

static bool make_room(void) {
    if (count < room) {
        return true;
    }
    size_t wanted = room == 0 ? 16 : 2 * room;
    struct tn_acl_space *wider =
        (struct tn_acl_space *)realloc(spaces, wanted * sizeof(struct tn_acl_space));
    if (wider == NULL) {
        return false;
    }
    spaces = wider;
    room = wanted;
    return true;
}

static void insert(tarn_addr start, uint64_t size) {
    size_t at = position(start);
    memmove(&spaces[at + 1], &spaces[at], (count - at) * sizeof spaces[0]);
    spaces[at] = (struct tn_acl_space){.start = start, .size = size};
    count++;
}

static void take_out(struct tn_acl_space *space) {
    size_t at = (size_t)(space - spaces);
    memmove(space, space + 1, (count - at - 1) * sizeof *space);
    count--;
}

// ---- aclrtReserveMemAddress

// What a wish must be a multiple of.
static uint64_t unit_of_wish(uint64_t size) {
    uint64_t unit = TN_ACL_HUGE;
    while (unit < size && unit < TN_ACL_GIANT) {
        unit *= 2;
    }
    return unit;
}

static aclError check_wish(uint64_t size, size_t alignment, const void *wish) {
    if (alignment != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "alignment %zu, only 0 is possible",
                           alignment);
    }
    if (tn_acl_addr(wish) % unit_of_wish(size) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                           "expectPtr %p is no multiple of 0x%llx, as %llu bytes ask for", wish,
                           (unsigned long long)unit_of_wish(size), (unsigned long long)size);
    }
    return ACL_SUCCESS;
}

static aclError reserve_and_note(void **virPtr, uint64_t size, const void *wish) {
    tarn_addr start = 0;
    aclError error = ACL_SUCCESS;
    (void)pthread_mutex_lock(&lock);
    if (!make_room()) {
        error = tn_acl_fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "no host memory for a reservation");
    } else {
        error = tn_acl_from(tarn_space_reserve(tn_acl_face.devices[0].tarn, size,
                                               size >= TN_ACL_GIANT ? TN_ACL_GIANT : TN_ACL_HUGE,
                                               tn_acl_addr(wish), &start),
                            ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        insert(start, size);
        *virPtr = (void *)(uintptr_t)start;
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

static aclError reserve(void **virPtr, size_t size, size_t alignment, const void *wish,
                        int generation) {
    aclError error = tn_acl_vmm_enter(generation);
    if (error == ACL_SUCCESS) {
        error = check_wish(size, alignment, wish);
    }
    if (error == ACL_SUCCESS && size > SIZE_MAX - TN_ACL_HUGE) {
        error = tn_acl_fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%zu bytes: no range is as long", size);
    }
    if (error == ACL_SUCCESS) {
        error =
            reserve_and_note(virPtr, (size + TN_ACL_HUGE - 1) / TN_ACL_HUGE * TN_ACL_HUGE, wish);
    }
    return error;
}

static aclError check_reserve(void *const *virPtr, size_t size, uint64_t flags) {
    return virPtr == NULL || size == 0 || flags > 1
               ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "virPtr %p, size %zu, flags %llu",
                             (const void *)virPtr, size, (unsigned long long)flags)
               : ACL_SUCCESS;
}

aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
                                uint64_t flags) {
    aclError error = check_reserve(virPtr, size, flags);
    if (error == ACL_SUCCESS) {
        error = reserve(virPtr, size, alignment, expectPtr, 1);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment,
                                          void *expectPtr, uint64_t flags) {
    aclError error = check_reserve(virPtr, size, flags);
    if (error == ACL_SUCCESS) {
        error = reserve(virPtr, size, alignment, expectPtr, 2);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtReleaseMemAddress

static aclError release(const void *virPtr) {
    tarn_addr start = tn_acl_addr(virPtr);
    aclError error = ACL_SUCCESS;
    struct tn_acl_space *space = tn_acl_space_lock(start);
    if (space == NULL || space->start != start) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "no reservation starts at %p", virPtr);
    } else {
        error = tn_acl_from(tarn_space_release(start, space->size), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        take_out(space);
    }
    tn_acl_space_unlock();
    return error;
}

aclError aclrtReleaseMemAddress(void *virPtr) {
    aclError error = virPtr == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "virPtr is NULL")
                                    : tn_acl_vmm_enter(1);
    if (error == ACL_SUCCESS) {
        error = release(virPtr);
    }
    return tn_acl_leave(error, __func__);
}
