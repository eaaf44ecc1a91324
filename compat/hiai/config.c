// SPDX-License-Identifier: Apache-2.0
// The table-driven parser of graph files. A message is a table of fields, each with the type of its
// value and its place in the message's struct.
#include "compat/hiai/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/hiai/face.h"
#include "src/base/list.h"

#define DEPTH_MAX 64 // of messages nested in fields that are skipped

// ---- memory, freed all at once

struct tn_hiai_config_chunk {
    struct tn_hiai_config_chunk *next;
    max_align_t bytes[];
};

static void *config_alloc(struct tn_hiai_config *config, size_t bytes) {
    struct tn_hiai_config_chunk *chunk = (struct tn_hiai_config_chunk *)calloc(
        1, offsetof(struct tn_hiai_config_chunk, bytes) + bytes);
    if (chunk == NULL) return NULL;
    chunk->next = config->chunks;
    config->chunks = chunk;
    return chunk->bytes;
}

static bool list_append(struct tn_hiai_config *config, struct tn_hiai_list *list, void *what) {
    if (list->count == list->room) {
        size_t room = list->room != 0 ? list->room * 2 : 8;
        void **at = (void **)config_alloc(config, room * sizeof *at);
        if (at == NULL) return false;
        if (list->count != 0) memcpy(at, list->at, list->count * sizeof *at);
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = what;
    return true;
}

void tn_hiai_config_close(struct tn_hiai_config *config) {
    TN_CHAIN_DRAIN(struct tn_hiai_config_chunk, chunk, config->chunks, next) free(chunk);
    *config = (struct tn_hiai_config){0};
}

// ---- fields

struct reader {
    struct tn_hiai_lexer lexer;
    struct tn_hiai_config *config;
};

// IGNORED marks a known field without effect here, which causes no warning.
enum value_kind { U32, TEXT, SIDE, MESSAGE, IGNORED };

struct message;
struct field {
    const char *name;
    enum value_kind kind;
    size_t offset; // in the message's struct
    bool repeated; // a list of TEXT or MESSAGE; other MESSAGEs are read into the same struct
    const struct message *message;
};

struct message {
    const char *name;
    const void *blank;          // an element with the defaults, for a repeated message
    size_t bytes;               // of an element
    size_t text_offset;         // of a string, for the text between the braces, or 0
    const struct field *fields; // the last one has no name
};

static HIAI_StatusT fail_memory(void) {
    return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for a graph file");
}

// Fails because the current word is not the expected one.
static HIAI_StatusT refuse_word(const struct reader *r, const char *wanted) {
    const struct tn_hiai_word *word = &r->lexer.word;
    TN_HIAI_REFUSE(word->kind == TN_HIAI_END, HIAI_GRAPH_PROTO_FILE_PARSE_FAILED,
                   "line %u: the text ends where %s should be", word->line, wanted);
    int shown = word->length > 60 ? 60 : (int)word->length;
    return tn_hiai_fail(HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, "line %u: \"%.*s\" is not %s",
                        word->line, shown, word->at, wanted);
}

static HIAI_StatusT read_number(const struct reader *r, uint32_t *value) {
    const struct tn_hiai_word *word = &r->lexer.word;
    char text[32];
    char *end;
    if (word->kind != TN_HIAI_NUMBER || word->length >= sizeof text)
        return refuse_word(r, "a number");
    memcpy(text, word->at, word->length);
    text[word->length] = '\0';
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (*end != '\0' || errno != 0 || number < 0 || number > UINT32_MAX)
        return refuse_word(r, "a number from 0 to 4294967295");
    *value = (uint32_t)number;
    return HIAI_OK;
}

static bool word_is(const struct tn_hiai_word *word, const char *name) {
    return strlen(name) == word->length && memcmp(name, word->at, word->length) == 0;
}

static HIAI_StatusT read_side(const struct reader *r, int32_t *side) {
    const struct tn_hiai_word *word = &r->lexer.word;
    bool host = word_is(word, "HOST") || word_is(word, "1");
    if (!host && !word_is(word, "DEVICE") && !word_is(word, "0"))
        return refuse_word(r, "DEVICE or HOST");
    *side = host ? TN_HIAI_HOST : TN_HIAI_DEVICE;
    return HIAI_OK;
}

// Adjacent strings are concatenated.
static HIAI_StatusT read_text(struct reader *r, const struct field *field, void *at) {
    const char *all = "";
    size_t length = 0;
    if (r->lexer.word.kind != TN_HIAI_STRING) return refuse_word(r, "a string");
    while (r->lexer.word.kind == TN_HIAI_STRING) {
        char *more = (char *)config_alloc(r->config, length + r->lexer.word.length + 1);
        if (more == NULL) return fail_memory();
        memcpy(more, all, length);
        size_t added = tn_hiai_lexer_string(&r->lexer.word, more + length);
        if (added == SIZE_MAX || strlen(more + length) != added)
            return refuse_word(r, "a string without wrong escapes and zeros");
        length += added;
        all = more;
        tn_hiai_lexer_next(&r->lexer);
    }
    // Lists hold void pointers; strings are not written through them.
    if (field->repeated &&
        !list_append(r->config, (struct tn_hiai_list *)at, (void *)(uintptr_t)all))
        return fail_memory();
    if (!field->repeated) *(const char **)at = all;
    return HIAI_OK;
}

// ---- skipping

// Skips a message in braces, with everything nested in it.
static HIAI_StatusT skip_message(struct reader *r) {
    char closing[DEPTH_MAX];
    size_t depth = 0;
    do {
        const struct tn_hiai_word *word = &r->lexer.word;
        char c = word->kind == TN_HIAI_MARK ? *word->at : '\0';
        if (word->kind == TN_HIAI_END || word->kind == TN_HIAI_WRONG)
            return refuse_word(r, "of a message");
        if (c == '{' || c == '<' || c == '[') {
            if (depth == DEPTH_MAX) return refuse_word(r, "allowed so deep");
            closing[depth++] = c == '[' ? ']' : (char)(c + 2);
        } else if (c == '}' || c == '>' || c == ']') {
            if (c != closing[depth - 1]) return refuse_word(r, "the mark that closes here");
            depth--;
        }
        tn_hiai_lexer_next(&r->lexer);
    } while (depth != 0);
    return HIAI_OK;
}

static bool at_opening(const struct reader *r) {
    return tn_hiai_lexer_at_mark(&r->lexer, '{') || tn_hiai_lexer_at_mark(&r->lexer, '<');
}

static HIAI_StatusT skip_value(struct reader *r) {
    if (at_opening(r) || tn_hiai_lexer_at_mark(&r->lexer, '[')) return skip_message(r);
    if (r->lexer.word.kind < TN_HIAI_NAME || r->lexer.word.kind > TN_HIAI_STRING)
        return refuse_word(r, "a value");
    bool string = r->lexer.word.kind == TN_HIAI_STRING;
    do {
        tn_hiai_lexer_next(&r->lexer);
    } while (string && r->lexer.word.kind == TN_HIAI_STRING);
    return HIAI_OK;
}

// ---- messages

static HIAI_StatusT read_message(struct reader *r, const struct message *message, void *target);

static HIAI_StatusT read_braces(struct reader *r, const struct message *message, void *target) {
    if (!at_opening(r)) return refuse_word(r, "{");
    char closing = (char)(*r->lexer.word.at + 2); // } of {, > of <
    tn_hiai_lexer_next(&r->lexer);
    const char *begin = r->lexer.word.at;
    TN_HIAI_TRY(read_message(r, message, target));
    if (!tn_hiai_lexer_at_mark(&r->lexer, closing))
        return refuse_word(r, closing == '}' ? "a field or }" : "a field or >");
    if (message->text_offset != 0) {
        size_t length = (size_t)(r->lexer.word.at - begin);
        char *text = (char *)config_alloc(r->config, length + 1);
        if (text == NULL) return fail_memory();
        memcpy(text, begin, length); // the memory is zeroed
        *(const char **)(void *)((char *)target + message->text_offset) = text;
    }
    tn_hiai_lexer_next(&r->lexer);
    return HIAI_OK;
}

static HIAI_StatusT read_sub_message(struct reader *r, const struct field *field, void *target) {
    const struct message *message = field->message;
    if (!field->repeated) return read_braces(r, message, target);
    void *sub = config_alloc(r->config, message->bytes);
    struct tn_hiai_list *list = (struct tn_hiai_list *)(void *)((char *)target + field->offset);
    if (sub == NULL || !list_append(r->config, list, sub)) return fail_memory();
    memcpy(sub, message->blank, message->bytes);
    *(unsigned *)sub = r->lexer.word.line; // its first member
    return read_braces(r, message, sub);
}

static HIAI_StatusT read_one(struct reader *r, const struct field *field, void *target) {
    void *at = (char *)target + field->offset;
    switch (field->kind) {
    case MESSAGE: return read_sub_message(r, field, target);
    case TEXT: return read_text(r, field, at);
    case IGNORED: return skip_value(r);
    default:
        TN_HIAI_TRY(field->kind == U32 ? read_number(r, (uint32_t *)at)
                                       : read_side(r, (int32_t *)at));
        tn_hiai_lexer_next(&r->lexer);
        return HIAI_OK;
    }
}

// [a, b, ...] of a repeated field.
static HIAI_StatusT read_many(struct reader *r, const struct field *field, void *target) {
    do {
        tn_hiai_lexer_next(&r->lexer); // [ or ,
        if (tn_hiai_lexer_at_mark(&r->lexer, ']')) break;
        TN_HIAI_TRY(read_one(r, field, target));
    } while (tn_hiai_lexer_at_mark(&r->lexer, ','));
    if (!tn_hiai_lexer_at_mark(&r->lexer, ']')) return refuse_word(r, ", or ]");
    tn_hiai_lexer_next(&r->lexer);
    return HIAI_OK;
}

static HIAI_StatusT read_field(struct reader *r, const struct message *message, void *target) {
    struct tn_hiai_word name = r->lexer.word;
    const struct field *field = message->fields;
    while (field->name != NULL && !word_is(&name, field->name)) field++;
    tn_hiai_lexer_next(&r->lexer);
    bool colon = tn_hiai_lexer_at_mark(&r->lexer, ':');
    if (colon)
        tn_hiai_lexer_next(&r->lexer);
    else if (!at_opening(r) && !tn_hiai_lexer_at_mark(&r->lexer, '['))
        return refuse_word(r, ": or {");
    if (field->name == NULL) {
        tn_hiai_warn("graph file, line %u: %s has no field \"%.*s\", skipped", name.line,
                     message->name, name.length > 60 ? 60 : (int)name.length, name.at);
        return skip_value(r);
    }
    return field->repeated && tn_hiai_lexer_at_mark(&r->lexer, '[') ? read_many(r, field, target)
                                                                    : read_one(r, field, target);
}

// Reads fields until the next word is not a name. A comma or semicolon may separate them.
static HIAI_StatusT read_message(struct reader *r, const struct message *message, void *target) {
    while (r->lexer.word.kind == TN_HIAI_NAME) {
        TN_HIAI_TRY(read_field(r, message, target));
        if (tn_hiai_lexer_at_mark(&r->lexer, ',') || tn_hiai_lexer_at_mark(&r->lexer, ';'))
            tn_hiai_lexer_next(&r->lexer);
    }
    return HIAI_OK;
}

// ---- the known messages

#define AT(type, member) offsetof(struct type, member)

static const struct field item_fields[] = {
    {"name", TEXT, AT(tn_hiai_item, name), false, NULL},
    {"value", TEXT, AT(tn_hiai_item, value), false, NULL},
    {"sub_items", IGNORED, 0, false, NULL}, // read from the engine's text
    {0},
};

static const struct tn_hiai_item blank_item = {.name = "", .value = ""};
static const struct message item_message = {"items", &blank_item, sizeof blank_item, 0,
                                            item_fields};

// AIConfig has no struct: its items belong to the engine.
static const struct field ai_fields[] = {
    {"items", MESSAGE, AT(tn_hiai_engine_config, items), true, &item_message},
    {0},
};

static const struct message ai_message = {"ai_config", NULL, 0, 0, ai_fields};

static const struct field engine_fields[] = {
    {"id", U32, AT(tn_hiai_engine_config, id), false, NULL},
    {"engine_name", TEXT, AT(tn_hiai_engine_config, name), false, NULL},
    {"so_name", TEXT, AT(tn_hiai_engine_config, so_names), true, NULL},
    {"side", SIDE, AT(tn_hiai_engine_config, side), false, NULL},
    {"thread_num", U32, AT(tn_hiai_engine_config, threads), false, NULL},
    {"thread_priority", U32, AT(tn_hiai_engine_config, thread_priority), false, NULL},
    {"queue_size", U32, AT(tn_hiai_engine_config, queue_size), false, NULL},
    {"ai_config", MESSAGE, 0, false, &ai_message},
    {"ai_model", IGNORED, 0, false, NULL}, // read from the engine's text
    {"internal_so_name", IGNORED, 0, false, NULL},
    {"wait_inputdata_max_time", IGNORED, 0, false, NULL},
    {"holdModelFileFlag", IGNORED, 0, false, NULL},
    {"oam_config", IGNORED, 0, false, NULL},
    {"is_repeat_timeout_flag", IGNORED, 0, false, NULL},
    {0},
};

static const struct tn_hiai_engine_config blank_engine = {
    .name = "", .text = "", .side = TN_HIAI_DEVICE};
static const struct message engine_message = {"engines", &blank_engine, sizeof blank_engine,
                                              AT(tn_hiai_engine_config, text), engine_fields};

static const struct field connect_fields[] = {
    {"src_engine_id", U32, AT(tn_hiai_connect_config, src_engine), false, NULL},
    {"src_port_id", U32, AT(tn_hiai_connect_config, src_port), false, NULL},
    {"target_graph_id", U32, AT(tn_hiai_connect_config, target_graph), false, NULL},
    {"target_engine_id", U32, AT(tn_hiai_connect_config, target_engine), false, NULL},
    {"target_port_id", U32, AT(tn_hiai_connect_config, target_port), false, NULL},
    {"receive_memory_without_dvpp", IGNORED, 0, false, NULL},
    {0},
};

static const struct tn_hiai_connect_config blank_connect = {.target_graph = TN_HIAI_OWN_GRAPH};
static const struct message connect_message = {"connects", &blank_connect, sizeof blank_connect, 0,
                                               connect_fields};

static const struct field graph_fields[] = {
    {"graph_id", U32, AT(tn_hiai_graph_config, id), false, NULL},
    {"priority", IGNORED, 0, false, NULL},
    {"device_id", TEXT, AT(tn_hiai_graph_config, device_text), false, NULL},
    {"engines", MESSAGE, AT(tn_hiai_graph_config, engines), true, &engine_message},
    {"connects", MESSAGE, AT(tn_hiai_graph_config, connects), true, &connect_message},
    {0},
};

static const struct tn_hiai_graph_config blank_graph = {.device_text = "0"};
static const struct message graph_message = {"graphs", &blank_graph, sizeof blank_graph, 0,
                                             graph_fields};

static const struct field file_fields[] = {
    {"graphs", MESSAGE, AT(tn_hiai_config, graphs), true, &graph_message},
    {0},
};

static const struct message file_message = {"the file", NULL, 0, 0, file_fields};

HIAI_StatusT tn_hiai_config_read(const char *text, size_t length, struct tn_hiai_config *config) {
    struct reader r = {.config = config};
    *config = (struct tn_hiai_config){0};
    tn_hiai_lexer_init(&r.lexer, text, length);
    HIAI_StatusT status = read_message(&r, &file_message, config);
    if (status == HIAI_OK && r.lexer.word.kind != TN_HIAI_END)
        status = refuse_word(&r, "the name of a field");
    if (status == HIAI_OK) status = tn_hiai_config_check(config);
    if (status != HIAI_OK) tn_hiai_config_close(config);
    return status;
}
