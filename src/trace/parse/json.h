// SPDX-License-Identifier: Apache-2.0
// Reads JSON from a source into plain values, or element by element where a document is larger than
// memory. Integers and decimal numbers are kept without loss, nothing recurses, and the depth is
// limited. NaN and Infinity are accepted, as Python writes them. One thread at a time.
#pragma once

#include "trace/parse/source.h"
#include "trace/parse/value.h"

#define TN_JSON_DEPTH   64
#define TN_JSON_KEY_MAX 64

// For detection: returns the first byte that is no space, and in *second the next one.
uint8_t tn_json_first_bytes(const uint8_t *bytes, size_t size, uint8_t *second);
// For detection: returns true if the bytes contain `key` in quotes.
bool tn_json_mentions(const uint8_t *bytes, size_t size, const char *key);

struct tn_json {
    struct tn_source *source;
    struct tn_values *values;
    const uint8_t *window; // bytes of the source, taken when the next ones are needed
    const uint8_t *at;
    const uint8_t *end;
    uint64_t line;
    bool ended; // the last failure was the end of the source within a value
    bool fresh; // a container was opened and has no element yet
    bool share; // equal texts become one value
    struct tn_intern texts;
    tn_value *pending; // items of the containers that are not closed
    size_t pending_count, pending_room;
    char key[TN_JSON_KEY_MAX]; // of the last member, cut
};

// Reads a document that fills the source. Equal texts are stored once. The last error names file,
// line and byte, here and below.
tarn_status tn_json_document(struct tn_source *source, struct tn_values *values, tn_value *root);

// Begins to read in parts. Release with tn_json_end().
void tn_json_begin(struct tn_json *json, struct tn_source *source, struct tn_values *values);
void tn_json_end(struct tn_json *json);

// Returns the first byte of the next value or bracket, or 0 at the end of the source.
tarn_status tn_json_peek(struct tn_json *json, uint8_t *byte);
// Reads one value and all values in it.
tarn_status tn_json_read(struct tn_json *json, tn_value *value);
// Passes over one value of any size and depth.
tarn_status tn_json_skip(struct tn_json *json);

// Passes over the rest of the line, whatever it is.
tarn_status tn_json_skip_line(struct tn_json *json);

// Opens an array ('[') or an object ('{'). Call tn_json_next() before each element; it closes the
// container when there is no other, and then *more is false.
tarn_status tn_json_open(struct tn_json *json, uint8_t bracket);
tarn_status tn_json_next(struct tn_json *json, uint8_t bracket, bool *more);
// Like tn_json_next() of an object, and reads the key of the member into `key`.
tarn_status tn_json_member(struct tn_json *json, bool *more);

// Reads an array. Calls `read` for each element, whose values are released afterwards.
typedef tarn_status tn_json_element(void *reader, tn_value element, size_t index);
tarn_status tn_json_list(struct tn_json *json, tn_json_element *read, void *reader);
// Reads an object. Calls `read` for each member, which uses or skips its value; `key` is its key.
tarn_status tn_json_members(struct tn_json *json, tarn_status (*read)(void *reader), void *reader);

// Reads a source in parts: makes `json` and `values` for the time of `read`.
tarn_status tn_json_parts(struct tn_json *json, struct tn_values *values, struct tn_source *source,
                          struct tn_builder *builder, tarn_status (*read)(void *reader),
                          void *reader);

// Fails unless only white space follows.
tarn_status tn_json_finish(struct tn_json *json);

tarn_status tn_json_fail(const struct tn_json *json, const char *what);
