// SPDX-License-Identifier: Apache-2.0
// The software MMU of one platform: which addresses are its own, what is mapped there, and who may
// use it. It belongs to the platform. Reservations and mappings change it under its lock, held for
// writing; operations that touch bytes hold it for reading while they do, in pieces of at most
// TN_HOST_MMU_PIECE bytes, so that an unmap never waits long and has taken effect when it returns.
#ifndef TARN_HOST_MMU_H
#define TARN_HOST_MMU_H

#include <tarn/map.h>

// The platform, as the slots of the table get it in `p`. Its fields are in platform.h.
struct tn_host;

// The most bytes that may be touched under one hold of the lock.
#define TN_HOST_MMU_PIECE ((uint64_t)1 << 20)

// Any thread; not recursive (a second hold by the same thread can deadlock with a writer between).
void tn_host_mmu_lock_shared(struct tn_host *h);
void tn_host_mmu_unlock_shared(struct tn_host *h);

// Under the shared lock: a CPU pointer to the byte at `addr`, good until the lock is dropped, for
// `*run` bytes, 1 <= *run <= size. A run goes on over neighbouring mappings while the right holds.
// `size` is not 0. `devices` are the executing device and up to two peers, -1: none; the right
// `need` must be held by one of them or by the location that owns the bytes.
//
// An address that is not this platform's is ordinary host memory: cpu is the address itself, and
// the run ends where memory of the platform begins. Nothing is dereferenced, whatever the number.
//
// NOT_MAPPED: in a reservation, or where plain or pinned memory has been freed, and nothing is
// there; NO_ACCESS; BAD_ADDRESS: addr + size wraps. The text names address, reservation, device.
tarn_status tn_host_mmu_translate(struct tn_host *h, tarn_addr addr, uint64_t size,
                                  tarn_access need, const int devices[3], void **cpu,
                                  uint64_t *run);

// Checks a whole range without touching it: the shared lock, and every byte of it as above.
tarn_status tn_host_mmu_check(struct tn_host *h, tarn_addr addr, uint64_t size, tarn_access need,
                              const int devices[3]);

#endif
