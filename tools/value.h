// SPDX-License-Identifier: Apache-2.0
// Values of options that are numbers or sizes. A value that is none, or out of range, is reported with
// the name of the option, and ends the process. No state; any thread may call.
#ifndef TARN_TOOLS_VALUE_H
#define TARN_TOOLS_VALUE_H

#include <argp.h>
#include <stdint.h>

// Parses digits.
uint64_t tn_value_number(struct argp_state *state, const char *option, const char *text,
                         uint64_t min, uint64_t max);

// Parses a size as tn_parse_size() does.
uint64_t tn_value_size(struct argp_state *state, const char *option, const char *text,
                       uint64_t min);

// Parses seconds from 0.01 to 1000000, with or without a fraction.
double tn_value_seconds(struct argp_state *state, const char *option, const char *text);

#endif
