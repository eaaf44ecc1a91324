// SPDX-License-Identifier: Apache-2.0
// Reads ELF files; see image.h. Every offset in the file is checked before it is used.
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/launch/image.h"

typedef ElfW(Ehdr) elf_head;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Dyn) elf_entry;
typedef ElfW(Sym) elf_symbol;

#define CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#define ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

// Returns `count` items of `size` bytes at an offset, or NULL if the file is too short or the
// offset is not aligned.
static const void *image_part(const struct tn_image *image, uint64_t offset, uint64_t count,
                              size_t size) {
    if (offset > image->size || count > (image->size - offset) / size ||
        offset % sizeof(void *) != 0)
        return NULL;
    return image->bytes + offset;
}

static const elf_head *head_of(const struct tn_image *image) {
    return (const elf_head *)(const void *)image->bytes;
}

static bool is_native(const struct tn_image *image) {
    return image->size >= sizeof(elf_head) && memcmp(image->bytes, ELFMAG, SELFMAG) == 0 &&
           image->bytes[EI_CLASS] == CLASS && image->bytes[EI_DATA] == ORDER &&
           head_of(image)->e_phentsize == sizeof(elf_segment) &&
           head_of(image)->e_shentsize == sizeof(elf_section);
}

bool tn_image_open(struct tn_image *image, const char *path) {
    struct stat status;
    void *bytes = MAP_FAILED;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    (void)close(file);
    if (bytes == MAP_FAILED) return false;
    *image = (struct tn_image){(const unsigned char *)bytes, (size_t)status.st_size};
    if (is_native(image)) return true;
    tn_image_close(image);
    return false;
}

void tn_image_close(struct tn_image *image) {
    (void)munmap((void *)(uintptr_t)image->bytes, image->size);
    *image = (struct tn_image){NULL, 0};
}

// Returns the bytes, or NULL if they are not all in the file.
static const char *bytes_at(const struct tn_image *image, uint64_t offset, uint64_t size) {
    bool inside = offset <= image->size && size <= image->size - offset;
    return inside ? (const char *)image->bytes + offset : NULL;
}

const char *tn_image_interpreter(const struct tn_image *image) {
    const elf_head *head = head_of(image);
    const elf_segment *segments =
        (const elf_segment *)image_part(image, head->e_phoff, head->e_phnum, sizeof *segments);
    for (unsigned i = 0; segments != NULL && i < head->e_phnum; i++) {
        if (segments[i].p_type != PT_INTERP) continue;
        const char *path = bytes_at(image, segments[i].p_offset, segments[i].p_filesz);
        bool ends = path != NULL && memchr(path, '\0', segments[i].p_filesz) != NULL;
        return ends ? path : "";
    }
    return NULL;
}

bool tn_image_is_static(const struct tn_image *image) {
    return tn_image_interpreter(image) == NULL && tn_image_text(image, DT_SONAME, 0) == NULL;
}

static const elf_section *sections_of(const struct tn_image *image) {
    const elf_head *head = head_of(image);
    return (const elf_section *)image_part(image, head->e_shoff, head->e_shnum,
                                           sizeof(elf_section));
}

bool tn_image_contains(const struct tn_image *image, const char *text) {
    const elf_head *head = head_of(image);
    const elf_section *sections = sections_of(image);
    if (sections == NULL || head->e_shstrndx >= head->e_shnum) return false;
    const elf_section *names = &sections[head->e_shstrndx];
    for (unsigned i = 0; i < head->e_shnum; i++) {
        static const char wanted[] = ".rodata";
        const char *name = bytes_at(image, names->sh_offset + sections[i].sh_name, sizeof wanted);
        const char *bytes = bytes_at(image, sections[i].sh_offset, sections[i].sh_size);
        if (name != NULL && memcmp(name, wanted, sizeof wanted) == 0 && bytes != NULL &&
            sections[i].sh_type == SHT_PROGBITS &&
            memmem(bytes, sections[i].sh_size, text, strlen(text)) != NULL)
            return true;
    }
    return false;
}

// Returns the items of the first section of a type, or NULL.
static const void *section_items(const struct tn_image *image, uint32_t type, size_t size,
                                 const elf_section **found) {
    const elf_head *head = head_of(image);
    const elf_section *sections = sections_of(image);
    for (unsigned i = 0; sections != NULL && i < head->e_shnum; i++) {
        if (sections[i].sh_type != type) continue;
        *found = &sections[i];
        return image_part(image, sections[i].sh_offset, sections[i].sh_size / size, size);
    }
    return NULL;
}

// Returns the text at an offset of the table that a section refers to, or NULL if the text does not
// end within the table.
static const char *text_at(const struct tn_image *image, const elf_section *from, uint64_t offset) {
    const elf_head *head = head_of(image);
    if (from->sh_link >= head->e_shnum) return NULL;
    const elf_section *table =
        (const elf_section *)(const void *)(image->bytes + head->e_shoff) + from->sh_link;
    if (table->sh_offset > image->size || table->sh_size > image->size - table->sh_offset ||
        offset >= table->sh_size)
        return NULL;
    const char *text = (const char *)image->bytes + table->sh_offset + offset;
    return memchr(text, '\0', table->sh_size - offset) != NULL ? text : NULL;
}

const char *tn_image_text(const struct tn_image *image, int64_t tag, unsigned nth) {
    const elf_section *dynamic = NULL;
    const elf_entry *entries =
        (const elf_entry *)section_items(image, SHT_DYNAMIC, sizeof *entries, &dynamic);
    for (uint64_t i = 0; entries != NULL && i < dynamic->sh_size / sizeof *entries; i++)
        if (entries[i].d_tag == tag && nth-- == 0)
            return text_at(image, dynamic, entries[i].d_un.d_val);
    return NULL;
}

// The names of versions are exported too, as absolute objects.
static bool is_export(const elf_symbol *symbol) {
    unsigned bind = ELF64_ST_BIND(symbol->st_info), type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
           (bind == STB_GLOBAL || bind == STB_WEAK) && (type == STT_FUNC || type == STT_OBJECT);
}

uint64_t tn_image_exports(const struct tn_image *image) {
    const elf_section *table = NULL;
    const elf_symbol *symbols =
        (const elf_symbol *)section_items(image, SHT_DYNSYM, sizeof *symbols, &table);
    uint64_t count = 0;
    for (uint64_t i = 0; symbols != NULL && i < table->sh_size / sizeof *symbols; i++)
        count += is_export(&symbols[i]);
    return count;
}
