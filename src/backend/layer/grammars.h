// SPDX-License-Identifier: Apache-2.0
// The grammars of the options delay= and quirk=: the `tarn` command reads specs before it starts a
// program. Constant.
#pragma once

#include "fail/spec.h"

extern const struct tn_fail_grammar tn_delay_grammar; // calls of back-ends, and durations
extern const struct tn_fail_grammar tn_quirk_grammar; // quirks, and their values
