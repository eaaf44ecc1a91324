// SPDX-License-Identifier: Apache-2.0
// Live bytes by step. If there are more steps than samples, each second sample is dropped, and from then
// on each sample stands for twice as many steps.
#include "check/report/report.h"

#include <inttypes.h>
#include <unistd.h>

#include "base/atomic.h"

enum { SAMPLES = 64, LEVELS = 8 };

static _Atomic uint64_t samples[SAMPLES];
static _Atomic uint64_t steps;
static _Atomic uint64_t first_bytes; // of the first step
static _Atomic uint64_t last_bytes;
static _Atomic uint64_t each = 1; // steps for each sample; a power of two

void tn_check_growth_step(uint64_t live_bytes) {
    uint64_t step = tn_load_relaxed(&steps);
    uint64_t wide = tn_load_relaxed(&each);
    if (step == 0) tn_store_relaxed(&first_bytes, live_bytes);
    if (step / wide == SAMPLES) {
        for (unsigned i = 0; i < SAMPLES / 2; i++)
            tn_store_relaxed(&samples[i], tn_load_relaxed(&samples[2 * i + 1]));
        wide *= 2;
        tn_store_relaxed(&each, wide);
    }
    tn_store_relaxed(&samples[step / wide], live_bytes);
    tn_store_relaxed(&last_bytes, live_bytes);
    tn_store_relaxed(&steps, step + 1);
}

void tn_check_growth_print(struct tn_check_text *text, struct tn_check_text *json) {
    static const char *const bars[LEVELS] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    uint64_t bytes[SAMPLES], least = UINT64_MAX, most = 0;
    uint64_t count = tn_load_relaxed(&steps);
    uint64_t wide = tn_load_relaxed(&each);
    unsigned shown = (unsigned)((count + wide - 1) / wide);
    if (count < 2 || shown > SAMPLES) return;
    tn_check_text_add(json,
                      TN_CHECK_JSON_HEAD ", \"steps\": %" PRIu64 ", \"steps_each\": %" PRIu64
                                         ", \"live_bytes\": [",
                      (int)getpid(), count, wide);
    for (unsigned i = 0; i < shown; i++) {
        bytes[i] = tn_load_relaxed(&samples[i]);
        least = bytes[i] < least ? bytes[i] : least;
        most = bytes[i] > most ? bytes[i] : most;
        tn_check_text_add(json, "%s%" PRIu64, i == 0 ? "" : ", ", bytes[i]);
    }
    tn_check_text_add(json, "]}\n");
    double growth = (double)tn_load_relaxed(&last_bytes) - (double)tn_load_relaxed(&first_bytes);
    tn_check_text_add(text,
                      "==%d== STEPS: %" PRIu64 " step(s) end with %" PRIu64 " to %" PRIu64
                      " live byte(s), %+.0f byte(s) a step: ",
                      (int)getpid(), count, least, most, growth / (double)(count - 1));
    for (unsigned i = 0; i < shown; i++) {
        double height = (double)(bytes[i] - least) / (double)(most - least + (most == least));
        tn_check_text_add(text, "%s", bars[(unsigned)(height * (LEVELS - 1) + 0.5)]);
    }
    tn_check_text_add(text, "\n");
}

void tn_check_growth_reset(void) {
    tn_store_relaxed(&steps, 0);
    tn_store_relaxed(&each, 1);
}
