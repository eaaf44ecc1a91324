// SPDX-License-Identifier: Apache-2.0
// Domains: labels under which clients register. All with the model's lock held, in a call.
#ifndef TARN_CHECK_DOMAINS_H
#define TARN_CHECK_DOMAINS_H

#include "check/model.h"

// That of a name, made when there is none; NULL: the global one. For tellers without handles.
struct tn_check_domain *tn_check_domain_named(const char *name);

// The same with a handle. 0: the name is none.
uint64_t tn_check_domain_create(struct tn_check_call *call, const char *name);

void tn_check_domain_destroy(struct tn_check_call *call, uint64_t handle);

// That of a handle; what is unknown counts as global.
struct tn_check_domain *tn_check_domain_resolve(struct tn_check_call *call, uint64_t handle);

// A client with habits of its own says how much it has reserved on a device.
void tn_check_domain_reserve(struct tn_check_domain *domain, int32_t device, uint64_t bytes);

// What it said last. 0: nothing.
uint64_t tn_check_domain_reserved(const char *name, int32_t device);

#endif
