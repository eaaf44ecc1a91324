// SPDX-License-Identifier: Apache-2.0
// What single calls of a Tarn channel cost.
#ifndef TARN_BENCH_CHANNEL_CALLS_H
#define TARN_BENCH_CHANNEL_CALLS_H

// Prints one line. Ends the process when a call fails.
void measure_calls(void);

#endif
