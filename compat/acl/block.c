// SPDX-License-Identifier: Apache-2.0
// See block.h. The table is a hash of start addresses, in chains. Which block holds an address
// inside is Tarn's to say.
#include "compat/acl/block.h"

#include <pthread.h>
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/acl/fork.h"

#define FIRST_CHAINS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct tn_acl_block *few[FIRST_CHAINS];
static struct tn_acl_block **chains = few;
static size_t chain_count = FIRST_CHAINS; // a power of two
static size_t block_count;

struct tn_acl_block *tn_acl_block_new(enum tn_acl_family family, struct tn_acl_device *device,
                                      size_t bytes) {
    struct tn_acl_block *block = (struct tn_acl_block *)calloc(1, sizeof *block);
    if (block == NULL) {
        (void)tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for the record of a block");
        return NULL;
    }
    block->family = family;
    block->device = device;
    block->bytes = bytes;
    return block;
}

// ---- the table, under the lock

static struct tn_acl_block **chain_of(uintptr_t start) {
    uint64_t x = (uint64_t)start * UINT64_C(0x9e3779b97f4a7c15);
    return &chains[(x >> 32) & (chain_count - 1)];
}

// Where the block that starts at `start` hangs; where NULL hangs if there is none.
static struct tn_acl_block **place_of(uintptr_t start) {
    struct tn_acl_block **at = chain_of(start);
    while (*at != NULL && (*at)->start != start) {
        at = &(*at)->next;
    }
    return at;
}

static void hang(struct tn_acl_block *block) {
    struct tn_acl_block **at = chain_of(block->start);
    block->next = *at;
    *at = block;
}

// Without host memory the chains get longer, that is all.
static void grow(void) {
    struct tn_acl_block **old = chains;
    size_t old_count = chain_count;
    struct tn_acl_block **more = (struct tn_acl_block **)calloc(old_count * 2, sizeof(void *));
    if (more == NULL) {
        return;
    }
    chains = more;
    chain_count = old_count * 2;
    for (size_t i = 0; i < old_count; i++) {
        for (struct tn_acl_block *block = old[i], *next; block != NULL; block = next) {
            next = block->next;
            hang(block);
        }
    }
    if (old != few) {
        free(old);
    }
}

// ---- calls

void tn_acl_block_insert(struct tn_acl_block *block, uintptr_t start) {
    block->start = start;
    (void)pthread_mutex_lock(&lock);
    if (block_count >= chain_count) {
        grow();
    }
    hang(block);
    block_count++;
    (void)pthread_mutex_unlock(&lock);
}

bool tn_acl_block_look(const void *ptr, struct tn_acl_block *copy) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    if (tarn_address_query((uintptr_t)ptr, &info) != TARN_OK || info.base == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&lock);
    const struct tn_acl_block *block = *place_of((uintptr_t)info.base);
    if (block != NULL) {
        *copy = *block;
    }
    (void)pthread_mutex_unlock(&lock);
    return block != NULL;
}

static const char *family_text(enum tn_acl_family family) {
    switch (family) {
    case TN_ACL_MALLOC:
        return "device memory";
    case TN_ACL_MANAGED:
        return "managed memory";
    case TN_ACL_HOST:
        return "host memory";
    case TN_ACL_REGISTERED:
        return "registered host memory";
    case TN_ACL_DVPP:
        return "media memory of acldvppMalloc()";
    case TN_ACL_HI_MPI:
        break;
    }
    return "media memory of hi_mpi_dvpp_malloc()";
}

static void refuse(const void *ptr, aclError refused) {
    struct tn_acl_block other;
    if (!tn_acl_block_look(ptr, &other)) {
        (void)tn_acl_fail(refused, "%p is in no memory that was allocated, or is freed already",
                          ptr);
        return;
    }
    (void)tn_acl_fail(refused, "%p is %s %s of %zu bytes from 0x%llx", ptr,
                      (uintptr_t)ptr == other.start ? "the start of" : "inside",
                      family_text(other.family), other.bytes, (unsigned long long)other.start);
}

struct tn_acl_block *tn_acl_block_take(const void *start, unsigned families, aclError refused) {
    (void)pthread_mutex_lock(&lock);
    struct tn_acl_block **at = place_of((uintptr_t)start);
    struct tn_acl_block *block = *at;
    if (block != NULL && (block->family & families) != 0) {
        *at = block->next;
        block_count--;
    } else {
        block = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    if (block == NULL) {
        refuse(start, refused);
        tarn_annotate_refused("a free by AscendCL", (tarn_addr)(uintptr_t)start);
    }
    return block;
}

// The blocks belong to the parent.
void tn_acl_block_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    for (size_t i = 0; step == TN_FACE_FORK_CHILD && i < chain_count; i++) {
        while (chains[i] != NULL) {
            struct tn_acl_block *block = chains[i];
            chains[i] = block->next;
            free(block);
        }
    }
    block_count = step == TN_FACE_FORK_CHILD ? 0 : block_count;
    (void)pthread_mutex_unlock(&lock);
}
