// SPDX-License-Identifier: Apache-2.0
// Reads call frame information (DWARF 5, section 6.4, in the form of .eh_frame) for x86-64. The
// tables of the program are trusted to be well formed, because its exceptions rely on them as well.
#include "stack/unwind.h"

#include <string.h>

#if defined(__x86_64__) && defined(__linux__)

enum { FRAME = 6, STACK = 7, RETURN = 16, REMEMBERED = 8 };

// The state of the interpreter: the row of the instruction at `location`.
struct rows {
    struct tn_cfi_row row;
    struct tn_cfi_row first; // after the common instructions, for the restore instructions
    struct tn_cfi_row remembered[REMEMBERED];
    unsigned depth;
    uint64_t code_unit;
    int64_t data_unit;
    uint64_t location;
    bool bad; // the row needs more than struct tn_cfi_row can describe
};

struct reader {
    const uint8_t *at;
    const uint8_t *end;
};

static uint64_t read_plain(struct reader *reader, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, reader->at, bytes);
    reader->at += bytes;
    return value;
}

static uint64_t read_unsigned(struct reader *reader) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = *reader->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
    } while ((byte & 0x80) != 0);
    return value;
}

static int64_t read_signed(struct reader *reader) {
    const uint8_t *start = reader->at;
    uint64_t value = read_unsigned(reader);
    unsigned bits = 7 * (unsigned)(reader->at - start);
    if (bits < 64 && (reader->at[-1] & 0x40) != 0) value |= ~UINT64_C(0) << bits;
    return (int64_t)value;
}

// ---- instructions

// Instructions that have an operand in their low six bits.
enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0 };
// Instructions that concern no register.
enum { NOP = 0x00, ADVANCE_1 = 0x02, ADVANCE_2 = 0x03, ADVANCE_4 = 0x04, ARGS_SIZE = 0x2e };
enum { REMEMBER_STATE = 0x0a, RESTORE_STATE = 0x0b };
enum { DEF_CFA_OFFSET = 0x0e, DEF_CFA_OFFSET_SF = 0x13 };
// Instructions that tell where a register is saved.
enum { OFFSET_EXTENDED = 0x05, RESTORE_EXTENDED = 0x06, UNDEFINED = 0x07, SAME_VALUE = 0x08 };
enum { REGISTER = 0x09, EXPRESSION = 0x10, OFFSET_EXTENDED_SF = 0x11 };
enum { VAL_OFFSET = 0x14, VAL_OFFSET_SF = 0x15, VAL_EXPRESSION = 0x16 };
// Instructions that choose the register from which the end of the frame counts.
enum { DEF_CFA = 0x0c, DEF_CFA_REGISTER = 0x0d, DEF_CFA_SF = 0x12 };

static void set_saved(struct rows *rows, uint64_t reg, int64_t where) {
    if (reg == FRAME)
        rows->row.saved_frame = where;
    else if (reg == RETURN)
        rows->row.saved_return = where;
}

static void restore_register(struct rows *rows, uint64_t reg) {
    set_saved(rows, reg, reg == FRAME ? rows->first.saved_frame : rows->first.saved_return);
}

static void set_base(struct rows *rows, uint64_t reg) {
    rows->row.by_frame = reg == FRAME;
    rows->bad = rows->bad || (reg != FRAME && reg != STACK);
}

// A register is saved in a way that a row cannot describe. Only the registers of a row matter.
static void reject_register(struct rows *rows, uint64_t reg) {
    rows->bad = rows->bad || reg == FRAME || reg == RETURN;
}

// Executes an instruction about one register. Its first operand is the register's number.
static void run_register(struct rows *rows, struct reader *reader, uint8_t code) {
    uint64_t reg = read_unsigned(reader);
    switch (code) {
    case OFFSET_EXTENDED:
        set_saved(rows, reg, (int64_t)read_unsigned(reader) * rows->data_unit);
        break;
    case OFFSET_EXTENDED_SF: set_saved(rows, reg, read_signed(reader) * rows->data_unit); break;
    case RESTORE_EXTENDED: restore_register(rows, reg); break;
    case UNDEFINED: rows->row.outermost = rows->row.outermost || reg == RETURN; break;
    case SAME_VALUE:
        rows->row.saved_frame = reg == FRAME ? TN_CFI_SAME : rows->row.saved_frame;
        break;
    case EXPRESSION:
    case VAL_EXPRESSION:
        reader->at += read_unsigned(reader);
        reject_register(rows, reg);
        break;
    case DEF_CFA:
        set_base(rows, reg);
        rows->row.end = (int64_t)read_unsigned(reader);
        break;
    case DEF_CFA_SF:
        set_base(rows, reg);
        rows->row.end = read_signed(reader) * rows->data_unit;
        break;
    case DEF_CFA_REGISTER: set_base(rows, reg); break;
    default: // REGISTER, VAL_OFFSET, VAL_OFFSET_SF
        (void)read_unsigned(reader);
        reject_register(rows, reg);
        break;
    }
}

// Executes an instruction without an operand in its code.
static void run_extended(struct rows *rows, struct reader *reader, uint8_t code) {
    switch (code) {
    case NOP: break;
    case ADVANCE_1:
    case ADVANCE_2:
    case ADVANCE_4:
        rows->location += read_plain(reader, 1u << (code - ADVANCE_1)) * rows->code_unit;
        break;
    case REMEMBER_STATE:
        rows->bad = rows->bad || rows->depth == REMEMBERED;
        if (!rows->bad) rows->remembered[rows->depth++] = rows->row;
        break;
    case RESTORE_STATE:
        rows->bad = rows->bad || rows->depth == 0;
        if (!rows->bad) rows->row = rows->remembered[--rows->depth];
        break;
    case ARGS_SIZE: (void)read_unsigned(reader); break;
    case DEF_CFA_OFFSET: rows->row.end = (int64_t)read_unsigned(reader); break;
    case DEF_CFA_OFFSET_SF: rows->row.end = read_signed(reader) * rows->data_unit; break;
    default:
        if ((code >= OFFSET_EXTENDED && code <= DEF_CFA_REGISTER) ||
            (code >= EXPRESSION && code <= VAL_EXPRESSION))
            run_register(rows, reader, code);
        else
            rows->bad = true; // the end of the frame is computed, or the instruction is unknown
        break;
    }
}

// Executes instructions up to the row of `location`, an offset from the start of the function.
static void run_program(struct rows *rows, struct reader reader, uint64_t location) {
    while (reader.at < reader.end && rows->location <= location && !rows->bad) {
        uint8_t code = *reader.at++;
        uint8_t operand = code & 0x3f;
        switch (code & 0xc0) {
        case ADVANCE: rows->location += operand * rows->code_unit; break;
        case OFFSET:
            set_saved(rows, operand, (int64_t)read_unsigned(&reader) * rows->data_unit);
            break;
        case RESTORE: restore_register(rows, operand); break;
        default: run_extended(rows, &reader, code); break;
        }
    }
}

// ---- the two records

// Returns the size of an encoded pointer; 0 if it has no fixed size.
static unsigned pointer_bytes(uint8_t encoding) {
    static const uint8_t sizes[16] = {8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8, 0, 0, 0};
    return encoding == 0xff ? 0 : sizes[encoding & 0x0f];
}

struct common {
    struct reader code;
    uint8_t encoding; // of addresses in the record of a function
    bool sized;       // function records have augmentation data to skip
};

// Reads the augmentation data that the letters describe. Returns false for a signal frame and for
// unknown letters.
static bool read_augmentation(const char *letters, struct reader *reader, struct common *common) {
    for (; *letters != '\0'; letters++) {
        uint8_t encoding;
        switch (*letters) {
        case 'L': reader->at++; break;
        case 'R': common->encoding = *reader->at++; break;
        case 'P':
            encoding = *reader->at++;
            reader->at += pointer_bytes(encoding);
            if (pointer_bytes(encoding) == 0) return false;
            break;
        default: return false;
        }
    }
    return true;
}

static bool begin_record(struct reader *reader, const uint8_t *record) {
    reader->at = record;
    uint64_t length = read_plain(reader, 4);
    reader->end = reader->at + length;
    return length != 0 && length != 0xffffffff;
}

static bool read_common(const uint8_t *record, struct rows *rows, struct common *common) {
    struct reader reader;
    if (!begin_record(&reader, record) || read_plain(&reader, 4) != 0) return false;
    uint64_t version = read_plain(&reader, 1);
    const char *letters = (const char *)reader.at;
    reader.at += strlen(letters) + 1;
    rows->code_unit = read_unsigned(&reader);
    rows->data_unit = read_signed(&reader);
    uint64_t reg = version == 1 ? read_plain(&reader, 1) : read_unsigned(&reader);
    common->sized = *letters == 'z';
    common->encoding = 0;
    if (reg != RETURN || (version != 1 && version != 3) || (*letters != '\0' && !common->sized))
        return false;
    const uint8_t *code = reader.at;
    if (common->sized) {
        uint64_t bytes = read_unsigned(&reader);
        code = reader.at + bytes;
        if (!read_augmentation(letters + 1, &reader, common)) return false;
    }
    common->code = (struct reader){code, reader.end};
    return pointer_bytes(common->encoding) != 0;
}

// A function of the compiler's runtime library: finds the record of the function at an address.
struct bases {
    void *text;
    void *data;
    void *function;
};
extern const void *_Unwind_Find_FDE(void *address, struct bases *bases);

bool tn_cfi_find(uintptr_t address, struct tn_cfi_row *row) {
    struct bases bases;
    struct reader reader;
    struct common common;
    struct rows rows = {.row = {.saved_frame = TN_CFI_SAME}};
    const uint8_t *record = (const uint8_t *)_Unwind_Find_FDE((void *)(address - 1), &bases);
    if (record == NULL || !begin_record(&reader, record)) return false;
    const uint8_t *link = reader.at;
    int32_t back = (int32_t)read_plain(&reader, 4);
    if (!read_common(link - back, &rows, &common)) return false;
    reader.at += 2 * pointer_bytes(common.encoding);
    if (common.sized) {
        uint64_t bytes = read_unsigned(&reader);
        reader.at += bytes;
    }
    run_program(&rows, common.code, UINT64_MAX);
    rows.first = rows.row;
    run_program(&rows, reader, address - 1 - (uintptr_t)bases.function);
    *row = rows.row;
    return !rows.bad;
}

#else

bool tn_cfi_find(uintptr_t address, struct tn_cfi_row *row) {
    (void)address;
    memset(row, 0, sizeof *row);
    return false;
}

#endif
