// SPDX-License-Identifier: Apache-2.0
// A parsed graph file: graphs, engines, connections. Its reader owns it. Constant.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiaiengine/status.h>

// ---- words of a text

// The lexer of graph files, text protobuf: names, numbers, strings, and the marks : { } < > [ ] , ;
// A # begins a comment. The text belongs to the caller. One thread.

enum tn_hiai_word_kind {
    TN_HIAI_END,
    TN_HIAI_NAME,   // letters, digits, _ and dots; begins with a letter or _
    TN_HIAI_NUMBER, // begins with a digit, a sign or a dot
    TN_HIAI_STRING, // with its quotes
    TN_HIAI_MARK,
    TN_HIAI_WRONG // a string without an end, or an unknown byte
};

struct tn_hiai_word {
    enum tn_hiai_word_kind kind;
    const char *at;
    size_t length;
    unsigned line;
};

struct tn_hiai_lexer {
    const char *at;
    const char *end;
    unsigned line;
    struct tn_hiai_word word; // the current one
};

// Starts a text and reads its first word.
void tn_hiai_lexer_init(struct tn_hiai_lexer *lexer, const char *text, size_t length);

// Advances to the next word. At the end it does nothing.
void tn_hiai_lexer_next(struct tn_hiai_lexer *lexer);

// Returns true if the current word is this mark.
bool tn_hiai_lexer_at_mark(const struct tn_hiai_lexer *lexer, char mark);

// Writes the value of a string, without quotes and escapes, into `to`, which has room for the
// word's length, and terminates it. Returns the number of bytes, or SIZE_MAX if an escape is
// invalid.
size_t tn_hiai_lexer_string(const struct tn_hiai_word *word, char *to);

#define TN_HIAI_GRAPHS_MAX  2048u // in a file
#define TN_HIAI_ENGINES_MAX 512u  // in a graph
#define TN_HIAI_QUEUE_SIZE  200u
#define TN_HIAI_QUEUE_MAX   65536u
#define TN_HIAI_THREADS_MAX 256u // of an engine
#define TN_HIAI_OWN_GRAPH   UINT32_MAX

enum tn_hiai_side { TN_HIAI_DEVICE = 0, TN_HIAI_HOST = 1 };

// Each element of a list of messages begins with its line in the file.

// An item of ai_config.
struct tn_hiai_item {
    unsigned line;
    const char *name;
    const char *value;
};

// A list of pointers, to elements of one type.
struct tn_hiai_list {
    void **at;
    size_t count;
    size_t room;
};

struct tn_hiai_engine_config {
    unsigned line;
    uint32_t id;
    const char *name;
    struct tn_hiai_list so_names; // of char
    struct tn_hiai_list items;    // of struct tn_hiai_item
    int32_t side;
    uint32_t threads;
    uint32_t thread_priority; // 0 selects that of the process
    uint32_t queue_size;
    const char *text; // between its braces
};

struct tn_hiai_connect_config {
    unsigned line;
    uint32_t src_engine, src_port;
    uint32_t target_graph; // TN_HIAI_OWN_GRAPH until the check
    uint32_t target_engine, target_port;
};

struct tn_hiai_graph_config {
    unsigned line;
    uint32_t id;
    const char *device_text;
    uint32_t device;              // parsed from device_text
    struct tn_hiai_list engines;  // of struct tn_hiai_engine_config
    struct tn_hiai_list connects; // of struct tn_hiai_connect_config
};

struct tn_hiai_config {
    struct tn_hiai_list graphs;          // of struct tn_hiai_graph_config
    struct tn_hiai_config_chunk *chunks; // the memory of everything above
};

static inline struct tn_hiai_graph_config *tn_hiai_config_graph(const struct tn_hiai_config *c,
                                                                size_t i) {
    return (struct tn_hiai_graph_config *)c->graphs.at[i];
}

static inline struct tn_hiai_engine_config *
tn_hiai_config_engine(const struct tn_hiai_graph_config *g, size_t i) {
    return (struct tn_hiai_engine_config *)g->engines.at[i];
}

static inline struct tn_hiai_connect_config *
tn_hiai_config_connect(const struct tn_hiai_graph_config *g, size_t i) {
    return (struct tn_hiai_connect_config *)g->connects.at[i];
}

// Returns the index of an engine by its id, or SIZE_MAX.
size_t tn_hiai_config_find_engine(const struct tn_hiai_graph_config *graph, uint32_t id);

// Parses and checks a text. On failure the error text names line and word, and nothing is left to
// free. Returns the codes of HIAI_CreateGraph().
HIAI_StatusT tn_hiai_config_read(const char *text, size_t length, struct tn_hiai_config *config);

// The second half of reading: fills in defaults, and checks limits and references.
HIAI_StatusT tn_hiai_config_check(struct tn_hiai_config *config);

void tn_hiai_config_close(struct tn_hiai_config *config);
