/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_pipeline.h - copies to shared memory in stages; see cuda_pipeline_primitives.h.
 */
#ifndef CUDA_PIPELINE_H
#define CUDA_PIPELINE_H

#include <cuda_pipeline_primitives.h>

#endif
