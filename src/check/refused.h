// SPDX-License-Identifier: Apache-2.0
// Explains accesses that did not happen: those that Tarn or a library in front of it refused, and
// those of the CPU that faulted outside of pools. The bytes are looked up in the model of memory and
// among the resources, live and ended. An access that neither can explain is not reported. Any
// thread may call, without a lock of the checker.
#ifndef TARN_CHECK_REFUSED_H
#define TARN_CHECK_REFUSED_H

#include "annotate/mem_event.h"
#include "check/report/report.h"

// Judges TN_MEM_ACCESS_REFUSED.
void tn_check_refused_event(const struct tn_mem_event *event);

// Judges an access of one byte by the CPU that faulted. `text` describes it. The stack is that of
// the faulting thread.
void tn_check_refused_fault(uint64_t address, bool write, const char *text, tn_stack_id stack);

#endif
