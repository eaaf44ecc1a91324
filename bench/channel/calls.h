// SPDX-License-Identifier: Apache-2.0
// The cost of single calls of a Tarn channel.
#pragma once

// Prints one line. Ends the process if a call fails.
void measure_calls(void);
