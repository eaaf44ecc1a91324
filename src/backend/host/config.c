// SPDX-License-Identifier: Apache-2.0
// The options of the software device, and the probe of the system. See config.h.
#include "backend/host/config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "backend/host/engine/engine.h"
#include "backend/host/host.h"
#include "backend/host/share.h"
#include "backend/host/sys.h"
#include "base/bytes.h"
#include "base/decide.h"
#include "base/error.h"
#include "base/text_file.h"
#include "base/uncancelled.h"

#define ASAN_GAP ((uint64_t)64 << 10)

static const char *const access_choices[] = {"on-grant", "strict", NULL};
// In the order of enum tn_host_schedule.
static const char *const schedule_choices[] = {"parallel", "eager",  "late",
                                               "random",   "prompt", NULL};
static const char *const page_choices[] = {"default", "base", "huge", NULL};

#define FIELD(name) .key = #name, .offset = offsetof(struct tn_host_config, name)

static const struct tn_option table[] = {
    {FIELD(devices), .kind = TN_OPTION_UNSIGNED, .fallback = "2", .min = 1,
     .max = TN_HOST_DEVICES_MAX, .help = "devices of the platform"},
    {FIELD(memory), .kind = TN_OPTION_SIZE, .fallback = "16G", .min = 4096,
     .max = (uint64_t)1 << 46, .help = "capacity of each device"},
    {FIELD(granularity), .kind = TN_OPTION_SIZE, .fallback = "4K", .min = 4096,
     .max = (uint64_t)1 << 30, .power_of_two = true,
     .help = "minimum unit of reserve, create and map; at least a page of the system"},
    {FIELD(recommended), .kind = TN_OPTION_SIZE, .fallback = "2M", .min = 4096,
     .max = (uint64_t)1 << 30, .power_of_two = true,
     .help = "recommended unit; at least granularity"},
    {FIELD(access), .kind = TN_OPTION_CHOICE, .fallback = "on-grant", .choices = access_choices,
     .help = "on-grant: a grant to any device lets the CPU access; strict: only one to the host"},
    {FIELD(pages), .kind = TN_OPTION_CHOICE, .fallback = "default", .choices = page_choices,
     .help = "page class of memory that requests none; default and base are 4K pages"},
    {FIELD(giant), .kind = TN_OPTION_BOOL, .fallback = "on",
     .help = "support pages of 1 GiB; only capacity is rounded, the pages are huge pages"},
    {FIELD(fabric), .kind = TN_OPTION_BOOL, .fallback = "off",
     .help = "CUDA: handles of type FABRIC, and multicast objects"},
    {FIELD(poison), .kind = TN_OPTION_UNSIGNED, .fallback = "0", .max = 255,
     .help = "byte that fills fresh memory; 0: it reads zero"},
    {FIELD(high_water), .kind = TN_OPTION_SIZE, .fallback = "64M", .max = UINT64_MAX,
     .help = "freed memory whose pages are kept for reuse"},
    {FIELD(vma_budget), .kind = TN_OPTION_UNSIGNED, .fallback = "0", .max = (uint64_t)1 << 40,
     .help = "limit of kernel mappings; 0: the process's share of vm.max_map_count"},
    {FIELD(gap), .kind = TN_OPTION_SIZE, .fallback = "0", .max = (uint64_t)1 << 30,
     .help = "unmapped addresses around plain and pinned memory; 64K in programs with ASan"},
    {FIELD(workers), .kind = TN_OPTION_UNSIGNED, .fallback = "0", .max = 256,
     .help = "threads that run streams; 0: as many as CPUs"},
    {FIELD(schedule), .kind = TN_OPTION_CHOICE, .fallback = "parallel", .choices = schedule_choices,
     .help = "when streams run; late: only when the program waits for them; random: by the seed; "
             "prompt: before the call that submits work returns"},
    {FIELD(seed), .kind = TN_OPTION_UNSIGNED, .fallback = "1", .max = (uint64_t)1 << 62,
     .help = "of schedule=random"},
};

// Raises a value that depends on another one, and its text in the settings.
static void raise_to(struct tn_options *options, size_t offset, uint64_t *value, uint64_t minimum) {
    if (*value >= minimum) return;
    *value = minimum;
    for (unsigned i = 0; i < options->count; i++)
        if (options->table[i].offset == offset)
            (void)snprintf(options->text[i], sizeof options->text[i], "%" PRIu64, minimum);
}

static bool was_asked_for(const struct tn_options *options, size_t offset) {
    for (unsigned i = 0; i < options->count; i++)
        if (options->table[i].offset == offset) return options->origin[i] != TN_ORIGIN_DEFAULT;
    return false;
}

static tarn_status fit_to_system(struct tn_options *options, struct tn_host_config *config) {
    const size_t granularity = offsetof(struct tn_host_config, granularity);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    TN_REFUSE(config->granularity < page && was_asked_for(options, granularity), TARN_BAD_CONFIG,
              "host: granularity %llu is below the page size of the system, %llu",
              (unsigned long long)config->granularity, (unsigned long long)page);
    raise_to(options, granularity, &config->granularity, page);
    raise_to(options, offsetof(struct tn_host_config, recommended), &config->recommended,
             config->granularity);
    if (tn_bytes_watched() && tn_load_relaxed(&tn_bytes_watcher) == TN_WATCHER_ASAN &&
        !was_asked_for(options, offsetof(struct tn_host_config, gap)))
        raise_to(options, offsetof(struct tn_host_config, gap), &config->gap, ASAN_GAP);
    return TARN_OK;
}

// A seed of the process is the default of the schedule and its seed.
static tarn_status follow_seed(struct tn_options *options, const struct tn_host_config *config) {
    char text[64];
    TN_TRY(tn_decide_status());
    if (!tn_decides()) return TARN_OK;
    if (!was_asked_for(options, offsetof(struct tn_host_config, schedule)))
        TN_TRY(tn_options_apply(options, "schedule=random", TN_ORIGIN_ENVIRONMENT));
    (void)snprintf(text, sizeof text, "seed=%" PRIu64, tn_process_decider.seed);
    return config->schedule != TN_HOST_SCHEDULE_RANDOM ||
                   was_asked_for(options, offsetof(struct tn_host_config, seed))
               ? TARN_OK
               : tn_options_apply(options, text, TN_ORIGIN_ENVIRONMENT);
}

tarn_status tn_host_check_environment(void) {
    struct tn_host_config config;
    struct tn_options options;
    return tn_options_check_environment(&options, "host", "TARN_HOST", table,
                                        sizeof table / sizeof table[0], &config);
}

tarn_status tn_host_configure(const char *text, struct tn_options *options,
                              struct tn_host_config *config) {
    TN_TRY(tn_options_read(options, "host", "TARN_HOST", table, sizeof table / sizeof table[0],
                           config, text));
    TN_TRY(follow_seed(options, config));
    return fit_to_system(options, config);
}

// ---- the probe

// Returns true if the file contains one of the words.
static bool file_contains(const char *path, const char *words) {
    char text[128];
    if (!tn_text_file_read(path, text, sizeof text)) return false;
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%s", words);
    char *rest = copy;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (strstr(text, word) != NULL) return true;
    return false;
}

// Writes a byte far out in a sparse file through one view and reads it through another, before and
// after its page is freed. Returns the name of the call that failed, or NULL.
static const char *try_views(int fd, uint64_t page) {
    uint64_t offset = TN_HOST_ARENA_SIZE - page;
    uint64_t one = tn_host_sys_mmap(0, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    uint64_t two = tn_host_sys_mmap(0, page, PROT_READ, MAP_SHARED, fd, offset);
    const char *failed = NULL;
    if (one == 0 || two == 0) {
        failed = "mmap";
    } else {
        volatile char *write = (volatile char *)(uintptr_t)one;
        volatile const char *read = (volatile const char *)(uintptr_t)two;
        *write = 1;
        if (*read != 1 || tn_host_sys_punch(fd, offset, page) != 0 || *read != 0)
            failed = "fallocate";
    }
    int error = errno;
    if (one != 0) (void)munmap((void *)(uintptr_t)one, page);
    if (two != 0) (void)munmap((void *)(uintptr_t)two, page);
    errno = error;
    return failed;
}

static const char *try_files(struct tn_host_probe *probe) {
    int fd = tn_host_sys_memfd("tarn-probe");
    if (fd < 0) return "memfd_create";
    const char *failed = tn_host_sys_truncate(fd, TN_HOST_ARENA_SIZE) != 0
                             ? "ftruncate"
                             : try_views(fd, probe->page);
    if (failed == NULL) probe->sealing = tn_host_sys_seal(fd, TN_HOST_SHARE_SEALS) == 0;
    int error = errno;
    tn_close(fd);
    errno = error;
    return failed;
}

tarn_status tn_host_probe_system(struct tn_host_probe *probe) {
    struct rlimit size;
    struct rlimit files = {0, 0};
    *probe = (struct tn_host_probe){.page = (uint64_t)sysconf(_SC_PAGESIZE)};
    // Exceeding this limit raises a signal instead of an error, so it is read and not tried.
    TN_REFUSE(getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur < TN_HOST_ARENA_SIZE,
              TARN_SYSTEM, "host: the file size limit (ulimit -f) is %llu bytes; 2^62 are needed",
              (unsigned long long)size.rlim_cur);
    const char *failed = try_files(probe);
    if (failed != NULL)
        return tn_fail_native(tn_host_sys_status(errno), failed, errno,
                              "host: sparse memory files are not supported here: %s: %s", failed,
                              strerror(errno));
    probe->huge = file_contains("/sys/kernel/mm/transparent_hugepage/shmem_enabled",
                                "[always] [advise] [within_size] [force]");
    probe->one_node = access("/sys/devices/system/node/node1", F_OK) != 0;
    probe->memory = probe->page * (uint64_t)sysconf(_SC_PHYS_PAGES);
    (void)getrlimit(RLIMIT_NOFILE, &files);
    uint64_t margin = files.rlim_cur / 16 > 64 ? files.rlim_cur / 16 : 64;
    probe->handles = files.rlim_cur > 2 * margin ? files.rlim_cur - margin : files.rlim_cur / 2;
    return TARN_OK;
}
