// SPDX-License-Identifier: Apache-2.0
// The traces of the peer harness by their names, and the adapters of Tarn and of the harness's
// prototype in one program: tarn_pool_adapter and prototype_adapter. The prototype takes addresses if
// PK is 2.
#pragma once

#include <string>

#define A tarn_pool_adapter
#include "tarn_adapter.h"
#undef A
#define A    prototype_adapter
#define main prototype_main
#include "ad_proto.cpp"
#undef main
#undef A

// Ends the program if the harness has no such trace.
static Trace make_trace(const std::string &name) {
    const size_t dash = name.find('-');
    const std::string kind = name.substr(0, dash),
                      count = dash == std::string::npos ? "" : name.substr(dash + 1);
    if (name == "small-100k") return t_replace("rand", 100000, 64, 16 * KB, 600000);
    if (name == "huge-500") return t_replace("rand", 500, 1 * MB, 512 * MB, 200000);
    if (name == "train") return t_train(false, 42);
    if (name == "train-var") return t_train(true, 82);
    if (name == "kv-serve") return t_kv(20000, 48 * GB);
    if ((kind == "lifo" || kind == "fifo" || kind == "rand") &&
        (count == "1k" || count == "10k" || count == "100k"))
        return t_replace(kind.c_str(), (u32)atoi(count.c_str()) * 1000, 256,
                         count == "100k" ? 4 * MB : 32 * MB, 600000);
    fprintf(stderr, "the harness has no trace %s\n", name.c_str());
    exit(2);
}
