/* SPDX-License-Identifier: Apache-2.0 */
/*
 * securec.h - bounded memory and string functions. Copies return EOK; EINVAL or ERANGE, if nothing
 * could be cleared; or the same with _AND_RESET: memcpy_s() has zeroed the destination, a string
 * function has made it empty. Those that print return the number of characters, or -1 and an empty
 * destination.
 */
#ifndef SECUREC_H
#define SECUREC_H
#ifndef SECUREC_H_5D13A042_DC3F_4ED9_A8D1_882811274C27 /* that of the original */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <securectype.h>

static inline int hiaix_overlap(const void *a, const void *b, size_t bytes) {
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x != y && (x < y ? y - x : x - y) < bytes;
}

static inline errno_t memset_s(void *dest, size_t destMax, int c, size_t count) {
    if (dest == NULL) return EINVAL;
    if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
    if (count > destMax) {
        (void)memset(dest, c, destMax);
        return ERANGE_AND_RESET;
    }
    (void)memset(dest, c, count);
    return EOK;
}

static inline errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count) {
    if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
    if (dest == NULL || src == NULL) {
        if (dest != NULL) (void)memset(dest, 0, destMax);
        return dest != NULL ? EINVAL_AND_RESET : EINVAL;
    }
    if (count > destMax) {
        (void)memset(dest, 0, destMax);
        return ERANGE_AND_RESET;
    }
    (void)memmove(dest, src, count);
    return EOK;
}

static inline errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count) {
    if (dest != NULL && src != NULL && destMax != 0 && destMax <= SECUREC_MEM_MAX_LEN &&
        count <= destMax && hiaix_overlap(dest, src, count)) {
        (void)memset(dest, 0, destMax);
        return EOVERLAP_AND_RESET;
    }
    return memmove_s(dest, destMax, src, count);
}

/* Returns the length of a string, or `most` if no zero is among the first bytes. */
static inline size_t hiaix_length(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length] != '\0') length++;
    return length;
}

/* Appends up to `count` characters after the first `used`. */
static inline errno_t hiaix_append(char *dest, size_t destMax, size_t used, const char *src,
                                   size_t count) {
    if (destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return ERANGE;
    if (dest == NULL || src == NULL) {
        if (dest != NULL) dest[0] = '\0';
        return dest != NULL ? EINVAL_AND_RESET : EINVAL;
    }
    size_t length = hiaix_length(src, count < destMax ? count : destMax);
    if (used >= destMax || length >= destMax - used) {
        dest[0] = '\0';
        return used >= destMax ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    if (hiaix_overlap(dest + used, src, length + 1)) {
        dest[0] = '\0';
        return EOVERLAP_AND_RESET;
    }
    (void)memmove(dest + used, src, length);
    dest[used + length] = '\0';
    return EOK;
}

static inline errno_t strcpy_s(char *dest, size_t destMax, const char *src) {
    return hiaix_append(dest, destMax, 0, src, SIZE_MAX);
}

static inline errno_t strncpy_s(char *dest, size_t destMax, const char *src, size_t count) {
    return hiaix_append(dest, destMax, 0, src, count);
}

static inline errno_t strcat_s(char *dest, size_t destMax, const char *src) {
    return hiaix_append(dest, destMax, dest != NULL ? hiaix_length(dest, destMax) : 0, src,
                        SIZE_MAX);
}

static inline errno_t strncat_s(char *dest, size_t destMax, const char *src, size_t count) {
    return hiaix_append(dest, destMax, dest != NULL ? hiaix_length(dest, destMax) : 0, src, count);
}

/* ---- printing */

/* Prints at most `count` characters. More are cut off if `cut` is set, otherwise an error. */
static inline int hiaix_print(char *dest, size_t destMax, size_t count, int cut, const char *format,
                              va_list arguments) {
    if (dest == NULL || format == NULL || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) {
        if (dest != NULL && destMax != 0) dest[0] = '\0';
        return -1;
    }
    size_t room = count < destMax ? count + 1 : destMax;
    int length = vsnprintf(dest, room, format, arguments);
    if (length >= 0 && (size_t)length < room) return length;
    if (length >= 0 && cut) return (int)(room - 1);
    /* vsnprintf_s() with a count that fits keeps what it has printed. */
    if (length < 0 || count >= destMax) dest[0] = '\0';
    return -1;
}

static inline int vsprintf_s(char *dest, size_t destMax, const char *format, va_list arguments) {
    return hiaix_print(dest, destMax, SIZE_MAX, 0, format, arguments);
}

static inline int vsnprintf_s(char *dest, size_t destMax, size_t count, const char *format,
                              va_list arguments) {
    return hiaix_print(dest, destMax, count, 0, format, arguments);
}

static inline int sprintf_s(char *dest, size_t destMax, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = hiaix_print(dest, destMax, SIZE_MAX, 0, format, arguments);
    va_end(arguments);
    return length;
}

static inline int snprintf_s(char *dest, size_t destMax, size_t count, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = hiaix_print(dest, destMax, count, 0, format, arguments);
    va_end(arguments);
    return length;
}

static inline int snprintf_truncated_s(char *dest, size_t destMax, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = hiaix_print(dest, destMax, SIZE_MAX, 1, format, arguments);
    va_end(arguments);
    return length;
}

/* ---- reading */

static inline char *strtok_s(char *text, const char *separators, char **rest) {
    if (separators == NULL || rest == NULL || (text == NULL && *rest == NULL)) return NULL;
    char *begin = text != NULL ? text : *rest;
    begin += strspn(begin, separators);
    char *end = begin + strcspn(begin, separators);
    *rest = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return end != begin ? begin : NULL;
}

/* Unlike the original it takes no sizes for %s, %c and %[. */
static inline int sscanf_s(const char *text, const char *format, ...) {
    va_list arguments;
    if (text == NULL || format == NULL) return -1;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

#endif
#endif
