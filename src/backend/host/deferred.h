// SPDX-License-Identifier: Apache-2.0
// Unmaps that the kernel refused, because a split would exceed its limit of mappings. An unmap must
// not fail, so the page table marks the mapping as deferred, which counts as not mapped, and its
// bytes are hidden by means that need no kernel mapping. The next unmap in the space, a map of the
// same place, a trim, a release, a query of the free memory or a shortage of it completes it. Until
// then it holds the memory of its handle. All functions need the MMU lock, held for writing.
#pragma once

#include "backend/host/platform.h"

// Defers the unmap of the complete mappings of [addr, addr + size).
void tn_host_deferred_add(struct tn_host *h, const struct tn_host_space *space, uint64_t addr,
                          uint64_t size);

// Completes the deferred unmaps that touch [lo, hi) of a space. Returns false, without trying the
// rest, when one cannot be completed.
bool tn_host_deferred_complete(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                               uint64_t hi);

// Completes as many deferred unmaps of the platform as possible.
void tn_host_deferred_complete_all(struct tn_host *h);

// Ends the deferred unmaps of a space that is about to be closed.
void tn_host_deferred_forget(struct tn_host *h, const struct tn_host_space *space);
