// SPDX-License-Identifier: Apache-2.0
// The policy of an expandable pool as numbers: how much it may hold before it moves handles, and
// the sizes of the handles that it creates. Under the growth lock.
#pragma once

#include "core/pool/pool.h"

// Returns the bytes that the pool may hold before it moves free handles instead of creating new
// ones, if its blocks need at most `needed` bytes. UINT64_MAX: it only moves at its limit.
uint64_t tn_policy_goal(const tarn_pool *pool, uint64_t needed);

// Returns the bytes below which a block is short: short blocks are gathered, so that they keep few
// handles from moving.
uint64_t tn_policy_short(const tarn_pool *pool);

// Returns the pages to create where `lack` are lacking and at most `room` may be new: a round
// number where the policy allows it.
uint64_t tn_policy_round(const tarn_pool *pool, uint64_t lack, uint64_t room);

// Returns the pages of the next handle of a growth by `pages`. A long handle with one block on it
// cannot be moved.
uint64_t tn_policy_handle(const tarn_pool *pool, uint64_t pages);
