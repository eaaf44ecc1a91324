// SPDX-License-Identifier: Apache-2.0
// See value.h.
#include "tools/value.h"

#include <inttypes.h>
#include <string.h>

#include "base/options.h"

uint64_t tn_value_number(struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max) {
    uint64_t number = 0;
    if (!tn_parse_unsigned(text, strlen(text), &number) || number < min || number > max)
        argp_error(state, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option,
                   min, max, text);
    return number;
}

uint64_t tn_value_size(struct argp_state *state, const char *option, const char *text,
                       uint64_t min) {
    uint64_t bytes = 0;
    if (!tn_parse_size(text, strlen(text), &bytes) || bytes < min)
        argp_error(state, "%s takes a size such as 64K or 1.5G, not \"%s\"", option, text);
    return bytes;
}

double tn_value_seconds(struct argp_state *state, const char *option, const char *text) {
    double seconds = 0;
    if (!tn_parse_double(text, strlen(text), &seconds) || seconds < 0.01 || seconds > 1e6)
        argp_error(state, "%s takes seconds from 0.01 to 1000000, not \"%s\"", option, text);
    return seconds;
}
