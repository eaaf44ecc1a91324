// SPDX-License-Identifier: Apache-2.0
// Reads without a verdict: one counter.
#include "check/report/report.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/atomic.h"

static _Atomic uint64_t count;

void tn_check_unknown_add(uint64_t reads) { (void)tn_add_relaxed(&count, reads); }

void tn_check_unknown_print(struct tn_check_text *text, struct tn_check_text *json) {
    uint64_t reads = tn_load_relaxed(&count);
    if (reads == 0) return;
    tn_check_text_add(text,
                      "==%d== NOT KNOWN: %" PRIu64
                      " read(s) of memory that may have been written unseen, or never\n",
                      (int)getpid(), reads);
    tn_check_text_add(json, TN_CHECK_JSON_HEAD ", \"unknown_reads\": %" PRIu64 "}\n", (int)getpid(),
                      reads);
}

void tn_check_unknown_reset(void) { tn_store_relaxed(&count, 0); }
