// SPDX-License-Identifier: Apache-2.0
// Explains accesses that did not happen: those that Tarn or a library in front of it refused, and
// those of the CPU that faulted outside of pools. The bytes are looked up in the model of memory and
// among the resources, live and ended. An access that neither can explain is not reported. Any
// thread may call, without a lock of the checker.
#pragma once

#include "annotate/mem_event.h"
#include "check/report/report.h"

// Judges TN_MEM_ACCESS_REFUSED.
void tn_check_refused_event(const struct tn_mem_event *event);

// Judges TN_MEM_ARGUMENT: an argument may point into memory that has ended. Makes `name` the complete
// description of the work, which stays valid.
void tn_check_refused_argument(struct tn_mem_event *event);

// Judges an access of one byte by the CPU that faulted. `text` describes it. The stack is that of
// the faulting thread.
void tn_check_refused_fault(uint64_t address, bool write, const char *text, tn_stack_id stack);

// ---- faults of the CPU

// Explains CPU accesses that fault (SIGSEGV, SIGBUS) in memory of a heap: behind a fenced block, in
// a freed one, or in one that the CPU may not access. Then the handler that the program installed
// runs, or the process ends by the signal. Any thread.

// Installs the handlers. Called once.
void tn_check_fault_start(void);

// Puts the handlers in front of those that the program has installed since. Called when a region
// begins. Does nothing unless pools have fences, because it makes two system calls.
void tn_check_fault_renew(void);
