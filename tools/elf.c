// SPDX-License-Identifier: Apache-2.0
// See elf.h. Every offset of the file is checked before it is followed.
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf.h"

typedef ElfW(Ehdr) elf_head;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Dyn) elf_entry;
typedef ElfW(Sym) elf_symbol;

#define CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

// `count` items of `size` bytes at an offset; NULL when the file is too short or they lie askew.
static const void *part(const struct tn_elf *elf, uint64_t offset, uint64_t count, size_t size) {
    if (offset > elf->size || count > (elf->size - offset) / size || offset % sizeof(void *) != 0)
        return NULL;
    return elf->bytes + offset;
}

static const elf_head *head_of(const struct tn_elf *elf) {
    return (const elf_head *)(const void *)elf->bytes;
}

static bool is_ours(const struct tn_elf *elf) {
    return elf->size >= sizeof(elf_head) && memcmp(elf->bytes, ELFMAG, SELFMAG) == 0 &&
           elf->bytes[EI_CLASS] == CLASS && elf->bytes[EI_DATA] == ORDER &&
           head_of(elf)->e_phentsize == sizeof(elf_segment) &&
           head_of(elf)->e_shentsize == sizeof(elf_section);
}

bool tn_elf_open(struct tn_elf *elf, const char *path) {
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    (void)close(file);
    if (bytes == MAP_FAILED)
        return false;
    *elf = (struct tn_elf){(const unsigned char *)bytes, (size_t)status.st_size};
    if (is_ours(elf))
        return true;
    tn_elf_close(elf);
    return false;
}

void tn_elf_close(struct tn_elf *elf) {
    (void)munmap((void *)(uintptr_t)elf->bytes, elf->size);
    *elf = (struct tn_elf){NULL, 0};
}

bool tn_elf_is_static(const struct tn_elf *elf) {
    const elf_head *head = head_of(elf);
    const elf_segment *segments =
        (const elf_segment *)part(elf, head->e_phoff, head->e_phnum, sizeof *segments);
    for (unsigned i = 0; segments != NULL && i < head->e_phnum; i++)
        if (segments[i].p_type == PT_INTERP)
            return false;
    return true;
}

// The first section of a type, with its items; NULL when there is none.
static const void *items(const struct tn_elf *elf, uint32_t type, size_t size,
                         const elf_section **found) {
    const elf_head *head = head_of(elf);
    const elf_section *sections =
        (const elf_section *)part(elf, head->e_shoff, head->e_shnum, sizeof *sections);
    for (unsigned i = 0; sections != NULL && i < head->e_shnum; i++) {
        if (sections[i].sh_type != type)
            continue;
        *found = &sections[i];
        return part(elf, sections[i].sh_offset, sections[i].sh_size / size, size);
    }
    return NULL;
}

// The text at an offset of the table that a section points to; NULL unless it ends within.
static const char *text_at(const struct tn_elf *elf, const elf_section *from, uint64_t offset) {
    const elf_head *head = head_of(elf);
    if (from->sh_link >= head->e_shnum)
        return NULL;
    const elf_section *table =
        (const elf_section *)(const void *)(elf->bytes + head->e_shoff) + from->sh_link;
    if (table->sh_offset > elf->size || table->sh_size > elf->size - table->sh_offset ||
        offset >= table->sh_size)
        return NULL;
    const char *text = (const char *)elf->bytes + table->sh_offset + offset;
    return memchr(text, '\0', table->sh_size - offset) != NULL ? text : NULL;
}

const char *tn_elf_text(const struct tn_elf *elf, int64_t tag, unsigned nth) {
    const elf_section *dynamic = NULL;
    const elf_entry *entries =
        (const elf_entry *)items(elf, SHT_DYNAMIC, sizeof *entries, &dynamic);
    for (uint64_t i = 0; entries != NULL && i < dynamic->sh_size / sizeof *entries; i++)
        if (entries[i].d_tag == tag && nth-- == 0)
            return text_at(elf, dynamic, entries[i].d_un.d_val);
    return NULL;
}

// The names of versions are exported too, as absolute objects.
static bool is_export(const elf_symbol *symbol) {
    unsigned bind = ELF64_ST_BIND(symbol->st_info), type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
           (bind == STB_GLOBAL || bind == STB_WEAK) && (type == STT_FUNC || type == STT_OBJECT);
}

uint64_t tn_elf_exports(const struct tn_elf *elf) {
    const elf_section *table = NULL;
    const elf_symbol *symbols = (const elf_symbol *)items(elf, SHT_DYNSYM, sizeof *symbols, &table);
    uint64_t count = 0;
    for (uint64_t i = 0; symbols != NULL && i < table->sh_size / sizeof *symbols; i++)
        count += is_export(&symbols[i]);
    return count;
}
