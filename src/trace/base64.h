// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648), by which texts hold bytes: the pages of PyTorch's viewer, and the recording in
// a Chrome trace. No state; any thread may call.
#pragma once

#include <tarn/base.h>

// The length of the text for a number of bytes.
#define TN_BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

// Writes the text of the bytes, which is not terminated, and returns its length. A text may be
// written in parts if all but the last have a multiple of 3 bytes.
static inline size_t tn_base64_encode(const uint8_t *bytes, size_t size, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

static inline int tn_base64_digit(char byte) {
    if (byte >= 'A' && byte <= 'Z') return byte - 'A';
    if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
    if (byte >= '0' && byte <= '9') return byte - '0' + 52;
    return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

// Decodes in place. Returns false for a byte that is no base64.
static inline bool tn_base64_decode(char *text, size_t length, size_t *size) {
    uint32_t bits = 0;
    unsigned count = 0;
    *size = 0;
    while (length > 0 && text[length - 1] == '=') length--;
    for (size_t i = 0; i < length; i++) {
        int digit = tn_base64_digit(text[i]);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            text[(*size)++] = (char)(bits >> count);
        }
    }
    return count < 6;
}
