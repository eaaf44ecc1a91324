// SPDX-License-Identifier: Apache-2.0
// Host memory of a simulated platform: real memory of the process, of the class "plain". It is
// never locked, because only the CPU touches it. Stateless; any thread.
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/sim/platform.h"
#include "base/error.h"

static tarn_status check_flags(uint32_t flags) {
    return (flags & TARN_HOST_MUST_LOCK) == 0
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "the simulated device does not lock host memory");
}

static uint64_t page_bytes(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

tarn_status tn_sim_host_alloc(void *p, uint64_t size, uint32_t flags, void **ptr,
                              tarn_pin_class *pin_class) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_TRY(check_flags(flags));
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
    if (at == MAP_FAILED)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "mmap", errno,
                              "cannot map 0x%llx bytes of host memory", (unsigned long long)size);
    *ptr = at;
    *pin_class = TARN_PIN_PLAIN;
    tn_sim_charge(sim, sim->config.host_ns);
    return TARN_OK;
}

void tn_sim_host_free(void *p, void *ptr, uint64_t size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    (void)munmap(ptr, size);
    tn_sim_charge(sim, sim->config.host_ns);
}

// Returns true if each page of [from, to) belongs to a mapping of the process.
static bool is_mapped(uint64_t from, uint64_t to) {
    unsigned char resident[256];
    uint64_t step = page_bytes() * sizeof resident;
    for (; from < to; from += step) {
        uint64_t length = to - from < step ? to - from : step;
        if (mincore((void *)(uintptr_t)from, length, resident) != 0) return false;
    }
    return true;
}

tarn_status tn_sim_host_register(void *p, void *ptr, uint64_t size, uint32_t flags,
                                 tarn_pin_class *pin_class) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_TRY(check_flags(flags));
    uint64_t from = (uint64_t)(uintptr_t)ptr & ~(page_bytes() - 1);
    uint64_t end = 0;
    TN_REFUSE(__builtin_add_overflow((uint64_t)(uintptr_t)ptr, size, &end) || !is_mapped(from, end),
              TARN_BAD_ADDRESS, "the 0x%llx bytes at %p are not completely mapped",
              (unsigned long long)size, ptr);
    *pin_class = TARN_PIN_PLAIN;
    tn_sim_charge(sim, sim->config.host_ns);
    return TARN_OK;
}

void tn_sim_host_unregister(void *p, void *ptr, uint64_t size) {
    struct tn_sim *sim = (struct tn_sim *)p;
    (void)ptr, (void)size;
    tn_sim_charge(sim, sim->config.host_ns);
}
