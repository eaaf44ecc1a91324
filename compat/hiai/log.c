// SPDX-License-Identifier: Apache-2.0
// The log of programs: records by level in the log of the face, each in one write(). Any
// thread.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hiaiengine/hiaix_hooks.h>
#include <hiaiengine/log.h>

#include "compat/face/log.h"
#include "compat/face/uncancelled.h"
#include "compat/hiai/face.h"

#define PREFIX_MAX 512

int HIAIX_LogEnabled(uint32_t level) {
    uint32_t shown = (uint32_t)tn_log_level();
    return shown != TN_LOG_OFF && level + shown >= 3;
}

// Writes the part of a line before the text. Returns its length.
static size_t write_prefix(char *line, uint32_t level, const struct HIAIX_LogPlace *place) {
    static const char *const names[] = {"DEBUG", "INFO", "WARNING", "ERROR", "FATAL", "EVENT"};
    const char *name = level < sizeof names / sizeof names[0] ? names[level] : "level?";
    char ids[64] = "";
    const char *file = place->file != NULL ? place->file : "";
    const char *slash = strrchr(file, '/');
    if (place->engineId != NULL && place->graphId != NULL)
        (void)snprintf(ids, sizeof ids, " graph %u engine %u", *place->graphId, *place->engineId);
    else if (place->graphId != NULL)
        (void)snprintf(ids, sizeof ids, " graph %u", *place->graphId);
    int length = snprintf(line, PREFIX_MAX, "hiai: %s%s %.120s:%d %.200s: ", name, ids,
                          slash != NULL ? slash + 1 : file, place->line,
                          place->function != NULL ? place->function : "");
    return length > 0 ? (size_t)length : 0;
}

void HIAIX_LogWrite(uint32_t level, const struct HIAIX_LogPlace *place, const char *text) {
    char line[PREFIX_MAX + MAX_LOG_STRING + 1];
    if (place == NULL || text == NULL || !HIAIX_LogEnabled(level)) return;
    TN_FACE_UNCANCELLED;
    size_t prefix = write_prefix(line, level, place);
    size_t length = strnlen(text, MAX_LOG_STRING);
    if (length != 0 && text[length - 1] == '\n') length--;
    memcpy(line + prefix, text, length);
    for (char *c = line + prefix; c < line + prefix + length; c++)
        *c = *c == '\n' ? ' ' : *c; // a record is one line
    line[prefix + length] = '\0';
    tn_log_write(line);
}

void HIAI_ENGINE_LOG_IMPL(const char *function, const char *file, int line, int32_t moduleID,
                          uint32_t errorCode, const char *format, ...) {
    struct HIAIX_LogPlace place = {function, file, line, NULL, NULL};
    char text[MAX_LOG_STRING + 1];
    uint32_t level = HIAI_GET_ERROR_LEVEL(errorCode);
    va_list arguments;
    (void)moduleID;
    if (format == NULL || !HIAIX_LogEnabled(level)) return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    HIAIX_LogWrite(level, &place, text);
}

void HIAIX_LogUnsupported(const struct HIAIX_LogPlace *place, const char *text) {
    static _Atomic(bool) said;
    (void)tn_hiai_fail(HIAI_ERROR, "%s: %s", place != NULL ? place->function : "",
                       text != NULL ? text : "");
    if (!atomic_exchange_explicit(&said, true, memory_order_relaxed))
        HIAIX_LogWrite(HIAI_ERROR, place, text);
}
