// SPDX-License-Identifier: Apache-2.0
// The result of a command as JSON, for the option --json[=FILE], which arguments.c finds in the words
// of every command that has it. All commands print one object that begins with the same members:
// docs/command.md describes them. A command that fails without a result prints an object with the
// last line that it wrote to standard error. One thread.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The version of all results: raised when a member changes its meaning or goes away.
enum { TN_RESULT_SCHEMA = 1 };

// Asks for a result of the command ("replay") in a file. NULL selects standard output.
void tn_result_expect(const char *command, const char *file);

// Returns true unless standard output is for the object.
bool tn_result_shows_text(void);

// Prints the members that all results share, and those of `members`, which it releases.
void tn_result_print(json_t *members);

// States that the command has written its result in a way of its own.
void tn_result_done(void);

// Prints the object for a command that failed without a result. For the end of the process. Returns
// false if a result could not be written.
bool tn_result_conclude(int exit_code);

// ---- members of objects

// Return a member of an object: 0 or "" without it.
uint64_t tn_member_get_number(const json_t *object, const char *key);
const char *tn_member_get_text(const json_t *object, const char *key);

void tn_member_number(json_t *object, const char *key, uint64_t value);

// Set a member, or append to a list. Both take over the reference to `value`.
void tn_member_set(json_t *object, const char *key, json_t *value);
void tn_list_add(json_t *list, json_t *value);

// Add an empty list or object, and return it. It belongs to the outer one.
json_t *tn_member_list(json_t *object, const char *key);
json_t *tn_member_object(json_t *object, const char *key);
json_t *tn_list_object(json_t *list);

// Paths and labels may not be UTF-8, which JSON requires: such a text is replaced by "(not UTF-8)".
void tn_member_text(json_t *object, const char *key, const char *value);
