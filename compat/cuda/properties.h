// SPDX-License-Identifier: Apache-2.0
// Properties of devices that other files of the face need.
#pragma once

// Writes the compute capability of the devices.
void tn_cu_capability(int *major, int *minor);
