// SPDX-License-Identifier: Apache-2.0
// The cost of single calls of a Tarn channel.
#ifndef TARN_BENCH_CHANNEL_CALLS_H
#define TARN_BENCH_CHANNEL_CALLS_H

// Prints one line. Ends the process if a call fails.
void measure_calls(void);

#endif
