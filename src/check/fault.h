// SPDX-License-Identifier: Apache-2.0
// Explains CPU accesses that fault (SIGSEGV, SIGBUS) in memory of a heap: behind a fenced block, in
// a freed one, or in one that the CPU may not access. Then the handler that the program installed
// runs, or the process ends by the signal. Any thread.
#ifndef TARN_CHECK_FAULT_H
#define TARN_CHECK_FAULT_H

// Installs the handlers. Called once.
void tn_check_fault_start(void);

// Puts the handlers in front of those that the program has installed since. Called when a region
// begins. Does nothing unless pools have fences, because it makes two system calls.
void tn_check_fault_renew(void);

#endif
