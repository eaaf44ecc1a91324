// SPDX-License-Identifier: Apache-2.0
// Domains: names under which clients register heaps. Called with the model's lock held.
#ifndef TARN_CHECK_DOMAINS_H
#define TARN_CHECK_DOMAINS_H

#include "check/model.h"

// Finds or makes the domain of that name. NULL means the global domain.
struct tn_check_domain *tn_check_domain_named(const char *name);

// Returns true if tn_check_domain_named() need not make the domain.
bool tn_check_domain_exists(const char *name);

// Like tn_check_domain_named(), but returns the domain's handle. Reports an invalid name and
// returns 0.
uint64_t tn_check_domain_create(struct tn_check_call *call, const char *name);

void tn_check_domain_destroy(struct tn_check_call *call, uint64_t handle);

// Returns the domain of a handle. Reports an unknown handle and returns the global domain.
struct tn_check_domain *tn_check_domain_resolve(struct tn_check_call *call, uint64_t handle);

#endif
