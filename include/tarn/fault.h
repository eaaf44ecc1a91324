/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/fault.h - an opt-in handler that explains stray CPU accesses to device memory.
 *
 * On `host`, memory that the CPU was not granted is inaccessible to it: a stray access is SIGSEGV
 * or SIGBUS. With the handler installed such a fault inside a reservation, or inside plain device
 * memory, which is told like one, becomes a report; faults elsewhere go on to whatever handler was
 * there before.
 */
#ifndef TARN_FAULT_H
#define TARN_FAULT_H

#include <tarn/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tarn_fault {
    tarn_addr addr; /* as the CPU tells it: some byte of the access; 0 when the CPU does not tell */
    bool write;     /* a write, where the machine tells; else false */
    int signal;     /* SIGSEGV or SIGBUS */
    tarn_addr reservation; /* start of the reservation that holds it, or of the nearest one below; 0
                              none */
    uint64_t reservation_size; /* of that reservation */
    bool inside;               /* addr is inside that reservation */
    tarn_addr mapping;         /* start of the mapping that holds it; 0: nothing is mapped there */
    uint64_t mapping_size;     /* of that mapping */
    tarn_phys phys;            /* its handle */
    tarn_access host_access;   /* what the host was granted there */
    const char *text;          /* the report, one line */
} tarn_fault;

/*
 * Called on the faulting thread, in a signal handler: only async-signal-safe work, or a siglongjmp
 * out. If it returns, the report is written to standard error and the process dies of the original
 * signal.
 */
typedef void (*tarn_fault_handler)(const tarn_fault *fault, void *arg);

/*
 * Installs the handler for SIGSEGV and SIGBUS, process wide; `handler` may be NULL for the report
 * alone. BUSY: one is installed already; SYSTEM.
 */
TARN_API tarn_status tarn_fault_install(tarn_fault_handler handler, void *arg);

/* Puts the former handlers back. BAD_ARGUMENT: none installed. */
TARN_API tarn_status tarn_fault_remove(void);

#ifdef __cplusplus
}
#endif
#endif
