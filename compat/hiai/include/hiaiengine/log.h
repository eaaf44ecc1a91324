/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/log.h - the log of programs. HIAI_ENGINE_LOG takes a printf format after any of these:
 * nothing, a status, a module, a module and a status, and in C++ an Engine or Graph before the
 * status. C has the form with module and status only. The level of a record is that of its status,
 * INFO without one; a number from 0 to 5 in its place is the level itself.
 */
#ifndef HIAIENGINE_LOG_H
#define HIAIENGINE_LOG_H

#include <stdarg.h>
#include <stdio.h>

#include <hiaiengine/hiaix_hooks.h>
#include <securec.h>

#define MAX_LOG_STRING 0x2000 /* bytes of a record's text; the rest is cut off */

HIAI_EXTERN_C_BEGIN

/* Writes a record if TARN_HIAI_LOG shows its level; see HIAIX_LogWrite(). Formats are not checked by
 * the compiler, because programs pass other integers than they name. */
void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line, int32_t moduleID,
                          uint32_t errorCode, const char *format, ...);

HIAI_EXTERN_C_END

#define HIAI_ENGINE_LOG(...) HIAI_ENGINE_LOG_IMPL(__FUNCTION__, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
#include <map>
#include <mutex>
#include <string>

namespace hiai {
namespace hiaix {

/* Returns the level of a record with that first number. */
inline uint32_t LevelOf(uint32_t code) {
    return code <= HIAI_EVENT ? code : HIAI_GET_ERROR_LEVEL(code);
}

inline void Log(uint32_t level, const HIAIX_LogPlace &place, const char *format,
                va_list arguments) {
    char text[MAX_LOG_STRING + 1];
    if (format != nullptr && HIAIX_LogEnabled(level) != 0) {
        (void)std::vsnprintf(text, sizeof text, format, arguments);
        HIAIX_LogWrite(level, &place, text);
    }
}

/* The body of a form of HIAI_ENGINE_LOG_IMPL(). */
#define HIAIX_LOG_(level, graph, engine)                                                           \
    const HIAIX_LogPlace place = {function, file, line, (graph), (engine)};                        \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    ::hiai::hiaix::Log((level), place, format, arguments);                                         \
    va_end(arguments)

} // namespace hiaix
} // namespace hiai

inline void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line,
                                 const char *format, ...) {
    HIAIX_LOG_(HIAI_INFO, nullptr, nullptr);
}

inline void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line,
                                 uint32_t errorCode, const char *format, ...) {
    HIAIX_LOG_(::hiai::hiaix::LevelOf(errorCode), nullptr, nullptr);
}

inline void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line, int32_t moduleID,
                                 const char *format, ...) {
    HIAIX_LOG_(moduleID >= 0 && moduleID <= HIAI_EVENT ? static_cast<uint32_t>(moduleID)
                                                       : static_cast<uint32_t>(HIAI_INFO),
               nullptr, nullptr);
}

#include <hiaiengine/graph.h> /* the forms with an Engine or a Graph are there and in engine.h */
#endif
#endif
