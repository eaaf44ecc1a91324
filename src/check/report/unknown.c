// SPDX-License-Identifier: Apache-2.0
// Reads without a verdict, and work that was not looked at: counters. The work is set once, by the
// thread that ends the program.
#include "check/report/report.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/atomic.h"

static _Atomic uint64_t count;
static struct tn_check_unlooked unlooked;

void tn_check_unknown_add(uint64_t reads) { (void)tn_add_relaxed(&count, reads); }

void tn_check_unknown_set_work(const struct tn_check_unlooked *work) { unlooked = *work; }

static void print_work(struct tn_check_text *text, struct tn_check_text *json) {
    const struct tn_check_unlooked *work = &unlooked;
    const char *between = "";
    if (work->launches + work->too_large + work->processes == 0) return;
    tn_check_text_add(text, "==%d== NOT LOOKED AT: ", (int)getpid());
    if (work->launches > 0) {
        tn_check_text_add(text, "%" PRIu64 " launch(es) of kernels%s (see --kernel-races)",
                          work->launches, work->host ? ", loads and stores of the host" : "");
        between = "; ";
    }
    if (work->too_large > 0) {
        tn_check_text_add(text, "%s%" PRIu64 " launch(es) with too many accesses", between,
                          work->too_large);
        between = "; ";
    }
    if (work->processes > 0)
        tn_check_text_add(text, "%swork of other processes, behind %" PRIu64 " wait(s)", between,
                          work->processes);
    tn_check_text_add(text, "\n");
    tn_check_text_add(json,
                      TN_CHECK_JSON_HEAD ", \"not_looked_at\": {\"launches\": %" PRIu64
                                         ", \"launches_too_large\": %" PRIu64
                                         ", \"waits_for_processes\": %" PRIu64 ", \"host\": %s}}\n",
                      (int)getpid(), work->launches, work->too_large, work->processes,
                      work->host ? "true" : "false");
}

void tn_check_unknown_print(struct tn_check_text *text, struct tn_check_text *json) {
    uint64_t reads = tn_load_relaxed(&count);
    print_work(text, json);
    if (reads == 0) return;
    tn_check_text_add(text,
                      "==%d== NOT KNOWN: %" PRIu64
                      " read(s) of memory that may have been written unseen, or never\n",
                      (int)getpid(), reads);
    tn_check_text_add(json, TN_CHECK_JSON_HEAD ", \"unknown_reads\": %" PRIu64 "}\n", (int)getpid(),
                      reads);
}

void tn_check_unknown_reset(void) {
    tn_store_relaxed(&count, 0);
    unlooked = (struct tn_check_unlooked){0};
}
