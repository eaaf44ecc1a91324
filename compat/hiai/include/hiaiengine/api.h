/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/api.h - the C++ form of Matrix, and the C form with it. Not here: data_type.h,
 * data_type_reg.h and multitype_queue.h.
 */
#ifndef HIAIENGINE_API_H
#define HIAIENGINE_API_H

#include <hiaiengine/ai_memory.h>
#include <hiaiengine/c_api.h>
#include <hiaiengine/data_recv_interface.h>
#include <hiaiengine/engine.h>
#include <hiaiengine/graph.h>
#include <hiaiengine/log.h>

#endif
