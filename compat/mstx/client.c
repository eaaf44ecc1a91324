// SPDX-License-Identifier: Apache-2.0
// The client functions of MSTX as a library, for programs that open libms_tools_ext.so or link with
// it in the place of the inline ones. There is nothing of Tarn inside. Any thread.
#define MSTX_DECL __attribute__((visibility("default")))
#include <mstx/ms_tools_ext.h>
