// SPDX-License-Identifier: Apache-2.0
// Defines texts, stacks, devices and streams once each, and writes events; see file.h. Stacks get
// the names of their functions here, on the writer's thread, while the code is still loaded.
#include "record/file.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/grow.h"
#include "record/frames.h"
#include "trace/intern.h"

enum { PLACES = 128, DEVICES = 64, RECENT = 256, LINE = 4200 };

// A text, a call, a stack of the depot or a stream, by its content.
struct definition {
    uint64_t words[4];
    char *text;      // or NULL
    uint64_t result; // of a stack: the number of its innermost call. It is not compared
};

// The definitions of one kind. The number of an element is its number in the file, less `first`.
struct table {
    struct tn_intern index;
    struct definition *elements;
    size_t count;
    size_t room;
};

// The last answers for streams and stacks, by the lowest bits of their numbers. Events come from few
// places.
struct recent {
    uint64_t wanted;
    int32_t device;
    bool is_known;
    uint64_t result;
};

// The segments of a device, as RESERVED has them.
struct sums {
    uint64_t reserved, peak;
    uint64_t allocs, alloc_bytes, frees;      // device memory
    uint64_t creates, create_bytes, releases; // mappings
    uint64_t events;
    bool is_fresh; // changed since it was written
};

struct tn_record_file {
    struct tn_output *output;
    struct tn_binary *binary;
    uint64_t start_ns;
    uint64_t events;
    struct table texts, calls, streams;
    struct table stacks; // by the id in the depot
    struct recent recent_stacks[RECENT];
    struct recent recent_streams[RECENT];
    int32_t devices[DEVICES];
    uint64_t cards[DEVICES]; // by the number of the device: its memory, or 0
    struct sums sums[DEVICES];
    size_t device_count;
};

// ---- tables

static bool equal_definitions(const void *elements, uint32_t number, const void *wanted) {
    const struct definition *a = &((const struct definition *)elements)[number];
    const struct definition *b = (const struct definition *)wanted;
    return b->text != NULL ? strcmp(a->text, b->text) == 0
                           : memcmp(a->words, b->words, sizeof a->words) == 0;
}

// Finds or adds a definition. Returns true with its number if it is new, and false with its number,
// or with UINT32_MAX if out of memory, if not.
static bool add_definition(struct table *table, const struct definition *wanted, uint32_t *number) {
    uint32_t hash = wanted->text != NULL ? tn_intern_hash(0, wanted->text, strlen(wanted->text))
                                         : tn_intern_hash(0, wanted->words, sizeof wanted->words);
    if (tn_intern_find(&table->index, hash, equal_definitions, table->elements, wanted, number))
        return false;
    *number = UINT32_MAX;
    void *grown = tn_grow(table->elements, &table->room, table->count + 1, sizeof *wanted);
    if (grown == NULL) return false;
    table->elements = (struct definition *)grown;
    struct definition fresh = *wanted;
    fresh.text = wanted->text == NULL ? NULL : strdup(wanted->text);
    if ((wanted->text != NULL && fresh.text == NULL) ||
        !tn_intern_add(&table->index, hash, (uint32_t)table->count)) {
        free(fresh.text);
        return false;
    }
    *number = (uint32_t)table->count;
    table->elements[table->count++] = fresh;
    return true;
}

static void free_table(struct table *table) {
    for (size_t i = 0; i < table->count; i++) free(table->elements[i].text);
    free(table->elements);
    tn_intern_release(&table->index);
}

// ---- texts and stacks

uint64_t tn_record_file_text(struct tn_record_file *file, const char *text) {
    struct definition wanted = {.text = (char *)(uintptr_t)text};
    uint32_t number;
    if (text == NULL || *text == '\0') return 0;
    if (add_definition(&file->texts, &wanted, &number))
        tn_binary_bytes(file->binary, TN_RECORD_TEXT, text, strlen(text));
    return number == UINT32_MAX ? 0 : number + UINT64_C(1);
}

// The places of one stack, innermost first.
struct places {
    struct tn_record_file *file;
    uint64_t places[PLACES][4]; // as the fields of a call; the caller is not known yet
    size_t count;
    bool has_frames; // of an interpreter, which follow
};

static void add_call(struct places *places, const char *function, const char *file, uint64_t line) {
    uint64_t *place = places->places[places->count++];
    place[1] = tn_record_file_text(places->file, function);
    place[2] = tn_record_file_text(places->file, file);
    place[3] = line;
}

// A library, by the beginning of its name.
static bool is_one_of(const char *library, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(library, names[i], strlen(names[i])) == 0) return true;
    return false;
}

// Returns true for code of the interpreter, and for the libraries by which it calls native code. The
// program may be named python3.11.
static bool is_interpreter(const char *library) {
    static const char *const names[] = {"libpython", "libffi", "_ctypes"};
    size_t python = strlen("python");
    return (strncmp(library, "python", python) == 0 &&
            library[python + strspn(library + python, "0123456789.")] == '\0') ||
           is_one_of(library, names, sizeof names / sizeof *names);
}

// The sources of libraries that no program wrote do not tell where a program allocates.
static void add_native(struct places *places, const struct tn_stack_symbol *symbol,
                       const char *library) {
    static const char *const system[] = {"libc.so",    "libc-",     "ld-",
                                         "libpthread", "libstdc++", "libgcc_s"};
    bool has_source = symbol->file != NULL && !is_interpreter(library) &&
                      !is_one_of(library, system, sizeof system / sizeof *system);
    char unnamed[32];
    (void)snprintf(unnamed, sizeof unnamed, "0x%" PRIxPTR, symbol->offset);
    add_call(places, symbol->function != NULL ? symbol->function : unnamed,
             has_source ? symbol->file : symbol->object,
             has_source && symbol->line > 0 ? (uint64_t)symbol->line : 0);
}

// The name of a library of Tarn stands for its sources, so that readers know that no program wrote
// them. "libtarn.a" is in the program. The recorder is between a face and the program.
static bool add_place(void *context, const struct tn_stack_symbol *symbol) {
    struct places *places = (struct places *)context;
    const char *library = symbol->object != NULL ? symbol->object : "";
    if (strchr(library, '/') != NULL) library = strrchr(library, '/') + 1;
    if (!symbol->is_of_tarn) {
        if (places->has_frames && is_interpreter(library)) return false;
        add_native(places, symbol, library);
    } else if (symbol->function != NULL && strcmp(library, "libtarn-record.so") != 0) {
        add_call(places, symbol->function, strstr(library, ".so") != NULL ? library : "libtarn.a",
                 0);
    }
    return places->count < PLACES;
}

// Copies a line, and returns what follows it.
static const char *take_line(const char *text, char line[LINE]) {
    size_t length = strcspn(text, "\n");
    (void)snprintf(line, LINE, "%.*s", (int)length, text);
    return text + length + (text[length] == '\n' ? 1 : 0);
}

// Adds the frames of an interpreter (frames.h), which stand for its own native ones.
static void add_frames(struct places *places, const char *text) {
    char line[LINE];
    while (*text != '\0' && places->count < PLACES) {
        uint64_t *place = places->places[places->count++];
        text = take_line(text, line);
        place[1] = tn_record_file_text(places->file, line);
        text = take_line(text, line);
        place[2] = tn_record_file_text(places->file, line);
        text = take_line(text, line);
        place[3] = strtoul(line, NULL, 10) & UINT32_MAX;
    }
}

static uint64_t resolve_stack(struct tn_record_file *file, tn_stack_id stack) {
    uint32_t frames = tn_stack_mark_of(stack);
    struct places places = {.file = file, .has_frames = frames != 0};
    uint64_t call = 0;
    tn_stack_walk(stack, add_place, &places);
    add_frames(&places, tn_record_frames_text(frames));
    for (size_t i = places.count; i-- > 0;) {
        uint64_t *words = places.places[i];
        struct definition wanted = {.words = {call, words[1], words[2], words[3]}};
        uint32_t number;
        if (add_definition(&file->calls, &wanted, &number))
            tn_binary_fields(file->binary, TN_RECORD_CALL, wanted.words, 4);
        call = number == UINT32_MAX ? 0 : number + UINT64_C(1);
    }
    return call;
}

// ---- recent answers

static struct recent *find_recent(struct recent *table, uint64_t wanted, int32_t device) {
    uint64_t mixed = (wanted ^ (uint32_t)device) * UINT64_C(0x9e3779b97f4a7c15);
    return &table[mixed >> 56];
}

static bool is_recent(const struct recent *recent, uint64_t wanted, int32_t device) {
    return recent->is_known && recent->wanted == wanted && recent->device == device;
}

// ---- stacks by their ids

uint64_t tn_record_file_stack(struct tn_record_file *file, tn_stack_id stack) {
    struct recent *recent = find_recent(file->recent_stacks, stack, 0);
    struct definition wanted = {.words = {stack}};
    uint32_t number;
    if (stack == 0) return 0;
    if (!is_recent(recent, stack, 0)) {
        if (add_definition(&file->stacks, &wanted, &number))
            file->stacks.elements[number].result = resolve_stack(file, stack);
        *recent = (struct recent){stack, 0, true,
                                  number == UINT32_MAX ? 0 : file->stacks.elements[number].result};
    }
    return recent->result;
}

// ---- devices and streams

// Returns the number of a device in the file. More than 64 devices count as the last one.
static uint64_t define_device(struct tn_record_file *file, int32_t device) {
    size_t i = 0;
    while (i < file->device_count && file->devices[i] != device) i++;
    if (i == file->device_count && i < DEVICES) {
        bool is_host = device < 0;
        file->devices[file->device_count++] = device;
        tn_binary_fields(file->binary, TN_RECORD_DEVICE,
                         TN_FIELDS(is_host ? 0 : (uint64_t)device, is_host ? 1 : 0,
                                   !is_host && device < DEVICES ? file->cards[device] : 0));
    }
    return i < DEVICES ? i : DEVICES - 1;
}

void tn_record_file_card(struct tn_record_file *file, int32_t device, uint64_t bytes) {
    if (device >= 0 && device < DEVICES) file->cards[device] = bytes;
}

static uint64_t define_stream(struct tn_record_file *file, int32_t device, uint64_t stream) {
    uint64_t number = define_device(file, device);
    struct definition wanted = {.words = {number, stream}};
    uint32_t index;
    if (add_definition(&file->streams, &wanted, &index))
        tn_binary_fields(file->binary, TN_RECORD_STREAM, wanted.words, 2);
    return index == UINT32_MAX ? TN_RECORD_NO_STREAM : index;
}

uint64_t tn_record_file_stream(struct tn_record_file *file, int32_t device, uint64_t stream) {
    struct recent *recent = find_recent(file->recent_streams, stream, device);
    if (!is_recent(recent, stream, device)) {
        uint64_t number = define_stream(file, device, stream);
        *recent = (struct recent){stream, device, number != TN_RECORD_NO_STREAM, number};
    }
    return recent->result;
}

// ---- events

void tn_record_file_event(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                          const uint64_t *fields, size_t count) {
    uint64_t time_us = time_ns > file->start_ns ? (time_ns - file->start_ns) / 1000 : 0;
    tn_binary_event(file->binary, record, time_us, file->events++, fields, count);
}

void tn_record_file_segment(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                            int32_t device, const uint64_t fields[5]) {
    struct sums *sums = &file->sums[define_device(file, device)];
    bool is_mapped = (fields[4] & 1) != 0;
    sums->is_fresh = true;
    sums->events++;
    if (record == TN_RECORD_SEGMENT) {
        sums->reserved += fields[1];
        sums->peak = sums->reserved > sums->peak ? sums->reserved : sums->peak;
        *(is_mapped ? &sums->creates : &sums->allocs) += 1;
        *(is_mapped ? &sums->create_bytes : &sums->alloc_bytes) += fields[1];
    } else {
        sums->reserved -= fields[1];
        *(is_mapped ? &sums->releases : &sums->frees) += 1;
    }
    tn_record_file_event(file, record, time_ns, fields, 5);
}

// A mark before the first allocation belongs to device 0.
void tn_record_file_mark(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                         const char *text) {
    uint64_t number = tn_record_file_text(file, text);
    if (file->device_count == 0) (void)define_device(file, 0);
    for (size_t i = 0; i < file->device_count; i++)
        if (file->devices[i] >= 0)
            tn_record_file_event(file, record, time_ns, TN_FIELDS(i, number));
}

// Later sums replace earlier ones, so that a recording that was cut off has some.
static void write_sums(struct tn_record_file *file) {
    for (size_t i = 0; i < file->device_count; i++) {
        struct sums *sums = &file->sums[i];
        if (sums->is_fresh) {
            tn_binary_fields(file->binary, TN_RECORD_RESERVED,
                             TN_FIELDS(i, 0, sums->peak, sums->reserved, sums->allocs,
                                       sums->alloc_bytes, sums->frees, sums->creates,
                                       sums->create_bytes, sums->releases, sums->events, 0));
            sums->is_fresh = false;
        }
    }
}

tarn_status tn_record_file_flush(struct tn_record_file *file) {
    write_sums(file);
    tn_binary_flush(file->binary);
    return tn_output_status(file->output);
}

// ---- the file

tarn_status tn_record_file_open(int descriptor, const char *name, uint64_t start_ns,
                                struct tn_record_file **file) {
    struct tn_record_file *fresh = (struct tn_record_file *)calloc(1, sizeof *fresh);
    TN_REFUSE(fresh == NULL, TARN_NO_HOST_MEMORY, "%s: out of host memory for a recording", name);
    fresh->start_ns = start_ns;
    tarn_status status = tn_output_attach(descriptor, name, &fresh->output);
    if (status != TARN_OK) goto err_free;
    status = tn_binary_writer_open(fresh->output, &fresh->binary);
    if (status != TARN_OK) goto err_close;
    tn_binary_hurry(fresh->binary);
    *file = fresh;
    return TARN_OK;

err_close:
    (void)tn_output_close(fresh->output, status);
err_free:
    free(fresh);
    return status;
}

tarn_status tn_record_file_close(struct tn_record_file *file, uint64_t lost) {
    char text[96];
    int length =
        snprintf(text, sizeof text, "%" PRIu64 " events were lost: the writer was too slow", lost);
    if (lost > 0) {
        tn_binary_fields(file->binary, TN_RECORD_ABOUT, TN_FIELDS(0, 1));
        tn_binary_bytes(file->binary, TN_RECORD_CONTRADICTION, text, (size_t)length);
    }
    write_sums(file);
    tarn_status status = tn_output_close(file->output, tn_binary_end(file->binary, true));
    free_table(&file->texts);
    free_table(&file->calls);
    free_table(&file->stacks);
    free_table(&file->streams);
    free(file);
    return status;
}
