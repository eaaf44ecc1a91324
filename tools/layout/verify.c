// SPDX-License-Identifier: Apache-2.0
// The segments of `tarn layout`; `--verify` finds the segments of a pool that break the rule. One thread.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "tools/layout/layout.h"
#include "tools/result.h"
#include "tools/terminal.h"

// ---- segments: appended to the list, and aligned by the rule

bool tn_layout_add(struct tn_layout *layout, uint64_t start, uint64_t length, size_t line) {
    struct tn_segment segment = {start, length, 0, line};
    tarn_status status = tarn_rule_occupied(&layout->rule, length, &segment.size);
    if (status != TARN_OK)
        return tn_complain("a segment of %" PRIu64 " bytes: %s", length, tn_text_of(status));
    void *more =
        tn_append(layout->segments, &layout->count, &layout->room, &segment, sizeof segment);
    if (more == NULL) {
        (void)tn_complain("out of memory for %zu segments", layout->count + 1);
        exit(TN_EXIT_NO_MEMORY);
    }
    layout->segments = (struct tn_segment *)more;
    return true;
}

bool tn_layout_align(const struct tn_layout *layout, uint64_t offset, uint64_t *aligned) {
    uint64_t mask = layout->rule.start - 1;
    if (offset > UINT64_MAX - layout->base || layout->base + offset > UINT64_MAX - mask)
        return false;
    *aligned = ((layout->base + offset + mask) & ~mask) - layout->base;
    return true;
}

// ---- reading

bool tn_layout_number(const char **text, char stop, uint64_t *number) {
    char *end = NULL;
    const char *from = *text + strspn(*text, " \t");
    errno = 0;
    unsigned long long value = strtoull(from, &end, 0);
    if (errno != 0 || end == from || *from == '-' || *from == '+') return false;
    end += strspn(end, " \t\r\n");
    if (*end != stop) return false;
    *text = end + (stop != '\0');
    *number = value;
    return true;
}

// A line is empty, a comment (#), or START,LENGTH.
static bool read_line(struct tn_layout *layout, const char *path, const char *text, size_t line) {
    uint64_t start = 0;
    uint64_t length = 0;
    const char *at = text + strspn(text, " \t\r\n");
    if (*at == '\0' || *at == '#') return true;
    if (!tn_layout_number(&at, ',', &start) || !tn_layout_number(&at, '\0', &length))
        return tn_complain("%s:%zu: expected START,LENGTH", tn_shown(path), line);
    if (!tn_layout_add(layout, start, length, line))
        return tn_complain("%s:%zu", tn_shown(path), line);
    return true;
}

static bool read_lines(struct tn_layout *layout, const char *path, FILE *file) {
    char *text = NULL;
    size_t room = 0;
    bool valid = true;
    for (size_t line = 1; valid && getline(&text, &room, file) >= 0; line++)
        valid = read_line(layout, path, text, line);
    if (valid && ferror(file)) {
        (void)tn_complain("%s: %s", tn_shown(path), strerror(errno));
        valid = false;
    }
    free(text);
    return valid;
}

static bool read_file(struct tn_layout *layout, const char *path) {
    if (strcmp(path, "-") == 0) return read_lines(layout, "standard input", stdin);
    FILE *file = fopen(path, "re");
    if (file == NULL) return tn_complain("%s: cannot open: %s", tn_shown(path), strerror(errno));
    bool valid = read_lines(layout, path, file);
    (void)fclose(file);
    return valid;
}

// ---- checking

// Prints a broken segment, or adds it to the list for JSON.
static void __attribute__((format(printf, 3, 4)))
report_segment(json_t *broken, const struct tn_segment *segment, const char *format, ...) {
    char problem[160];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(problem, sizeof problem, format, values);
    va_end(values);
    if (tn_result_shows_text())
        printf("line %zu: segment %" PRIu64 ",%" PRIu64 " %s\n", segment->line, segment->start,
               segment->length, problem);
    if (broken != NULL)
        tn_list_add(broken, json_pack("{s:I, s:I, s:I, s:s}", "line", (json_int_t)segment->line,
                                      "start", (json_int_t)segment->start, "length",
                                      (json_int_t)segment->length, "problem", problem));
}

static size_t check_alone(const struct tn_layout *layout, const struct tn_segment *segment,
                          json_t *list) {
    size_t broken = 0;
    uint64_t aligned = 0;
    if (!tn_layout_align(layout, segment->start, &aligned) || aligned != segment->start) {
        report_segment(list, segment, "starts at an address that is not a multiple of %u",
                       layout->rule.start);
        broken++;
    }
    uint64_t room = layout->bytes != 0 ? layout->bytes : UINT64_MAX;
    if (segment->start > room || segment->size > room - segment->start) {
        report_segment(list, segment, "takes %" PRIu64 " bytes, and the block ends at %" PRIu64,
                       segment->size, room);
        broken++;
    }
    return broken;
}

// `low` starts first, or both start at the same address.
static size_t check_pair(const struct tn_segment *low, const struct tn_segment *high,
                         json_t *list) {
    uint64_t apart = high->start - low->start;
    if (apart >= low->size) return 0;
    if (apart >= low->length)
        report_segment(list, low,
                       "has no room for its padding: its %" PRIu64
                       " bytes overlap the segment of line %zu by %" PRIu64,
                       low->size, high->line, low->size - apart);
    else
        report_segment(list, low, "overlaps the segment of line %zu by %" PRIu64 " bytes",
                       high->line, low->length - apart);
    return 1;
}

static int by_start(const void *a, const void *b) {
    const struct tn_segment *left = (const struct tn_segment *)a;
    const struct tn_segment *right = (const struct tn_segment *)b;
    if (left->start != right->start) return left->start < right->start ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

// In order of their starts, each segment is compared with the one before it that ends last.
static size_t check_all(struct tn_layout *layout, json_t *list) {
    size_t broken = 0;
    const struct tn_segment *furthest = NULL;
    if (layout->count > 0)
        qsort(layout->segments, layout->count, sizeof *layout->segments, by_start);
    for (size_t i = 0; i < layout->count; i++) {
        const struct tn_segment *segment = &layout->segments[i];
        broken += check_alone(layout, segment, list);
        if (furthest != NULL) broken += check_pair(furthest, segment, list);
        if (furthest == NULL || segment->size > furthest->size ||
            segment->start - furthest->start > furthest->size - segment->size)
            furthest = segment;
    }
    return broken;
}

enum tn_exit tn_layout_verify(struct tn_layout *layout, const char *path) {
    if (!read_file(layout, path)) return TN_EXIT_BAD_INPUT;
    json_t *list = layout->json ? json_array() : NULL;
    size_t broken = check_all(layout, list);
    if (layout->json)
        tn_result_print(json_pack("{s:s, s:I, s:o}", "rule", layout->rule_name, "segment_count",
                                  (json_int_t)layout->count, "broken", list));
    if (tn_result_shows_text())
        printf("%zu segments under rule %s: %zu broken\n", layout->count, layout->rule_name,
               broken);
    return broken == 0 ? TN_EXIT_OK : TN_EXIT_CORRUPT;
}
