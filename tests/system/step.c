// SPDX-License-Identifier: Apache-2.0
// Calls of Tarn in a step: failures that are injected into them, and the statuses that they return.
// A step that finds a difference between Tarn and the model prints it and ends the process.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "system/starve.h"
#include "system/world.h"

void step_log(const struct step *step, const char *format, ...) {
    if (!step->world->verbose) return;
    char text[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)fprintf(stderr, "step %u, thread %u: %s\n", step->number, step->thread, text);
}

void step_fail(const struct step *step, const char *format, ...) {
    char text[1024];
    tarn_error error = {.message = ""};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)tarn_last_error(&error);
    (void)fprintf(stderr, "step %u, thread %u: %s (last error: %s)\n", step->number, step->thread,
                  text, error.message);
    (void)fflush(stderr);
    if (getenv("SYSTEM_ABORT") != NULL) abort();
    _exit(1);
}

void step_enter(struct step *step) {
    tarn_clear_error();
    if (step->starve != 0) starve_arm(step->starve, step->starve % 2 == 0);
}

// Statuses by which a call reports that it lacks a resource.
static bool lacks_resource(tarn_status status) {
    return status == TARN_NO_HOST_MEMORY || status == TARN_NO_DEVICE_MEMORY ||
           status == TARN_NO_ADDRESS_SPACE || status == TARN_NO_HANDLES ||
           status == TARN_NO_MAPPINGS || status == TARN_SYSTEM;
}

tarn_status step_leave(struct step *step, tarn_status status, const char *call) {
    bool starved = starve_disarm();
    step->excused = (starved || step->world->faults) && lacks_resource(status);
    if (starved) step->starve = 0;
    if (step->world->verbose) {
        tarn_error error = {.message = ""};
        (void)tarn_last_error(&error);
        step_log(step, "%.100s: %s%s%s%s", call, tarn_status_name(status),
                 starved ? ", starved" : "", error.status != TARN_OK ? ": " : "", error.message);
    }
    return status;
}

bool step_expect(const struct step *step, tarn_status got, tarn_status want, const char *call) {
    if (got == want) return true;
    if (!step->excused)
        step_fail(step, "%s returned %s, not %s", call, tarn_status_name(got),
                  tarn_status_name(want));
    step->world->excuses++;
    return false;
}
