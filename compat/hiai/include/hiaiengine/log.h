/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HIAIENGINE_LOG_H
#define HIAIENGINE_LOG_H
#include <hiaiengine/status.h>
#define MAX_LOG_STRING 0x2000
HIAI_EXTERN_C_BEGIN
HIAI_FUNC_VISIBILITY void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line,
                                               int32_t moduleID, uint32_t errorCode,
                                               const char *format, ...);
HIAI_EXTERN_C_END
#endif
