// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648), by which texts hold bytes: the pages of PyTorch's viewer, and the recording in
// a Chrome trace. No state; any thread may call.
#pragma once

#include <string.h>

#include <tarn/base.h>

// The length of the text for a number of bytes.
#define TN_BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

static const char tn_base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Writes the text of the bytes, which is not terminated, and returns its length. A text may be
// written in parts if all but the last have a multiple of 3 bytes.
static inline size_t tn_base64_encode(const uint8_t *bytes, size_t size, char *text) {
    const char *digits = tn_base64_digits;
    char *to = text;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        *to++ = i + 2 < size ? digits[bits & 63] : '=';
    }
    return (size_t)(to - text);
}

// Decodes in place. Returns false for a byte that is no base64.
static inline bool tn_base64_decode(char *text, size_t length, size_t *size) {
    uint32_t bits = 0;
    unsigned count = 0;
    *size = 0;
    while (length > 0 && text[length - 1] == '=') length--;
    for (size_t i = 0; i < length; i++) {
        const char *digit = (const char *)memchr(tn_base64_digits, text[i], 64);
        if (digit == NULL) return false;
        bits = bits << 6 | (uint32_t)(digit - tn_base64_digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            text[(*size)++] = (char)(bits >> count);
        }
    }
    return count < 6;
}
