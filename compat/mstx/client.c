// SPDX-License-Identifier: Apache-2.0
// The client functions of MSTX as a library, libms_tools_ext.so, for programs that do not use the
// inline ones. It contains nothing of Tarn. Any thread may call.
#define MSTX_DECL __attribute__((visibility("default")))
#include <mstx/ms_tools_ext.h>
