// SPDX-License-Identifier: Apache-2.0
// Keys to plain device memory: tickets (ticket.h) in writing. Blocks lie in arenas, which nobody
// else may see, so the first export moves a block to a sealed file of its own.
#ifndef TARN_HOST_KEY_H
#define TARN_HOST_KEY_H

#include <tarn/memory.h>

// The slots of the table. An import is closed as a block is freed.
tarn_status tn_host_memory_export(void *p, int device, tarn_addr addr, uint64_t size,
                                  tarn_memory_key *key);
tarn_status tn_host_memory_import(void *p, int device, const tarn_memory_key *key, tarn_addr *addr,
                                  uint64_t *size);
tarn_status tn_host_memory_allow(void *p, const tarn_memory_key *key, const int *pids,
                                 size_t count);

#endif
