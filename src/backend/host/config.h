// SPDX-License-Identifier: Apache-2.0
// What a platform is configured to be, from defaults, the environment (TARN_HOST) and the device
// name, and what the system was found to give.
#ifndef TARN_HOST_CONFIG_H
#define TARN_HOST_CONFIG_H

#include <tarn/base.h>

#include "base/options.h"

#define TN_HOST_DEVICES_MAX 15

enum tn_host_access_policy { TN_HOST_ON_GRANT, TN_HOST_STRICT };

struct tn_host_config {
    uint64_t devices;
    uint64_t memory;      // capacity of each
    uint64_t granularity; // minimum
    uint64_t recommended;
    unsigned access; // enum tn_host_access_policy
    unsigned pages;  // tarn_page_class that DEFAULT means; DEFAULT itself is base pages
    bool giant;      // pages of 1 GiB can be asked for, by accounting
    uint64_t poison; // the byte that fresh memory is filled with; 0: nothing is done, it reads zero
    uint64_t high_water; // bytes of freed memory whose pages are kept for reuse
    uint64_t vma_budget; // of this platform alone; 0: only that of the process
    uint64_t workers;    // threads of the engine; 0: as many as CPUs
};

// What was found by trying.
struct tn_host_probe {
    bool sealing;     // memfds can be sealed: handles can be exported
    bool huge;        // shared memory gets huge pages when asked for
    bool one_node;    // all host memory is one NUMA node
    uint64_t page;    // bytes of a base page
    uint64_t memory;  // bytes of the machine
    uint64_t handles; // descriptors that may be open for exportable handles
};

// Defaults, then the environment, then `text`. BAD_CONFIG.
tarn_status tn_host_configure(const char *text, struct tn_options *options,
                              struct tn_host_config *config);

// Tries what the software device rests on. SYSTEM: it does not work here, with the call that
// failed.
tarn_status tn_host_probe_system(struct tn_host_probe *probe);

#endif
