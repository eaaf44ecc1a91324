// SPDX-License-Identifier: Apache-2.0
// The capacity of a simulated platform: one account for each device and one for the host. The
// platform's lock guards the accounts.
#include "backend/sim/platform.h"
#include "base/error.h"

uint64_t tn_sim_capacity(const struct tn_sim *sim, unsigned account) {
    return account < sim->config.devices ? sim->config.memory : sim->config.host_memory;
}

tarn_status tn_sim_capacity_reserve(struct tn_sim *sim, unsigned account, uint64_t bytes) {
    uint64_t capacity = tn_sim_capacity(sim, account);
    uint64_t left = capacity - sim->used[account];
    TN_REFUSE(bytes > left && account == sim->config.devices, TARN_NO_HOST_MEMORY,
              "simulated host: 0x%llx bytes requested, 0x%llx of 0x%llx are free",
              (unsigned long long)bytes, (unsigned long long)left, (unsigned long long)capacity);
    TN_REFUSE(bytes > left, TARN_NO_DEVICE_MEMORY,
              "device %u: 0x%llx bytes requested, 0x%llx of 0x%llx are free", account,
              (unsigned long long)bytes, (unsigned long long)left, (unsigned long long)capacity);
    sim->used[account] += bytes;
    return TARN_OK;
}

tarn_status tn_sim_memory_info(void *p, int device, uint64_t *free_bytes, uint64_t *total_bytes) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock(&sim->lock);
    *free_bytes = sim->config.memory - sim->used[device];
    tn_mutex_unlock(&sim->lock);
    *total_bytes = sim->config.memory;
    return TARN_OK;
}

tarn_status tn_sim_vmm_require(const struct tn_sim *sim) {
    return sim->config.vmm == TN_SIM_VMM_OFF
               ? tn_fail(TARN_UNSUPPORTED,
                         "this simulated device does not support virtual memory management")
               : TARN_OK;
}
