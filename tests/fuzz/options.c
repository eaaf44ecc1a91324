// SPDX-License-Identifier: Apache-2.0
// The option parser: any text either sets values that lie in their ranges, or is refused with a
// text and changes nothing.
#include "base/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
    uint64_t memory;
    uint64_t devices;
    double speed;
    unsigned policy;
    bool strict;
};

static const char *const policies[] = {"on-grant", "strict", NULL};

static const struct tn_option table[] = {
    {.key = "memory",
     .kind = TN_OPTION_SIZE,
     .offset = offsetof(struct config, memory),
     .fallback = "16G",
     .min = 4096,
     .power_of_two = true},
    {.key = "devices",
     .kind = TN_OPTION_UNSIGNED,
     .offset = offsetof(struct config, devices),
     .fallback = "2",
     .min = 1,
     .max = 64},
    {.key = "speed",
     .kind = TN_OPTION_DOUBLE,
     .offset = offsetof(struct config, speed),
     .fallback = "1.5",
     .max = 1000},
    {.key = "strict",
     .kind = TN_OPTION_BOOL,
     .offset = offsetof(struct config, strict),
     .fallback = "no"},
    {.key = "policy",
     .kind = TN_OPTION_CHOICE,
     .offset = offsetof(struct config, policy),
     .fallback = "on-grant",
     .choices = policies},
};

static void require(bool claim, const char *text) {
    if (!claim) {
        (void)fprintf(stderr, "fuzz options: broken claim: %s\n", text);
        abort();
    }
}

static bool in_range(const struct config *c) {
    return c->memory >= 4096 && (c->memory & (c->memory - 1)) == 0 && c->devices >= 1 &&
           c->devices <= 64 && c->speed >= 0 && c->speed <= 1000 && c->policy <= 1;
}

static void apply(const char *text) {
    struct config config;
    struct tn_options options;
    tarn_error error;
    memset(&config, 0, sizeof config);
    tn_options_init(&options, "fuzz", table, sizeof table / sizeof table[0], &config);
    struct config before = config;
    tarn_clear_error();
    tarn_status status = tn_options_apply(&options, text, TN_ORIGIN_URI);
    (void)tarn_last_error(&error);
    require(in_range(&config), "values are in their ranges");
    require(status == TARN_OK || status == TARN_BAD_CONFIG, "the only failure is BAD_CONFIG");
    require(error.status == status, "a failure, and only that, is recorded");
    require(status == TARN_OK || memcmp(&before, &config, sizeof config) == 0,
            "a refused string changes nothing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = (char *)malloc(size + 1); // just large enough, so that an overrun is seen
    if (text == NULL) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    apply(text);
    free(text);
    return 0;
}
