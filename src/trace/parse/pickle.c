// SPDX-License-Identifier: Apache-2.0
// The restricted reader of pickles: Python's stack machine, without the opcodes that reach beyond
// plain data. The stack contains indices of values, and nothing recurses. One thread at a time.
#include "trace/parse/pickle.h"

#include <inttypes.h>

#include "base/error.h"

enum { PROTOCOL_MAX = 5, PART = 16 * 1024, INTEGER_MAX_BYTES = 1024, ENTRIES_MAX = 64 << 20 };

static const tn_value no_value = UINT32_MAX;

struct machine {
    struct tn_source *source;
    struct tn_values *values;
    uint64_t opcode_at;    // byte offset of the current opcode
    uint64_t opcode_count; // opcodes run so far
    tn_value *stack;
    size_t depth, stack_room;
    uint32_t *marks; // depths of the stack at each MARK
    size_t mark_count, mark_room;
    tn_value *memo; // no_value marks an empty entry
    size_t memo_size, memo_room;
    size_t memo_count; // entries that are not empty
    bool stopped;
};

struct opcode {
    const char *name;
    tarn_status (*run)(struct machine *machine, uint32_t argument); // NULL if the opcode is refused
    uint32_t argument;
};

static tarn_status fail_opcode(const struct machine *machine, const char *what) {
    return tn_fail(TARN_CORRUPT, "%s: byte %" PRIu64 ": %s", tn_source_name(machine->source),
                   machine->opcode_at, what);
}

// Grows one of the machine's own arrays. They have a separate limit, because an opcode of one byte
// may add an entry, and a packed file of a few MiB can contain billions of such opcodes.
static tarn_status reserve_entries(const struct machine *machine, uint32_t **array, size_t *room,
                                   size_t need) {
    void *grown = need <= ENTRIES_MAX ? tn_grow(*array, room, need, sizeof **array) : NULL;
    TN_REFUSE(grown == NULL, TARN_NO_HOST_MEMORY,
              "%s: byte %" PRIu64 ": out of host memory for %zu entries",
              tn_source_name(machine->source), machine->opcode_at, need);
    *array = (uint32_t *)grown;
    return TARN_OK;
}

// Reads a little-endian number of `width` bytes, at most 8.
static tarn_status read_number(struct machine *machine, uint32_t width, uint64_t *number) {
    uint8_t bytes[8];
    TN_TRY(tn_source_read(machine->source, bytes, width));
    *number = 0;
    for (uint32_t i = 0; i < width; i++) *number |= (uint64_t)bytes[i] << (8 * i);
    return TARN_OK;
}

// ---- the stack

static tarn_status push_value(struct machine *machine, tn_value value) {
    TN_TRY(reserve_entries(machine, &machine->stack, &machine->stack_room, machine->depth + 1));
    machine->stack[machine->depth++] = value;
    return TARN_OK;
}

static tarn_status push_node(struct machine *machine, struct tn_node node) {
    tn_value value;
    tarn_status status = tn_values_add(machine->values, node, &value);
    return status != TARN_OK ? status : push_value(machine, value);
}

// Returns the number of values above the last mark.
static size_t above_mark(const struct machine *machine) {
    size_t floor = machine->mark_count > 0 ? machine->marks[machine->mark_count - 1] : 0;
    return machine->depth - floor;
}

static tarn_status need_values(const struct machine *machine, size_t count) {
    return above_mark(machine) < count ? fail_opcode(machine, "the stack is empty") : TARN_OK;
}

// Removes the last mark. The values above it are the stack's last *count.
static tarn_status remove_mark(struct machine *machine, size_t *count) {
    if (machine->mark_count == 0) return fail_opcode(machine, "a mark is missing");
    *count = above_mark(machine);
    machine->mark_count--;
    return TARN_OK;
}

static tarn_status set_mark(struct machine *machine, uint32_t argument) {
    (void)argument;
    TN_TRY(reserve_entries(machine, &machine->marks, &machine->mark_room, machine->mark_count + 1));
    machine->marks[machine->mark_count++] = (uint32_t)machine->depth;
    return TARN_OK;
}

static tarn_status pop_value(struct machine *machine, uint32_t argument) {
    (void)argument;
    tarn_status status = need_values(machine, 1);
    if (status == TARN_OK) machine->depth--;
    return status;
}

static tarn_status pop_mark(struct machine *machine, uint32_t argument) {
    (void)argument;
    size_t count = 0;
    tarn_status status = remove_mark(machine, &count);
    if (status == TARN_OK) machine->depth -= count;
    return status;
}

static tarn_status duplicate_value(struct machine *machine, uint32_t argument) {
    (void)argument;
    tarn_status status = need_values(machine, 1);
    return status != TARN_OK ? status : push_value(machine, machine->stack[machine->depth - 1]);
}

static tarn_status stop_machine(struct machine *machine, uint32_t argument) {
    (void)argument;
    if (machine->depth != 1 || machine->mark_count != 0)
        return fail_opcode(machine, "the pickle does not end with one value");
    machine->stopped = true;
    return TARN_OK;
}

// ---- simple values

static tarn_status read_protocol(struct machine *machine, uint32_t argument) {
    uint64_t protocol = 0;
    tarn_status status = read_number(machine, argument, &protocol);
    if (status == TARN_OK && protocol > PROTOCOL_MAX)
        return fail_opcode(machine, "a protocol above 5");
    return status;
}

// Frames only suggest how much to read at once.
static tarn_status skip_frame(struct machine *machine, uint32_t argument) {
    uint64_t length = 0;
    return read_number(machine, argument, &length);
}

static tarn_status push_empty(struct machine *machine, uint32_t kind) {
    return push_node(machine, (struct tn_node){.kind = kind});
}

static tarn_status push_bool(struct machine *machine, uint32_t argument) {
    return push_node(machine,
                     (struct tn_node){.kind = TN_VALUE_BOOL, .as.number = (int64_t)argument});
}

static tarn_status push_integer(struct machine *machine, uint32_t width) {
    uint64_t number = 0;
    TN_TRY(read_number(machine, width, &number));
    // Only the widest form is signed.
    int64_t value = width == 4 ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number;
    return push_node(machine, (struct tn_node){.kind = TN_VALUE_INT, .as.number = value});
}

// Returns the value of `size` bytes, little-endian, two's complement.
static struct tn_node integer_of(const uint8_t *bytes, size_t size) {
    struct tn_node node = {.kind = TN_VALUE_INT};
    uint64_t bits = size > 0 && (bytes[size - 1] & 0x80) != 0 ? UINT64_MAX : 0;
    uint8_t fill = (uint8_t)bits;
    for (size_t i = 0; i < size && i < 8; i++)
        bits = (bits & ~(UINT64_C(0xff) << (8 * i))) | (uint64_t)bytes[i] << (8 * i);
    for (size_t i = 8; i < size; i++)
        if (bytes[i] != fill) node.kind = TN_VALUE_BIG;
    bool sign_lost = size > 8 && ((bits >> 63) != 0) != (fill != 0);
    if (node.kind == TN_VALUE_INT && sign_lost)
        node.kind = fill == 0 ? TN_VALUE_UNSIGNED : TN_VALUE_BIG;
    node.as.bits = bits;
    return node;
}

static tarn_status push_long(struct machine *machine, uint32_t width) {
    uint64_t size = 0;
    uint8_t bytes[INTEGER_MAX_BYTES];
    TN_TRY(read_number(machine, width, &size));
    if (size > INTEGER_MAX_BYTES) return fail_opcode(machine, "an integer of more than 1024 bytes");
    TN_TRY(tn_source_read(machine->source, bytes, (size_t)size));
    return push_node(machine, integer_of(bytes, (size_t)size));
}

static tarn_status push_float(struct machine *machine, uint32_t width) {
    struct tn_node node = {.kind = TN_VALUE_FLOAT};
    TN_TRY(read_number(machine, width, &node.as.bits));
    node.as.bits = __builtin_bswap64(node.as.bits); // the highest byte comes first
    return push_node(machine, node);
}

// A length may be false, so the text is read in parts: memory grows only with the bytes that
// follow.
static tarn_status read_text(struct machine *machine, uint32_t width, uint32_t kind) {
    struct tn_node node = {.kind = kind, .as.bits = machine->values->byte_count};
    uint64_t length = 0;
    TN_TRY(read_number(machine, width, &length));
    if (length > UINT32_MAX) return fail_opcode(machine, "a text of more than 4 GiB");
    for (uint64_t left = length; left > 0;) {
        size_t part = left < PART ? (size_t)left : (size_t)PART;
        char *to;
        TN_TRY(tn_values_bytes(machine->values, part, &to));
        TN_TRY(tn_source_read(machine->source, to, part));
        left -= part;
    }
    node.count = (uint32_t)length;
    return push_node(machine, node);
}

static tarn_status push_text(struct machine *machine, uint32_t width) {
    return read_text(machine, width, TN_VALUE_TEXT);
}

static tarn_status push_bytes(struct machine *machine, uint32_t width) {
    return read_text(machine, width, TN_VALUE_BYTES);
}

// ---- containers

// Moves the stack's last `count` values into a container.
static tarn_status move_values(struct machine *machine, tn_value container, size_t count) {
    const tn_value *items = machine->stack + machine->depth - count;
    if (tn_value_kind(machine->values, container) == TN_VALUE_DICT && count % 2 != 0)
        return fail_opcode(machine, "a key without a value");
    TN_TRY(tn_values_extend(machine->values, container, items, count));
    machine->depth -= count;
    return TARN_OK;
}

// Moves the stack's last `count` values into the container directly below them.
static tarn_status fill_container(struct machine *machine, size_t count, uint32_t kind) {
    TN_TRY(need_values(machine, count + 1));
    tn_value container = machine->stack[machine->depth - count - 1];
    if (tn_value_kind(machine->values, container) != (enum tn_value_kind)kind)
        return fail_opcode(machine, "items are added to a value that cannot hold them");
    return move_values(machine, container, count);
}

// APPEND adds one value to a list. SETITEM adds a key and its value to a dict.
static tarn_status fill_once(struct machine *machine, uint32_t kind) {
    return fill_container(machine, kind == TN_VALUE_DICT ? 2 : 1, kind);
}

static tarn_status fill_from_mark(struct machine *machine, uint32_t kind) {
    size_t count = 0;
    tarn_status status = remove_mark(machine, &count);
    return status != TARN_OK ? status : fill_container(machine, count, kind);
}

// Replaces the stack's last `count` values by a container of them.
static tarn_status collect_values(struct machine *machine, size_t count, uint32_t kind) {
    tn_value container;
    TN_TRY(tn_values_add(machine->values, (struct tn_node){.kind = kind}, &container));
    TN_TRY(move_values(machine, container, count));
    return push_value(machine, container);
}

static tarn_status collect_tuple(struct machine *machine, uint32_t count) {
    tarn_status status = need_values(machine, count);
    return status != TARN_OK ? status : collect_values(machine, count, TN_VALUE_TUPLE);
}

static tarn_status collect_from_mark(struct machine *machine, uint32_t kind) {
    size_t count = 0;
    tarn_status status = remove_mark(machine, &count);
    return status != TARN_OK ? status : collect_values(machine, count, kind);
}

// ---- the memo

static tarn_status store_memo(struct machine *machine, uint64_t index) {
    TN_TRY(need_values(machine, 1));
    // Writers number their entries in order, so an index never exceeds the opcodes before it.
    if (index > machine->opcode_count)
        return fail_opcode(machine, "a memo entry far beyond the entries so far");
    TN_TRY(reserve_entries(machine, &machine->memo, &machine->memo_room, (size_t)index + 1));
    while (machine->memo_size <= index) machine->memo[machine->memo_size++] = no_value;
    if (machine->memo[index] == no_value) machine->memo_count++;
    machine->memo[index] = machine->stack[machine->depth - 1];
    return TARN_OK;
}

static tarn_status store_next(struct machine *machine, uint32_t argument) {
    (void)argument;
    return store_memo(machine, machine->memo_count);
}

static tarn_status store_at(struct machine *machine, uint32_t width) {
    uint64_t index = 0;
    tarn_status status = read_number(machine, width, &index);
    return status != TARN_OK ? status : store_memo(machine, index);
}

static tarn_status push_memo(struct machine *machine, uint32_t width) {
    uint64_t index = 0;
    TN_TRY(read_number(machine, width, &index));
    if (index >= machine->memo_size || machine->memo[index] == no_value)
        return fail_opcode(machine, "a memo entry that was never stored");
    return push_value(machine, machine->memo[index]);
}

// All opcodes of protocols 0 to 5. Those without a function are refused by name: they refer to code
// or run it, or are textual forms that writers of protocol 2 and later do not produce.
static const struct opcode opcodes[256] = {
    ['('] = {"MARK", set_mark, 0},
    ['.'] = {"STOP", stop_machine, 0},
    ['0'] = {"POP", pop_value, 0},
    ['1'] = {"POP_MARK", pop_mark, 0},
    ['2'] = {"DUP", duplicate_value, 0},
    ['F'] = {"FLOAT", NULL, 0},
    ['I'] = {"INT", NULL, 0},
    ['J'] = {"BININT", push_integer, 4},
    ['K'] = {"BININT1", push_integer, 1},
    ['L'] = {"LONG", NULL, 0},
    ['M'] = {"BININT2", push_integer, 2},
    ['N'] = {"NONE", push_empty, TN_VALUE_NONE},
    ['P'] = {"PERSID", NULL, 0},
    ['Q'] = {"BINPERSID", NULL, 0},
    ['R'] = {"REDUCE", NULL, 0},
    ['S'] = {"STRING", NULL, 0},
    ['T'] = {"BINSTRING", NULL, 0},
    ['U'] = {"SHORT_BINSTRING", NULL, 0},
    ['V'] = {"UNICODE", NULL, 0},
    ['X'] = {"BINUNICODE", push_text, 4},
    ['a'] = {"APPEND", fill_once, TN_VALUE_LIST},
    ['b'] = {"BUILD", NULL, 0},
    ['c'] = {"GLOBAL", NULL, 0},
    ['d'] = {"DICT", collect_from_mark, TN_VALUE_DICT},
    ['}'] = {"EMPTY_DICT", push_empty, TN_VALUE_DICT},
    ['e'] = {"APPENDS", fill_from_mark, TN_VALUE_LIST},
    ['g'] = {"GET", NULL, 0},
    ['h'] = {"BINGET", push_memo, 1},
    ['i'] = {"INST", NULL, 0},
    ['j'] = {"LONG_BINGET", push_memo, 4},
    ['l'] = {"LIST", collect_from_mark, TN_VALUE_LIST},
    [']'] = {"EMPTY_LIST", push_empty, TN_VALUE_LIST},
    ['o'] = {"OBJ", NULL, 0},
    ['p'] = {"PUT", NULL, 0},
    ['q'] = {"BINPUT", store_at, 1},
    ['r'] = {"LONG_BINPUT", store_at, 4},
    ['s'] = {"SETITEM", fill_once, TN_VALUE_DICT},
    ['t'] = {"TUPLE", collect_from_mark, TN_VALUE_TUPLE},
    [')'] = {"EMPTY_TUPLE", push_empty, TN_VALUE_TUPLE},
    ['u'] = {"SETITEMS", fill_from_mark, TN_VALUE_DICT},
    ['G'] = {"BINFLOAT", push_float, 8},
    [0x80] = {"PROTO", read_protocol, 1},
    [0x81] = {"NEWOBJ", NULL, 0},
    [0x82] = {"EXT1", NULL, 0},
    [0x83] = {"EXT2", NULL, 0},
    [0x84] = {"EXT4", NULL, 0},
    [0x85] = {"TUPLE1", collect_tuple, 1},
    [0x86] = {"TUPLE2", collect_tuple, 2},
    [0x87] = {"TUPLE3", collect_tuple, 3},
    [0x88] = {"NEWTRUE", push_bool, 1},
    [0x89] = {"NEWFALSE", push_bool, 0},
    [0x8a] = {"LONG1", push_long, 1},
    [0x8b] = {"LONG4", push_long, 4},
    ['B'] = {"BINBYTES", push_bytes, 4},
    ['C'] = {"SHORT_BINBYTES", push_bytes, 1},
    [0x8c] = {"SHORT_BINUNICODE", push_text, 1},
    [0x8d] = {"BINUNICODE8", push_text, 8},
    [0x8e] = {"BINBYTES8", push_bytes, 8},
    [0x8f] = {"EMPTY_SET", NULL, 0},
    [0x90] = {"ADDITEMS", NULL, 0},
    [0x91] = {"FROZENSET", NULL, 0},
    [0x92] = {"NEWOBJ_EX", NULL, 0},
    [0x93] = {"STACK_GLOBAL", NULL, 0},
    [0x94] = {"MEMOIZE", store_next, 0},
    [0x95] = {"FRAME", skip_frame, 8},
    [0x96] = {"BYTEARRAY8", NULL, 0},
    [0x97] = {"NEXT_BUFFER", NULL, 0},
    [0x98] = {"READONLY_BUFFER", NULL, 0},
};

static tarn_status refuse_opcode(const struct machine *machine, uint8_t code) {
    const char *name = opcodes[code].name;
    TN_REFUSE(name == NULL, TARN_CORRUPT, "%s: byte %" PRIu64 ": 0x%02x is no pickle opcode",
              tn_source_name(machine->source), machine->opcode_at, code);
    return tn_fail(TARN_UNSUPPORTED,
                   "%s: byte %" PRIu64 ": pickle opcode %s is refused: only plain data is read",
                   tn_source_name(machine->source), machine->opcode_at, name);
}

static tarn_status run_machine(struct machine *machine) {
    while (!machine->stopped) {
        uint8_t code;
        machine->opcode_at = tn_source_offset(machine->source);
        TN_TRY(tn_source_read(machine->source, &code, 1));
        const struct opcode *opcode = &opcodes[code];
        TN_TRY(opcode->run != NULL ? opcode->run(machine, opcode->argument)
                                   : refuse_opcode(machine, code));
        machine->opcode_count++;
    }
    return TARN_OK;
}

// The pickle must be the last content; writers may fill up with zeros behind it. Reading to the end
// also makes gzip verify its checksum.
static tarn_status expect_end(struct machine *machine) {
    for (;;) {
        const uint8_t *bytes = NULL;
        size_t size = 0, zeros = 0;
        TN_TRY(tn_source_peek(machine->source, &bytes, &size));
        while (zeros < size && bytes[zeros] == 0) zeros++;
        tn_source_take(machine->source, zeros);
        if (size == 0) return TARN_OK;
        machine->opcode_at = tn_source_offset(machine->source);
        if (zeros < size) return fail_opcode(machine, "data after the end of the pickle");
    }
}

tarn_status tn_pickle_read(struct tn_source *source, struct tn_values *values, tn_value *root) {
    struct machine machine = {.source = source, .values = values};
    tarn_status status = reserve_entries(&machine, &machine.stack, &machine.stack_room, 1);
    if (status == TARN_OK) status = run_machine(&machine);
    if (status == TARN_OK) status = expect_end(&machine);
    if (status == TARN_OK) *root = machine.stack[0];
    free(machine.stack);
    free(machine.marks);
    free(machine.memo);
    return status;
}
