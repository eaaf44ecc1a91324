// SPDX-License-Identifier: Apache-2.0
// Reads the values of cells; see cell.h. Numbers are exact: no floating point.
#include "trace/parse/cell.h"

#include <stdio.h>
#include <string.h>

bool tn_cell_is(struct tn_cell cell, const char *text) {
    return strlen(text) == cell.length && memcmp(cell.text, text, cell.length) == 0;
}

bool tn_cell_has_value(struct tn_cell cell) {
    return cell.length > 0 && !tn_cell_is(cell, "N/A") && !tn_cell_is(cell, "None");
}

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

struct tn_cell tn_cell_trim(struct tn_cell cell) {
    while (cell.length > 0 && is_blank(cell.text[0])) {
        cell.text++;
        cell.length--;
    }
    while (cell.length > 0 && is_blank(cell.text[cell.length - 1])) cell.length--;
    return cell;
}

// Returns the value of a digit, or 255.
static unsigned digit_of(char byte) {
    if (byte >= '0' && byte <= '9') return (unsigned)(byte - '0');
    if (byte >= 'a' && byte <= 'f') return (unsigned)(byte - 'a') + 10;
    return byte >= 'A' && byte <= 'F' ? (unsigned)(byte - 'A') + 10 : 255;
}

bool tn_cell_unsigned(struct tn_cell cell, uint64_t *value) {
    bool hex =
        cell.length > 2 && cell.text[0] == '0' && (cell.text[1] == 'x' || cell.text[1] == 'X');
    unsigned base = hex ? 16 : 10;
    uint64_t sum = 0;
    size_t at = hex ? 2 : 0;
    if (at == cell.length) return false;
    for (; at < cell.length; at++) {
        unsigned digit = digit_of(cell.text[at]);
        if (digit >= base || __builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)digit, &sum))
            return false;
    }
    *value = sum;
    return true;
}

bool tn_cell_scaled(struct tn_cell cell, uint64_t scale, uint64_t *value) {
    const char *point = (const char *)memchr(cell.text, '.', cell.length);
    size_t whole = point != NULL ? (size_t)(point - cell.text) : cell.length;
    uint64_t sum, part = 0, one = 1;
    if (!tn_cell_unsigned((struct tn_cell){cell.text, whole}, &sum) ||
        __builtin_mul_overflow(sum, scale, &sum))
        return false;
    for (size_t at = whole + 1; at < cell.length; at++) {
        unsigned digit = digit_of(cell.text[at]);
        if (digit > 9) return false;
        if (one < UINT64_C(1000000000)) { // keeps part * scale below 2^60
            one *= 10;
            part = part * 10 + digit;
        }
    }
    return !__builtin_add_overflow(sum, part * scale / one, value);
}

bool tn_cell_time_of_day(struct tn_cell cell, uint64_t *time_ns) {
    uint64_t seconds = 0, part, fraction = 0, unit = UINT64_C(1000000000);
    for (size_t at = 0; at < 9; at += 3) {
        if (cell.length < at + 2 || (at > 0 && cell.text[at - 1] != ':') ||
            !tn_cell_unsigned((struct tn_cell){cell.text + at, 2}, &part) ||
            part > (at == 0 ? 23 : 59))
            return false;
        seconds = seconds * 60 + part;
    }
    for (size_t at = 9; at < cell.length; at++) {
        unsigned digit = digit_of(cell.text[at]);
        if (digit > 9 || unit == 1) return false;
        unit /= 10;
        fraction += digit * unit;
    }
    if (cell.length > 8 && cell.text[8] != '.' && cell.text[8] != ':') return false;
    *time_ns = seconds * UINT64_C(1000000000) + fraction;
    return cell.length != 9;
}

uint64_t tn_days_add(struct tn_days *days, uint64_t time_of_day_ns) {
    const uint64_t day = UINT64_C(86400) * UINT64_C(1000000000);
    uint64_t time = time_of_day_ns + days->day_ns;
    if (time + day / 2 <= days->last_ns) {
        days->day_ns += day;
        time += day;
    }
    if (time > days->last_ns) days->last_ns = time;
    return days->last_ns;
}

const char *tn_cell_quote(struct tn_cell cell, char shown[TN_CELL_SHOWN]) {
    char *to = shown;
    for (size_t i = 0; i < cell.length && i < TN_CELL_QUOTED; i++) {
        unsigned char byte = (unsigned char)cell.text[i];
        if (byte >= 0x20 && byte < 0x7f)
            *to++ = (char)byte;
        else
            to += sprintf(to, "\\x%02x", byte);
    }
    memcpy(to, cell.length > TN_CELL_QUOTED ? "..." : "", cell.length > TN_CELL_QUOTED ? 4 : 1);
    return shown;
}
