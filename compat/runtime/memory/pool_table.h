// SPDX-License-Identifier: Apache-2.0
// The table of a pool that processes share: the keys of its segments, in a sealed memory file whose
// descriptor is the pool's handle for other processes. The maker adds keys; others see them. A
// segment stays in the table when the pool releases it, and its key is then refused.
#pragma once

#include "compat/runtime/device/device.h"

struct tn_rt_pool_table;

// Make a table, or open the one of a descriptor, which stays the caller's. Both fail with
// OUT_OF_MEMORY without memory, the second one also if the descriptor is not of a table.
tn_rt_error tn_rt_pool_table_new(struct tn_rt_pool_table **table);
tn_rt_error tn_rt_pool_table_open(int fd, struct tn_rt_pool_table **table);

// NULL does nothing.
void tn_rt_pool_table_end(struct tn_rt_pool_table *table);

// Returns a descriptor of the table, which the program closes. A policy makes it the same one again
// until then. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_pool_table_fd(struct tn_rt_pool_table *table, int *fd);

// Two random numbers, the same in all processes.
void tn_rt_pool_table_name(const struct tn_rt_pool_table *table, uint64_t name[2]);

// Finds or adds a key; the maker only. Fails with OUT_OF_MEMORY if the table is full.
tn_rt_error tn_rt_pool_table_add(struct tn_rt_pool_table *table, const tarn_key *key,
                                 uint32_t *index);

// Returns the key at an index, or false.
bool tn_rt_pool_table_key(const struct tn_rt_pool_table *table, uint32_t index, tarn_key *key);
