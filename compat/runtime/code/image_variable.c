// SPDX-License-Identifier: Apache-2.0
// See image_variable.h. A program may name a variable by its address before it passes the variable itself to
// a function of the face, which would make it known. The symbol table has it: the compilers give variables
// of devices an ABI tag. The file is only read, and each place in it is checked.
#include "compat/runtime/code/image_variable.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *bytes;
    size_t size;
};

// Returns NULL if the file ends before.
static const void *at(const struct file *file, uint64_t offset, uint64_t bytes) {
    return offset <= file->size && bytes <= file->size - offset ? file->bytes + offset : NULL;
}

// Returns true if the name has the tag of a file: "B17u" and 16 hexadecimal digits.
static bool is_of_devices(const char *name) {
    enum { DIGITS = 16 };
    for (; (name = strstr(name, "B17u")) != NULL; name++)
        if (strspn(name + strlen("B17u"), "0123456789abcdef") >= DIGITS) return true;
    return false;
}

// Returns NULL behind the last section, and if the file is damaged.
static const ElfW(Shdr) * section_at(const struct file *file, size_t index) {
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)at(file, 0, sizeof *head);
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)) || head->e_shoff > file->size ||
        index >= head->e_shnum)
        return NULL;
    return (const ElfW(Shdr) *)at(file, head->e_shoff + index * sizeof(ElfW(Shdr)),
                                  sizeof(ElfW(Shdr)));
}

// Searches a table of symbols for the address, which counts from the beginning of the object.
static size_t search_table(const struct file *file, const ElfW(Shdr) * table, uint64_t address) {
    const ElfW(Shdr) *names = section_at(file, table->sh_link);
    const char *text =
        names == NULL ? NULL : (const char *)at(file, names->sh_offset, names->sh_size);
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)at(file, table->sh_offset, table->sh_size);
    if (text == NULL || symbols == NULL || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
        return 0;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
        if (symbols[i].st_value == address && ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT &&
            symbols[i].st_name < names->sh_size && is_of_devices(text + symbols[i].st_name))
            return symbols[i].st_size;
    return 0;
}

static size_t search_file(const struct file *file, uint64_t address) {
    const ElfW(Shdr) * section;
    size_t size = 0;
    for (size_t i = 0; size == 0 && (section = section_at(file, i)) != NULL; i++)
        if (section->sh_type == SHT_SYMTAB) size = search_table(file, section, address);
    return size;
}

// The program itself has no name in the list of what is loaded.
static const char *path_of(const struct link_map *image) {
    return image->l_name[0] != '\0' ? image->l_name : "/proc/self/exe";
}

size_t tn_rt_image_variable_size(const void *address) {
    Dl_info info;
    struct link_map *image = NULL;
    struct stat status;
    size_t size = 0;
    if (dladdr1(address, &info, (void **)&image, RTLD_DL_LINKMAP) == 0 || image == NULL) return 0;
    int fd = open(path_of(image), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        struct file file = {.size = (size_t)status.st_size};
        void *bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            file.bytes = (const char *)bytes;
            size = search_file(&file, (uintptr_t)address - image->l_addr);
            (void)munmap(bytes, file.size);
        }
    }
    (void)close(fd);
    return size;
}
