/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/fault.h
 * An opt-in handler that explains stray CPU accesses to device memory.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 *
 * On `host` the CPU can access device memory only where it was granted access; a stray access
 * raises SIGSEGV or SIGBUS. With the handler installed, such a fault inside a reservation or inside
 * plain device memory is reported. Other faults go to the handler that was installed before.
 */
#ifndef TARN_FAULT_H
#define TARN_FAULT_H

#include <tarn/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A stray access. Plain device memory is described like a reservation. */
typedef struct tarn_fault {
    tarn_addr addr;             /**< a byte of the access; 0 if the CPU does not report it */
    bool write;                 /**< true for a write, if the machine reports it */
    int signal;                 /**< SIGSEGV or SIGBUS */
    tarn_addr reservation;      /**< start of the reservation that holds addr, otherwise of the
                                     nearest one below, or 0 */
    uint64_t reservation_bytes; /**< its length */
    bool inside;                /**< addr is inside that reservation */
    tarn_addr mapping;          /**< start of the mapping that holds addr, or 0 */
    uint64_t mapping_bytes;     /**< its length */
    tarn_phys phys;             /**< its handle */
    uint32_t host_access;       /**< a tarn_access: the host's rights there */
    const char *text;           /**< the report, one line */
} tarn_fault;

/**
 * A function that is called for a stray access, on the faulting thread and inside a signal handler:
 * it may do async-signal-safe work only, or leave by siglongjmp(). If it returns, the report is
 * written to standard error and the process ends by the original signal.
 */
typedef void (*tarn_fault_handler)(const tarn_fault *fault, void *arg);

/**
 * Installs the handler for SIGSEGV and SIGBUS of the process.
 *
 * @param handler called for each stray access; NULL only writes the report
 * @param arg     passed to handler
 * @retval TARN_BUSY   a handler is installed already
 * @retval TARN_SYSTEM the system refused
 */
TARN_API tarn_status tarn_fault_install(tarn_fault_handler handler, void *arg);

/**
 * Restores the former handlers.
 *
 * @retval TARN_BAD_ARGUMENT no handler is installed
 */
TARN_API tarn_status tarn_fault_remove(void);

#ifdef __cplusplus
}
#endif
#endif
