// SPDX-License-Identifier: Apache-2.0
// The options of the simulated device. See config.h.
#include "backend/sim/config.h"

#include "backend/sim/sim.h"
#include "base/error.h"

static const char *const vmm_choices[] = {"on", "off", "broken", NULL};

#define FIELD(name) .key = #name, .offset = offsetof(struct tn_sim_config, name)

static const struct tn_option table[] = {
    {FIELD(devices), .kind = TN_OPTION_UNSIGNED, .fallback = "2", .min = 1,
     .max = TN_SIM_DEVICES_MAX, .help = "devices of the platform"},
    {FIELD(memory), .kind = TN_OPTION_SIZE, .fallback = "16G", .min = 1, .max = TN_SIM_WINDOW_BYTES,
     .help = "capacity of each device"},
    {FIELD(host_memory), .kind = TN_OPTION_SIZE, .fallback = "64G", .max = TN_SIM_WINDOW_BYTES,
     .help = "capacity of physical memory in host locations"},
    {FIELD(granularity), .kind = TN_OPTION_SIZE, .fallback = "2M", .min = 256,
     .max = (uint64_t)1 << 40, .power_of_two = true, .help = "minimum granularity"},
    {FIELD(recommended), .kind = TN_OPTION_SIZE, .fallback = "0", .max = (uint64_t)1 << 40,
     .help = "recommended granularity; 0: the minimum"},
    {FIELD(space), .kind = TN_OPTION_SIZE, .fallback = "8192T", .min = 256,
     .max = TN_SIM_WINDOW_BYTES / 2, .help = "address space of the platform"},
    {FIELD(giant), .kind = TN_OPTION_BOOL, .fallback = "on", .help = "support pages of 1 GiB"},
    {FIELD(vmm), .kind = TN_OPTION_CHOICE, .fallback = "on", .choices = vmm_choices,
     .help = "virtual memory management: on; off; broken: supported, but every map fails"},
#define COST(field, value, text)                                                                   \
    {FIELD(field), .kind = TN_OPTION_UNSIGNED, .fallback = value, .max = 1000000000000,            \
     .help = text},
    TN_SIM_COST_LIST(COST)
#define RATE(field, value, text)                                                                   \
    {FIELD(field), .kind = TN_OPTION_DOUBLE, .fallback = value, .max = 1000000000, .help = text},
        TN_SIM_RATE_LIST(RATE)};

static tarn_status check_recommended(struct tn_sim_config *config) {
    if (config->recommended == 0) config->recommended = config->granularity;
    uint64_t r = config->recommended;
    TN_REFUSE((r & (r - 1)) != 0 || r < config->granularity, TARN_BAD_CONFIG,
              "sim: recommended=%llu is not a power of two of at least granularity=%llu",
              (unsigned long long)r, (unsigned long long)config->granularity);
    return TARN_OK;
}

tarn_status tn_sim_check_environment(void) {
    struct tn_sim_config config;
    struct tn_options options;
    return tn_options_check_environment(&options, "sim", "TARN_SIM", table,
                                        sizeof table / sizeof table[0], &config);
}

tarn_status tn_sim_config_read(struct tn_sim_config *config, struct tn_options *options,
                               const char *text) {
    TN_TRY(tn_options_read(options, "sim", "TARN_SIM", table, sizeof table / sizeof table[0],
                           config, text));
    return check_recommended(config);
}
