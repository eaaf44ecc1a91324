// SPDX-License-Identifier: Apache-2.0
// See census.h.
#include "support/census.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "support/hip.h"

static size_t count_fds(void) {
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;
    assert_non_null(directory);
    while (readdir(directory) != NULL) count++;
    assert_int_equal(closedir(directory), 0);
    return count;
}

static size_t count_vmas(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    size_t lines = 0;
    assert_non_null(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) lines += c == '\n';
    assert_int_equal(fclose(file), 0);
    return lines;
}

static size_t resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long total = 0;
    unsigned long pages = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &total, &pages), 2);
    assert_int_equal(fclose(file), 0);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

// Sanitizers keep what was freed for a while, and map memory of their own at any time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool memory_is_ours = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static const bool memory_is_ours = false;
#else
static const bool memory_is_ours = true;
#endif
#else
static const bool memory_is_ours = true;
#endif

struct census census_take(void) {
    struct census census = {count_fds(), count_vmas(), resident(), 0};
    assert_hip_ok(hipMemGetInfo(&census.free_bytes, NULL));
    return census;
}

void census_no_growth(const struct census *before, size_t vmas, size_t bytes) {
    struct census now = census_take();
    assert_int_equal(now.fds, before->fds);
    assert_int_equal(now.free_bytes, before->free_bytes);
    if (memory_is_ours && (now.vmas > before->vmas + vmas || now.rss > before->rss + bytes)) {
        fail_msg("%zu mappings of the kernel and %zu resident bytes grew to %zu and %zu",
                 before->vmas, before->rss, now.vmas, now.rss);
    }
}
