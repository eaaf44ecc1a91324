// SPDX-License-Identifier: Apache-2.0
// The rules of a file of suppressions: one on a line, kind:function[:domain], each part with *, ? and []
// as in a shell; # begins a comment. `tarn check` reads the file before the program starts, and the checker at
// the first report. No state.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tn_check_rule {
    char kind[64];
    char function[512];
    char domain[256]; // "" means any
};

struct tn_check_rules {
    struct tn_check_rule *all; // for free()
    size_t count;
};

// Parses a line. An empty line or a comment has the kind "". Returns false if the line is no rule.
bool tn_check_rule_parse(const char *line, struct tn_check_rule *rule);

// Reads a file. Returns false with the reason in `why`, which names the file and the line.
bool tn_check_rules_read(const char *path, struct tn_check_rules *rules, char *why, size_t room);
