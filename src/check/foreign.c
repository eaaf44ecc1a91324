// SPDX-License-Identifier: Apache-2.0
// See foreign.h. A map has one bit for each page of 4 KiB that was memory of Tarn or registered, so
// that any other free() costs one load. A bit is cleared when the page turns out to be the program's
// again.
#include "check/foreign.h"

#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <tarn/base.h>

#include "base/atomic.h"
#include "check/model.h"
#include "check/report/report.h"
#include "check/resource.h"

enum {
    PAGE_BITS = 12,
    LEAF_BITS = 30, // the address bits of one leaf
    ADDRESS_BITS = 48,
    LEAF_WORDS = 1 << (LEAF_BITS - PAGE_BITS - 6),
    HEADER = 16 // bytes before a block of malloc() that free() reads
};

// ---- the pages

static _Atomic uint64_t *_Atomic leaves[1 << (ADDRESS_BITS - LEAF_BITS)];

// Returns the word of the page's bit, or NULL if no page around it was ever marked.
static _Atomic uint64_t *word_at(uint64_t address) {
    if (address >> ADDRESS_BITS != 0) return NULL;
    _Atomic uint64_t *leaf = tn_load_acquire(&leaves[address >> LEAF_BITS]);
    return leaf == NULL ? NULL : &leaf[(address >> (PAGE_BITS + 6)) % LEAF_WORDS];
}

static uint64_t bit_of(uint64_t address) { return UINT64_C(1) << ((address >> PAGE_BITS) % 64); }

static inline bool is_marked(const void *pointer) {
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    const _Atomic uint64_t *word = word_at(address);
    return __builtin_expect(word != NULL, 0) && (tn_load_relaxed(word) & bit_of(address)) != 0;
}

// Without memory for a leaf its pages are not observed.
static void make_leaf(uint64_t address) {
    _Atomic uint64_t *none = NULL;
    if (word_at(address) != NULL) return;
    _Atomic uint64_t *leaf = calloc(LEAF_WORDS, sizeof *leaf);
    if (leaf != NULL && !tn_cas_acq_rel(&leaves[address >> LEAF_BITS], &none, leaf)) free(leaf);
}

// Returns true if a page was not marked before.
static bool mark_pages(uint64_t lo, uint64_t hi) {
    const uint64_t page = UINT64_C(1) << PAGE_BITS, run = 64 * page;
    bool any = false;
    if (hi >> ADDRESS_BITS != 0) return false;
    for (uint64_t at = lo & ~(page - 1); at < hi;) {
        make_leaf(at);
        _Atomic uint64_t *word = word_at(at);
        bool complete = at % run == 0 && hi - at >= run;
        uint64_t bits = complete ? UINT64_MAX : bit_of(at);
        if (word != NULL && (tn_load_relaxed(word) & bits) != bits) {
            (void)tn_or_acq_rel(word, bits);
            any = true;
        }
        at += complete ? run : page;
    }
    return any;
}

// ---- a marked pointer

// Returns true if a block of malloc() may begin at the address: its first byte and the header can be
// read.
static bool is_readable(uint64_t address) {
    char bytes[HEADER + 1];
    struct iovec here = {bytes, sizeof bytes};
    struct iovec there = {(void *)(uintptr_t)(address - HEADER), sizeof bytes};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof bytes;
}

static size_t (*usable_size)(void *pointer);

// Finds a registration that consists mostly of the block of malloc() at this address. Programs register
// complete pages, which contain other blocks, too.
static bool find_registered(uint64_t address, struct tn_check_resource *found) {
    if (usable_size == NULL || !is_readable(address)) return false;
    uint64_t end = address + usable_size((void *)(uintptr_t)address);
    if (end <= address || !tn_check_resource_registered(address, end, found)) return false;
    uint64_t registered_end = found->addr + found->bytes;
    uint64_t lo = found->addr > address ? found->addr : address;
    uint64_t hi = registered_end < end ? registered_end : end;
    return hi - lo >= found->bytes / 2;
}

static void report_registered(uint64_t address, const char *name,
                              const struct tn_check_resource *found) {
    struct tn_check_report report;
    tn_check_report_begin(&report, TN_CHECK_KIND_FREE_WHILE_REGISTERED, "freed",
                          "%s of 0x%" PRIx64 ", where %" PRIu64 " byte(s) at 0x%" PRIx64
                          " are still registered",
                          name, address, found->bytes, found->addr);
    report.addr = address;
    report.resource = found->what;
    tn_check_report_add_stack(&report, "registered", found->began_thread, found->began);
    tn_check_report_end(&report);
}

// Returns true if the model knows a block of a pool of Tarn there, or `released` memory, and reports it.
static bool judge_in_model(struct tn_check_call *call, const struct tn_mem_event *event,
                           bool released) {
    const struct tn_check_region *region = tn_check_region_containing(0, event->addr);
    bool in_block = region != NULL && region->heap != NULL && region->heap->object != 0;
    return (in_block || released) && tn_check_free_refused(call, event);
}

// Judges the call like a free that Tarn refused. A block that was freed may belong to malloc() again.
// A thread inside the checker is not judged.
__attribute__((noinline)) static void judge(void *pointer, const char *name) {
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    struct tn_check_resource live, ended, registered;
    struct tn_check_call call;
    const struct tn_mem_event event = {.size = sizeof event,
                                       .kind = TN_MEM_REFUSED,
                                       .what = TN_MEM_ANYTHING,
                                       .device = -1,
                                       .addr = address,
                                       .other = (uint64_t)(int64_t)TARN_BAD_ADDRESS,
                                       .name = name,
                                       .height = 1,
                                       .depth = 1};
    tn_check_model_forget_parent();
    if (!tn_check_call_begin(&call, "freed", true)) return;
    tn_check_resource_find(0, address, &live, &ended);
    bool of_tarn = live.what == TN_MEM_MAPPING || live.what == TN_MEM_MEMORY ||
                   live.what == TN_MEM_PINNED || (ended.what != 0 && !is_readable(address));
    bool explained = judge_in_model(&call, &event, of_tarn);
    tn_check_call_end(&call);
    if (explained) return;
    if (of_tarn)
        (void)tn_check_resource_event(&event);
    else if (find_registered(address, &registered))
        report_registered(address, name, &registered);
    else if (live.what == 0)
        (void)tn_and_acq_rel(word_at(address), ~bit_of(address));
}

// ---- in the place of the functions

static void (*next_free)(void *pointer);
static void *(*next_realloc)(void *pointer, size_t bytes);
static void *(*next_reallocarray)(void *pointer, size_t count, size_t bytes);

static void observed_free(void *pointer) {
    if (is_marked(pointer)) judge(pointer, "free");
    next_free(pointer);
}

static void *observed_realloc(void *pointer, size_t bytes) {
    if (is_marked(pointer)) judge(pointer, "realloc");
    return next_realloc(pointer, bytes);
}

static void *observed_reallocarray(void *pointer, size_t count, size_t bytes) {
    if (is_marked(pointer)) judge(pointer, "reallocarray");
    return next_reallocarray(pointer, count, bytes);
}

static struct replaced {
    const char *name;
    uintptr_t by;
    uintptr_t next; // the function that the program calls without the checker
} replaced[] = {
    {"free", (uintptr_t)&observed_free, 0},
    {"realloc", (uintptr_t)&observed_realloc, 0},
    {"reallocarray", (uintptr_t)&observed_reallocarray, 0},
};
enum { REPLACED = sizeof replaced / sizeof *replaced };

// ---- the addresses by which a library calls

#if defined(__x86_64__)
#define IS_ADDRESS(type)                                                                           \
    ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT || (type) == R_X86_64_64)
#else
#define IS_ADDRESS(type)                                                                           \
    ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT || (type) == R_AARCH64_ABS64)
#endif

struct library {
    uintptr_t base, lo, hi;
    uintptr_t read_only_lo, read_only_hi; // pages that the loader made read-only
    const Elf64_Sym *symbols;
    const char *names;
};

// An address that is not resolved yet points into its own library. A library may have a function of
// its own, or one from a scope of its own.
static void replace_address(const struct library *library, const Elf64_Rela *entry) {
    const Elf64_Sym *symbol = &library->symbols[ELF64_R_SYM(entry->r_info)];
    uintptr_t place = library->base + entry->r_offset;
    uintptr_t page = place & ~((uintptr_t)getpagesize() - 1);
    uintptr_t value = tn_load_relaxed((_Atomic uintptr_t *)place);
    bool protected = place >= library->read_only_lo && place < library->read_only_hi;
    const struct replaced *one = NULL;
    for (unsigned i = 0; i < REPLACED && one == NULL; i++)
        if (strcmp(library->names + symbol->st_name, replaced[i].name) == 0) one = &replaced[i];
    if (one == NULL || one->next == 0 || symbol->st_shndx != SHN_UNDEF ||
        (value != one->next && (value < library->lo || value >= library->hi)))
        return;
    if (protected && mprotect((void *)page, (size_t)getpagesize(), PROT_READ | PROT_WRITE) != 0)
        return;
    tn_store_relaxed((_Atomic uintptr_t *)place, one->by);
    if (protected) (void)mprotect((void *)page, (size_t)getpagesize(), PROT_READ);
}

static void replace_in_table(const struct library *library, uintptr_t table, size_t bytes) {
    const Elf64_Rela *entry = (const Elf64_Rela *)table;
    for (size_t i = 0; i < bytes / sizeof *entry; i++)
        if (IS_ADDRESS(ELF64_R_TYPE(entry[i].r_info))) replace_address(library, &entry[i]);
}

// The loader has added the library's address to these values.
static void replace_in(struct library *library, const Elf64_Dyn *dynamic) {
    uintptr_t calls = 0, others = 0;
    size_t call_bytes = 0, other_bytes = 0;
    bool addends = true;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t value = dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB: library->symbols = (const Elf64_Sym *)value; break;
        case DT_STRTAB: library->names = (const char *)value; break;
        case DT_JMPREL: calls = value; break;
        case DT_PLTRELSZ: call_bytes = value; break;
        case DT_RELA: others = value; break;
        case DT_RELASZ: other_bytes = value; break;
        case DT_PLTREL: addends = value == DT_RELA; break;
        default: break;
        }
    }
    if (!addends || (uintptr_t)library->symbols < library->lo) return; // the kernel's own library
    replace_in_table(library, calls, call_bytes);
    replace_in_table(library, others, other_bytes);
}

static int visit_library(struct dl_phdr_info *info, size_t size, void *context) {
    struct library library = {.base = info->dlpi_addr, .lo = UINTPTR_MAX};
    const Elf64_Dyn *dynamic = NULL;
    uintptr_t page = (uintptr_t)getpagesize();
    (void)size;
    (void)context;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *part = &info->dlpi_phdr[i];
        uintptr_t lo = info->dlpi_addr + part->p_vaddr, hi = lo + part->p_memsz;
        if (part->p_type == PT_DYNAMIC) dynamic = (const Elf64_Dyn *)lo;
        if (part->p_type == PT_LOAD && lo < library.lo) library.lo = lo;
        if (part->p_type == PT_LOAD && hi > library.hi) library.hi = hi;
        if (part->p_type == PT_GNU_RELRO) {
            library.read_only_lo = lo & ~(page - 1);
            library.read_only_hi = hi & ~(page - 1);
        }
    }
    bool own = (uintptr_t)&visit_library - library.lo < library.hi - library.lo;
    bool allocator = replaced[0].next - library.lo < library.hi - library.lo;
    if (dynamic != NULL && !own && !allocator) replace_in(&library, dynamic);
    return 0;
}

// ---- new libraries

static int count_libraries(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    *(uint64_t *)context = info->dlpi_adds;
    return 1;
}

static void find_functions(void) {
    for (unsigned i = 0; i < REPLACED; i++)
        replaced[i].next = (uintptr_t)dlsym(RTLD_DEFAULT, replaced[i].name);
    void *size = dlsym(RTLD_DEFAULT, "malloc_usable_size");
    memcpy(&next_free, &replaced[0].next, sizeof next_free);
    memcpy(&next_realloc, &replaced[1].next, sizeof next_realloc);
    memcpy(&next_reallocarray, &replaced[2].next, sizeof next_reallocarray);
    memcpy(&usable_size, &size, sizeof usable_size);
}

static void replace_everywhere(void) {
    static _Atomic bool active;
    static uint64_t seen;
    uint64_t loaded = 0;
    if (tn_exchange_acq_rel(&active, true)) return;
    (void)dl_iterate_phdr(count_libraries, &loaded);
    if (loaded != seen) {
        if (seen == 0) find_functions();
        seen = loaded;
        (void)dl_iterate_phdr(visit_library, NULL);
    }
    tn_store_release(&active, false);
}

void tn_check_foreign_begin(const struct tn_mem_event *event) {
    bool has_bytes = event->what == TN_MEM_MEMORY || event->what == TN_MEM_PINNED ||
                     event->what == TN_MEM_MAPPING || event->what == TN_MEM_REGISTERED ||
                     (event->flags & TN_MEM_GIVEN) != 0;
    if (!has_bytes || event->space != 0 || event->bytes == 0) return;
    if (mark_pages(event->addr, event->addr + event->bytes)) replace_everywhere();
}
