// SPDX-License-Identifier: Apache-2.0
// Tarn's pool in the peer harness.
#include "tarn_adapter.h"

int main(int argc, char **argv) { return sb::bench_main<A>(argc, argv); }
