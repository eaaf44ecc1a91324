// SPDX-License-Identifier: Apache-2.0
// Shared memory: a file without a name, and its mapping in this process. Whoever made or adopted it
// owns it; no thread changes it in between.
#ifndef TARN_CHANNEL_MEMORY_H
#define TARN_CHANNEL_MEMORY_H

#include <tarn/base.h>

#define TN_SHM_PAGE 4096u
#define TN_SHM_HUGE (UINT64_C(2) << 20)

struct tn_shm {
    int fd; // -1: none
    unsigned char *base;
    uint64_t bytes;
};
#define TN_SHM_NONE                                                                                \
    { -1, NULL, 0 }

// Who may still map it writable once it is sealed against changes of its size.
enum tn_shm_seal {
    TN_SHM_ALL_WRITE, // whoever has the descriptor
    TN_SHM_ONE_WRITES // nobody but this process, by the mapping it has; where the kernel can
};

// Makes `bytes` of zeros, mapped for reading and writing at a multiple of `alignment` (a power of
// two, a page or more), and seals their size. `name` is what the system shows of it.
// NO_HANDLES, NO_ADDRESS_SPACE, NO_HOST_MEMORY, SYSTEM.
tarn_status tn_shm_create(const char *name, uint64_t bytes, uint64_t alignment,
                          enum tn_shm_seal seal, struct tn_shm *shm);

// Makes `bytes` of zeros that no other process sees. NO_HOST_MEMORY.
tarn_status tn_shm_create_private(uint64_t bytes, struct tn_shm *shm);

// Maps a peer's file, and owns `fd` on success. CORRUPT: not memory of exactly `bytes` that can
// neither shrink nor run out of reserved pages, so that touching it could kill. NO_ADDRESS_SPACE.
// One that is only read has the pages it has at once.
tarn_status tn_shm_adopt(int fd, uint64_t bytes, uint64_t alignment, bool writable,
                         struct tn_shm *shm);

// Takes the pages of the first `bytes`. With `present` not more than the file has already: a
// peer's word must not make this process fill memory. NO_HOST_MEMORY.
tarn_status tn_shm_populate(const struct tn_shm *shm, uint64_t bytes, bool present);

// Closes the file and keeps the mapping.
void tn_shm_forget_file(struct tn_shm *shm);

// Unmaps and closes. Fine for TN_SHM_NONE.
void tn_shm_close(struct tn_shm *shm);

#endif
