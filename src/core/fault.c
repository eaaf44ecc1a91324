// SPDX-License-Identifier: Apache-2.0
// The opt-in fault handler. It runs inside a signal handler: it never waits for the index's lock
// and formats into its own buffer. Faults outside reservations and device memory go to the handler
// that was installed before.
#include <inttypes.h>
#include <tarn/fault.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/error.h"
#include "core/address/map.h"

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int installed; // release after the fields below are set, acquire in the handler
static tarn_fault_handler user_handler;
static void *user_arg;
static struct sigaction before_segv;
static struct sigaction before_bus;

// ---- the description of a fault

static void describe_mapping_of(struct tn_region *region, tarn_fault *fault) {
    struct tn_interval_entry entry;
    if (!tn_mutex_trylock(&region->lock))
        return; // a thread, perhaps this one, is changing it: the report has less detail
    if (tn_interval_find(&region->mappings, fault->addr, &entry)) {
        const struct tn_mapping *mapping = tn_mapping_of(&entry);
        fault->mapping = entry.start;
        fault->mapping_bytes = entry.end - entry.start;
        fault->phys = mapping->phys->id;
        fault->host_access = tn_rights_get(mapping->rights, (tarn_location){TARN_LOCATION_HOST, 0});
    }
    tn_mutex_unlock(&region->lock);
}

// Returns true if the address is in plain memory, all of which is accessible to devices.
static bool find_place(tarn_fault *fault) {
    bool plain = false;
    if (!tn_index_try_read()) return false;
    // The region that holds the address, or the nearest one below, skipping pinned memory.
    struct tn_region *region = tn_index_find(fault->addr);
    if (region == NULL) region = tn_index_prev(fault->addr);
    while (region != NULL && region->kind == TN_REGION_HOST) region = tn_index_prev(region->base);
    if (region != NULL) {
        fault->reservation = region->base;
        fault->reservation_bytes = region->bytes;
        fault->inside = fault->addr - region->base < region->bytes;
        if (fault->inside) {
            plain = region->kind == TN_REGION_MEMORY || region->kind == TN_REGION_IMPORTED;
            describe_mapping_of(region, fault);
        }
    }
    tn_index_read_done();
    return plain;
}

static void format_fault(const tarn_fault *fault, bool plain, char *text, size_t size) {
    int n = snprintf(text, size, "tarn: CPU %s of device address 0x%" PRIx64 ": ",
                     fault->write ? "write" : "read", fault->addr);
    size_t used = n > 0 && (size_t)n < size ? (size_t)n : size - 1;
    TARN_ASSERT(fault->inside && used < size);
    if (fault->mapping != 0) {
        tarn_access access = fault->host_access;
        (void)snprintf(text + used, size - used,
                       "mapping [0x%llx, +0x%llx) of handle 0x%llx, host access %s\n",
                       (unsigned long long)fault->mapping, (unsigned long long)fault->mapping_bytes,
                       (unsigned long long)fault->phys,
                       access == TARN_ACCESS_NONE   ? "none"
                       : access == TARN_ACCESS_READ ? "read"
                                                    : "read-write");
    } else {
        (void)snprintf(text + used, size - used, "%s [0x%" PRIx64 ", +0x%" PRIx64 ")%s\n",
                       plain ? "inside device memory" : "in", fault->reservation,
                       fault->reservation_bytes,
                       plain ? ", which the CPU may not touch" : ", nothing mapped there");
    }
}

// ---- the signal

#define REPORTS      8
#define REPORT_BYTES 256

static void pass_on(int signal_number, siginfo_t *info, void *context) {
    const struct sigaction *before = signal_number == SIGBUS ? &before_bus : &before_segv;
    if ((before->sa_flags & SA_SIGINFO) != 0) {
        before->sa_sigaction(signal_number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(signal_number);
    } else {
        (void)signal(signal_number,
                     SIG_DFL); // the access faults again on return, and ends the process
    }
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    // The last few reports outlive the handler, for handlers that leave by siglongjmp().
    static char reports[REPORTS][REPORT_BYTES];
    static _Atomic(unsigned) next;
    char *text = reports[tn_add_relaxed(&next, 1) % REPORTS];
    tarn_fault fault = {
        .addr = (tarn_addr)(uintptr_t)info->si_addr,
        .write = tn_context_is_write(context),
        .signal = signal_number,
        .text = text,
    };
    bool plain = tn_load_acquire(&installed) != 0 && find_place(&fault);
    if (!fault.inside) {
        pass_on(signal_number, info, context);
        return;
    }
    format_fault(&fault, plain, text, REPORT_BYTES);
    if (user_handler != NULL) user_handler(&fault, user_arg);
    (void)!write(STDERR_FILENO, text, strlen(text));
    (void)signal(signal_number, SIG_DFL);
}

tarn_status tarn_fault_install(tarn_fault_handler handler, void *arg) {
    TN_PTHREAD_LOCKED(&installing);
    TN_REFUSE(tn_load_relaxed(&installed) != 0, TARN_BUSY, "a fault handler is installed already");
    user_handler = handler;
    user_arg = arg;
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    (void)sigemptyset(&action.sa_mask);
    TN_REFUSE(sigaction(SIGSEGV, &action, &before_segv) != 0 ||
                  sigaction(SIGBUS, &action, &before_bus) != 0,
              TARN_SYSTEM, "the handlers for SIGSEGV and SIGBUS cannot be installed");
    tn_store_release(&installed, 1);
    return TARN_OK;
}

tarn_status tarn_fault_remove(void) {
    TN_PTHREAD_LOCKED(&installing);
    TN_REFUSE(tn_load_relaxed(&installed) == 0, TARN_BAD_ARGUMENT, "no fault handler is installed");
    (void)sigaction(SIGSEGV, &before_segv, NULL);
    (void)sigaction(SIGBUS, &before_bus, NULL);
    tn_store_release(&installed, 0);
    return TARN_OK;
}
