// SPDX-License-Identifier: Apache-2.0
// The configuration of a simulated platform: sizes, and the cost of each kind of call. It is read
// from the defaults, then the environment variable TARN_SIM, then the device name, and is constant
// once the platform is open.
#pragma once

#include "base/options.h"

// The rights of a mapping must fit one word, here and in the core.
#define TN_SIM_DEVICES_MAX 31

// Each platform has a window of addresses of this size. Windows begin above all pointers of a
// process.
#define TN_SIM_WINDOW_BYTES ((uint64_t)1 << 54)
#define TN_SIM_FIRST_WINDOW ((uint64_t)1 << 60)
#define TN_SIM_WINDOWS      448u

// Costs in virtual nanoseconds: X(field, default, "help"). The defaults are round figures of the
// order of a data-centre GPU. For quantitative results, measure your own device.
#define TN_SIM_COST_LIST(X)                                                                        \
    X(reserve_ns, "2000", "cost of reserving addresses")                                           \
    X(release_ns, "1000", "cost of releasing a reservation")                                       \
    X(create_ns, "30000", "cost of creating physical memory")                                      \
    X(destroy_ns, "20000", "cost of destroying physical memory")                                   \
    X(map_ns, "2000", "cost of each mapping")                                                      \
    X(unmap_ns, "30000", "cost of each unmapping")                                                 \
    X(access_ns, "40000", "cost of setting the rights of each mapping")                            \
    X(share_ns, "10000", "cost of an export or import")                                            \
    X(allocate_ns, "100000", "cost of allocating plain device memory")                             \
    X(free_ns, "100000", "cost of freeing plain device memory")                                    \
    X(gib_ns, "0", "cost of each GiB of memory that is created or allocated")                      \
    X(host_ns, "50000", "cost of allocating, freeing or registering host memory")                  \
    X(copy_ns, "5000", "fixed cost of a copy or fill")

// Rates in bytes per virtual nanosecond. At 0, bytes cost nothing.
#define TN_SIM_RATE_LIST(X)                                                                        \
    X(link_bytes_per_ns, "25", "speed of copies that touch host memory")                           \
    X(copy_bytes_per_ns, "1000", "speed of copies within device memory")                           \
    X(fill_bytes_per_ns, "1500", "speed of fills of device memory")

enum tn_sim_vmm { TN_SIM_VMM_ON, TN_SIM_VMM_OFF, TN_SIM_VMM_BROKEN };

struct tn_sim_config {
    uint64_t devices;
    uint64_t memory;
    uint64_t host_memory;
    uint64_t granularity;
    uint64_t recommended; // 0: the same as granularity
    uint64_t space;
    bool giant;   // pages of 1 GiB are supported
    unsigned vmm; // enum tn_sim_vmm
#define TN_SIM_COST_FIELD(field, fallback, text) uint64_t field;
    TN_SIM_COST_LIST(TN_SIM_COST_FIELD)
#undef TN_SIM_COST_FIELD
#define TN_SIM_RATE_FIELD(field, fallback, text) double field;
    TN_SIM_RATE_LIST(TN_SIM_RATE_FIELD)
#undef TN_SIM_RATE_FIELD
};

// `options` refers to `config` afterwards. BAD_CONFIG with a text.
tarn_status tn_sim_config_read(struct tn_sim_config *config, struct tn_options *options,
                               const char *text);
