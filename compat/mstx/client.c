// SPDX-License-Identifier: Apache-2.0
// Compiles the client functions of MSTX into a library, libms_tools_ext.so, for programs that do
// not use the inline ones. It contains no code of Tarn. Any thread may call.
#define MSTX_DECL __attribute__((visibility("default")))
#include <mstx/ms_tools_ext.h>
