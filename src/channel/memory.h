// SPDX-License-Identifier: Apache-2.0
// Shared memory: an anonymous file (memfd) and its mapping in this process. The caller that created
// or adopted it owns it, and serialises its calls.
#pragma once

#include <tarn/base.h>

#define TN_SHM_PAGE 4096u
#define TN_SHM_HUGE (UINT64_C(2) << 20)

struct tn_shm {
    int fd; // or -1
    unsigned char *base;
    uint64_t bytes;
};
#define TN_SHM_NONE                                                                                \
    { -1, NULL, 0 }

// Which processes may still map the file writable after its size is sealed.
enum tn_shm_seal {
    TN_SHM_ALL_WRITE, // every process that has the descriptor
    TN_SHM_ONE_WRITES // only this process, by its existing mapping; needs a recent kernel
};

// Creates a file of `bytes` zeros, maps it for reading and writing at a multiple of `alignment` (a
// power of two, at least a page) and seals the size. /proc shows the file as `name`. Returns
// NO_HANDLES, NO_ADDRESS_SPACE, NO_HOST_MEMORY or SYSTEM on failure.
tarn_status tn_shm_create(const char *name, uint64_t bytes, uint64_t alignment,
                          enum tn_shm_seal seal, struct tn_shm *shm);

// Allocates `bytes` zeros of private memory. Returns NO_HOST_MEMORY on failure.
tarn_status tn_shm_create_private(uint64_t bytes, struct tn_shm *shm);

// Maps a peer's file and takes ownership of `fd` on success. Returns CORRUPT unless the file has
// exactly `bytes`, cannot shrink and does not consist of huge pages: accessing any other file could
// raise SIGBUS. Returns NO_ADDRESS_SPACE if it cannot be mapped. A read-only mapping is populated
// with the pages that exist already.
tarn_status tn_shm_adopt(int fd, uint64_t bytes, uint64_t alignment, bool writable,
                         struct tn_shm *shm);

// Allocates the pages of the first `bytes`. With `existing_only` it stops at the file's first hole,
// because a peer must not be able to make this process fill memory. Returns
// NO_HOST_MEMORY on failure.
tarn_status tn_shm_populate(const struct tn_shm *shm, uint64_t bytes, bool existing_only);

// Closes the file and keeps the mapping.
void tn_shm_close_file(struct tn_shm *shm);

// Unmaps the memory and closes the file. Does nothing for TN_SHM_NONE.
void tn_shm_close(struct tn_shm *shm);
