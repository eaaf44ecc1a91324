// SPDX-License-Identifier: Apache-2.0
// Reading call frame information (DWARF 5, section 6.4, in the form of .eh_frame) for x86-64. The
// program's own tables are trusted to be well formed, as its exceptions do.
#include "check/cfi.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)

enum { FRAME = 6, STACK = 7, RETURN = 16, REMEMBERED = 8 };

// What one instruction's row is while it is being made.
struct rows {
    struct tn_check_cfi_row row;
    struct tn_check_cfi_row first; // behind the common instructions, for those that restore
    struct tn_check_cfi_row remembered[REMEMBERED];
    unsigned depth;
    uint64_t code_unit;
    int64_t data_unit;
    uint64_t location;
    bool bad; // says what a row cannot
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
    if (bits < 64 && (reader->at[-1] & 0x40) != 0) {
        value |= ~UINT64_C(0) << bits;
    }
    return (int64_t)value;
}

// ---- one instruction

static void set_saved(struct rows *rows, uint64_t reg, int64_t where) {
    if (reg == FRAME) {
        rows->row.saved_frame = where;
    } else if (reg == RETURN) {
        rows->row.saved_return = where;
    }
}

static void restore_register(struct rows *rows, uint64_t reg) {
    set_saved(rows, reg, reg == FRAME ? rows->first.saved_frame : rows->first.saved_return);
}

static void set_base(struct rows *rows, uint64_t reg) {
    rows->row.by_frame = reg == FRAME;
    rows->bad = rows->bad || (reg != FRAME && reg != STACK);
}

static void forget_register(struct rows *rows, uint64_t reg, bool undefined) {
    if (reg == RETURN && undefined) {
        rows->row.outermost = true;
    } else if (reg == FRAME && !undefined) {
        rows->row.saved_frame = TN_CHECK_CFI_SAME;
    }
}

static void save_or_restore_row(struct rows *rows, bool back) {
    if (back && rows->depth > 0) {
        rows->row = rows->remembered[--rows->depth];
    } else if (!back && rows->depth < REMEMBERED) {
        rows->remembered[rows->depth++] = rows->row;
    } else {
        rows->bad = true;
    }
}

// Those whose number says all. False: it is none of them.
static bool run_short(struct rows *rows, struct reader *reader, uint8_t code) {
    switch (code & 0xc0) {
    case 0x40: // advance
        rows->location += (code & 0x3fu) * rows->code_unit;
        return true;
    case 0x80: // saved at
        set_saved(rows, code & 0x3f, (int64_t)read_unsigned(reader) * rows->data_unit);
        return true;
    case 0xc0: // as at first
        restore_register(rows, code & 0x3f);
        return true;
    default:
        return false;
    }
}

// A register that is computed: only those that a row has matter.
static void skip_expression(struct rows *rows, struct reader *reader, uint64_t reg) {
    reader->at += read_unsigned(reader);
    rows->bad = rows->bad || reg == FRAME || reg == RETURN;
}

static void run_saved(struct rows *rows, struct reader *reader, uint8_t code) {
    uint64_t reg = read_unsigned(reader);
    switch (code) {
    case 0x05: // offset_extended
        set_saved(rows, reg, (int64_t)read_unsigned(reader) * rows->data_unit);
        break;
    case 0x11: // offset_extended_sf
        set_saved(rows, reg, read_signed(reader) * rows->data_unit);
        break;
    case 0x06: // restore_extended
        restore_register(rows, reg);
        break;
    case 0x07: // undefined
    case 0x08: // same_value
        forget_register(rows, reg, code == 0x07);
        break;
    case 0x10: // expression
    case 0x16: // val_expression
        skip_expression(rows, reader, reg);
        break;
    default: // 0x09 register, 0x14 and 0x15 val_offset
        (void)read_unsigned(reader);
        rows->bad = rows->bad || reg == FRAME || reg == RETURN;
        break;
    }
}

static void run_end(struct rows *rows, struct reader *reader, uint8_t code) {
    switch (code) {
    case 0x0c: // def_cfa
        set_base(rows, read_unsigned(reader));
        rows->row.end = (int64_t)read_unsigned(reader);
        break;
    case 0x12: // def_cfa_sf
        set_base(rows, read_unsigned(reader));
        rows->row.end = read_signed(reader) * rows->data_unit;
        break;
    case 0x0d: // def_cfa_register
        set_base(rows, read_unsigned(reader));
        break;
    case 0x0e: // def_cfa_offset
        rows->row.end = (int64_t)read_unsigned(reader);
        break;
    default: // 0x13 def_cfa_offset_sf
        rows->row.end = read_signed(reader) * rows->data_unit;
        break;
    }
}

static void run_long(struct rows *rows, struct reader *reader, uint8_t code) {
    switch (code) {
    case 0x00: // nop
        break;
    case 0x02: // advance_loc1, 2, 4
    case 0x03:
    case 0x04:
        rows->location += read_plain(reader, 1u << (code - 2)) * rows->code_unit;
        break;
    case 0x0a: // remember_state
    case 0x0b: // restore_state
        save_or_restore_row(rows, code == 0x0b);
        break;
    case 0x2e: // the size of arguments: nothing here
        (void)read_unsigned(reader);
        break;
    case 0x05: // about a register
    case 0x06:
    case 0x07:
    case 0x08:
    case 0x09:
    case 0x10:
    case 0x11:
    case 0x14:
    case 0x15:
    case 0x16:
        run_saved(rows, reader, code);
        break;
    case 0x0c: // about the end of the frame
    case 0x0d:
    case 0x0e:
    case 0x12:
    case 0x13:
        run_end(rows, reader, code);
        break;
    default: // an end that is computed, or what is not known
        rows->bad = true;
        break;
    }
}

// Up to the row of `location`, counted from the start of the function.
static void run_program(struct rows *rows, struct reader reader, uint64_t location) {
    while (reader.at < reader.end && rows->location <= location && !rows->bad) {
        uint8_t code = *reader.at++;
        if (!run_short(rows, &reader, code)) {
            run_long(rows, &reader, code);
        }
    }
}

// ---- the two records

// Bytes of an encoded pointer; 0: not one of a fixed size.
static unsigned pointer_bytes(uint8_t encoding) {
    static const uint8_t sizes[16] = {8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8, 0, 0, 0};
    return encoding == 0xff ? 0 : sizes[encoding & 0x0f];
}

struct common {
    struct reader code;
    uint8_t encoding; // of addresses in the record of a function
    bool sized;       // that record has data of its own to skip
};

// The letters that say what is in the augmentation. False: a frame of a signal, or unknown.
static bool read_augmentation(const char *letters, struct reader *reader, struct common *common) {
    for (; *letters != '\0'; letters++) {
        uint8_t encoding;
        switch (*letters) {
        case 'L':
            reader->at++;
            break;
        case 'R':
            common->encoding = *reader->at++;
            break;
        case 'P':
            encoding = *reader->at++;
            reader->at += pointer_bytes(encoding);
            if (pointer_bytes(encoding) == 0) {
                return false;
            }
            break;
        default:
            return false;
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
    if (!begin_record(&reader, record) || read_plain(&reader, 4) != 0) {
        return false;
    }
    uint64_t version = read_plain(&reader, 1);
    const char *letters = (const char *)reader.at;
    reader.at += strlen(letters) + 1;
    rows->code_unit = read_unsigned(&reader);
    rows->data_unit = read_signed(&reader);
    uint64_t reg = version == 1 ? read_plain(&reader, 1) : read_unsigned(&reader);
    common->sized = *letters == 'z';
    common->encoding = 0;
    if (reg != RETURN || (version != 1 && version != 3) || (*letters != '\0' && !common->sized)) {
        return false;
    }
    const uint8_t *code = reader.at;
    if (common->sized) {
        uint64_t bytes = read_unsigned(&reader);
        code = reader.at + bytes;
        if (!read_augmentation(letters + 1, &reader, common)) {
            return false;
        }
    }
    common->code = (struct reader){code, reader.end};
    return pointer_bytes(common->encoding) != 0;
}

// In the compiler's library: the record of the function that an address lies in.
struct bases {
    void *text;
    void *data;
    void *function;
};
extern const void *_Unwind_Find_FDE(void *address, struct bases *bases);

bool tn_check_cfi_find(uintptr_t address, struct tn_check_cfi_row *row) {
    struct bases bases;
    struct reader reader;
    struct common common;
    struct rows rows = {.row = {.saved_frame = TN_CHECK_CFI_SAME}};
    const uint8_t *record = (const uint8_t *)_Unwind_Find_FDE((void *)(address - 1), &bases);
    if (record == NULL || !begin_record(&reader, record)) {
        return false;
    }
    const uint8_t *link = reader.at;
    int32_t back = (int32_t)read_plain(&reader, 4);
    if (!read_common(link - back, &rows, &common)) {
        return false;
    }
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

bool tn_check_cfi_find(uintptr_t address, struct tn_check_cfi_row *row) {
    (void)address;
    memset(row, 0, sizeof *row);
    return false;
}

#endif
