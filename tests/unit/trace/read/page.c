// SPDX-License-Identifier: Apache-2.0
// Pages of PyTorch's memory viewer: the snapshot in them is read, and a page without one says why.
#include "unit/trace/story.h"

static void page_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/torch-memory-viz.html", &trace);
    assert_int_equal(trace.format, TN_TRACE_SNAPSHOT);
    assert_story(&trace, 0);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    tn_trace_release(&trace);
}

// The list's name lies across the end of a window of the source.
static void page_finds_its_list_behind_a_long_head(void **state) {
    (void)state;
    size_t size = 0;
    uint8_t *page = story_load("trace_json/torch-memory-viz.html", &size);
    char *list = (char *)memmem(page, size, "local_files = ", 14);
    assert_non_null(list);
    for (size_t filler = 65536 - 20; filler <= 65536; filler++) {
        struct tn_trace trace;
        char *longer = (char *)malloc(size + filler + 16);
        assert_non_null(longer);
        size_t head = (size_t)sprintf(longer, "\n <HTML>");
        memset(longer + head, 'x', filler);
        size_t rest = size - (size_t)(list - (char *)page);
        memcpy(longer + head + filler, list, rest);
        assert_int_equal(tn_trace_read_memory("file", longer, head + filler + rest, NULL, &trace),
                         TARN_OK);
        assert_int_equal(trace.block_count, 4);
        tn_trace_release(&trace);
        free(longer);
    }
    free(page);
}

static void page_without_a_snapshot_says_why(void **state) {
    (void)state;
    assert_story_refused("<html><body>nothing</body></html>",
                         "file: a web page without a recording in it: save the snapshot that it "
                         "was opened with");
    assert_story_refused("<!DOCTYPE HTML>\n<img src=\"data:image/png;base64,iVBO\">",
                         "file: a web page without a recording in it: it shows a picture of a "
                         "memory timeline, export that as JSON");
    assert_story_refused("<html>\nlocal_files = []",
                         "file:2: the page's list of files holds no data");
    assert_story_refused("<html>\nlocal_files = [{\"name\": 1}]",
                         "file:2: the page's list of files holds no data");
    assert_story_refused("<html>\nlocal_files = [{\"base64\": \"gA!\"}]",
                         "file: the snapshot in the page is no base64");
    assert_story_refused("<html>\nlocal_files = [{\"base64\": \"gARO\"}]",
                         "file: byte 3: the file ends early");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_tells_the_story),
        cmocka_unit_test(page_finds_its_list_behind_a_long_head),
        cmocka_unit_test(page_without_a_snapshot_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
