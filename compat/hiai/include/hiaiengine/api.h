/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/api.h - all of the C++ form, and the C form with it.
 */
#ifndef HIAIENGINE_API_H
#define HIAIENGINE_API_H

#include <hiaiengine/ai_memory.h>
#include <hiaiengine/c_api.h>
#include <hiaiengine/data_type_reg.h>
#include <hiaiengine/engine.h>
#include <hiaiengine/graph.h>

#endif
