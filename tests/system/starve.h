// SPDX-License-Identifier: Apache-2.0
// Calls of libc and of the system that fail on request, in the calling thread. The build wraps them
// by --wrap, for the library as well, which is linked statically.
#pragma once

#include <stdbool.h>

// The nth such call from now on fails. With `system`, calls for mappings, descriptors and files count
// too.
void starve_arm(unsigned nth, bool system);
// Ends that. Returns true if a call has failed.
bool starve_disarm(void);
