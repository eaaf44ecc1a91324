// SPDX-License-Identifier: Apache-2.0
// The configuration of a platform, from defaults, the environment (TARN_HOST) and the device name,
// and the capabilities of the system.
#pragma once

#include "base/options.h"

#define TN_HOST_DEVICES_MAX 15

enum tn_host_access_policy { TN_HOST_ON_GRANT, TN_HOST_STRICT };

struct tn_host_config {
    uint64_t devices;
    uint64_t memory;      // capacity of each device
    uint64_t granularity; // minimum
    uint64_t recommended;
    unsigned access;     // enum tn_host_access_policy
    unsigned pages;      // the tarn_page_class of TARN_PAGE_DEFAULT; DEFAULT means base pages
    bool giant;          // pages of 1 GiB are supported, by accounting only
    bool fabric;         // the devices are connected, for the faces that have a name for that
    uint64_t poison;     // byte that fills fresh memory; 0: fresh memory reads zero, at no cost
    uint64_t high_water; // bytes of freed memory whose pages are kept for reuse
    uint64_t vma_budget; // of this platform alone; 0: only that of the process
    uint64_t gap;        // bytes before and behind plain and pinned memory that stay unmapped
    uint64_t workers;    // threads of the engine; 0: as many as CPUs
    unsigned schedule;   // enum tn_host_schedule
    uint64_t seed;       // of TN_HOST_SCHEDULE_RANDOM
};

// Capabilities found by experiment.
struct tn_host_probe {
    bool sealing;     // memfds can be sealed, so handles can be exported
    bool huge;        // shared memory gets huge pages on request
    bool one_node;    // all host memory is one NUMA node
    uint64_t page;    // bytes of a base page
    uint64_t memory;  // bytes of the machine
    uint64_t handles; // descriptors available for exportable handles
};

// Reads the defaults, then the environment, then `text`. BAD_CONFIG.
tarn_status tn_host_configure(const char *text, struct tn_options *options,
                              struct tn_host_config *config);

// Tries the system calls that the software device needs. SYSTEM names the call that failed.
tarn_status tn_host_probe_system(struct tn_host_probe *probe);
