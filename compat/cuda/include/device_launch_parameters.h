/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_launch_parameters.h - the position of a thread in a kernel, which cuda_runtime.h has too.
 */
#ifndef DEVICE_LAUNCH_PARAMETERS_H
#define DEVICE_LAUNCH_PARAMETERS_H

#include <cuda_runtime.h>

#endif
