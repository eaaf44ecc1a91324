// SPDX-License-Identifier: Apache-2.0
// The number in this library's name: 6 in libamdhip64.so.6, 7 in libamdhip64.so.7. It decides the
// layouts that programs use, and the default of the level (see face.h).
#pragma once

extern const int tn_hip_soname;
