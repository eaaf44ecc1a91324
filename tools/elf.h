// SPDX-License-Identifier: Apache-2.0
// A program or library as the dynamic linker will see it: what it needs, where it looks, what it
// exports. Read from the file, which may be anything at all; nothing is run. One thread.
#ifndef TARN_TOOLS_ELF_H
#define TARN_TOOLS_ELF_H

#include <elf.h> // DT_NEEDED and its like
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_elf {
    const unsigned char *bytes;
    size_t size;
};

// False: it cannot be read, or is no ELF file of this machine's word size and byte order.
bool tn_elf_open(struct tn_elf *elf, const char *path);
void tn_elf_close(struct tn_elf *elf);

// Is there no dynamic linker in it? Then nothing can be put in front of its libraries.
bool tn_elf_is_static(const struct tn_elf *elf);

// Text of the nth entry (from 0) with this tag, as DT_NEEDED or DT_RPATH; NULL when there is none.
const char *tn_elf_text(const struct tn_elf *elf, int64_t tag, unsigned nth);

// Functions and objects that it exports.
uint64_t tn_elf_exports(const struct tn_elf *elf);

#endif
