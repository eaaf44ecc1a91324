// SPDX-License-Identifier: Apache-2.0
// Moves that no checking tool sees do the same as memmove and memset.
#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BYTES = 300 };

static void count_up(unsigned char *bytes) {
    for (int i = 0; i < BYTES; i++) bytes[i] = (unsigned char)i;
}

static void unseen_moves_are_memmove(void **state) {
    unsigned char got[BYTES];
    unsigned char want[BYTES];
    (void)state;
    for (size_t from = 0; from < 40; from += 3) {
        for (size_t to = 0; to < 40; to += 4) {
            for (size_t bytes = 0; bytes < 200; bytes += 37) {
                count_up(got);
                count_up(want);
                memmove(want + to, want + from, bytes);
                tn_bytes_move_unseen(got + to, got + from, bytes);
                assert_memory_equal(got, want, BYTES);
            }
        }
    }
}

static void unseen_fills_are_memset(void **state) {
    unsigned char got[BYTES];
    unsigned char want[BYTES];
    (void)state;
    for (size_t bytes = 0; bytes < 100; bytes += 7) {
        count_up(got);
        count_up(want);
        memset(want + 5, 0xa5, bytes);
        tn_bytes_set_unseen(got + 5, 0xa5, bytes);
        assert_memory_equal(got, want, BYTES);
    }
}

static void the_seen_ones_agree(void **state) {
    unsigned char from[BYTES];
    unsigned char to[BYTES] = {0};
    (void)state;
    count_up(from);
    tn_bytes_copy(to, from, BYTES);
    assert_memory_equal(to, from, BYTES);
    tn_bytes_move(to + 1, to, BYTES - 1);
    assert_memory_equal(to + 1, from, BYTES - 1);
    tn_bytes_set(to, 0, BYTES);
    assert_int_equal(to[BYTES - 1], 0);
    assert_int_equal(tn_bytes_watched(), tn_load_relaxed(&tn_bytes_watcher) != TN_WATCHER_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unseen_moves_are_memmove),
        cmocka_unit_test(unseen_fills_are_memset),
        cmocka_unit_test(the_seen_ones_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
