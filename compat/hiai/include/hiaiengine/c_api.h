/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/c_api.h - all of the C form.
 */
#ifndef HIAIENGINE_C_API_H
#define HIAIENGINE_C_API_H

#include <hiaiengine/c_graph.h>
#include <hiaiengine/init.h>
#include <hiaiengine/log.h>
#include <hiaiengine/status.h>

#endif
