// SPDX-License-Identifier: Apache-2.0
// Sends reports to `tarn check`, or writes them; see outlet.h.
#include "check/report/outlet.h"

#include <stdlib.h>
#include <unistd.h>

#include "check/options.h"
#include "check/report/output.h"

static struct {
    struct tn_check_counts counts; // of the last message
    uint64_t unsent;
    bool is_program; // `tarn check` started this process
    struct tn_check_output text;
    struct tn_check_output json;
} outlet = {.text = {.option = "log-path", .standard = STDERR_FILENO, .file = -1},
            .json = {.option = "json", .standard = STDOUT_FILENO, .file = -1}};

bool tn_check_outlet_wants_json(void) { return tn_check_options()->json_path[0] != '\0'; }

static void write_here(const struct tn_check_text *text, const struct tn_check_text *json) {
    const struct tn_check_options *options = tn_check_options();
    // A process that `tarn check` started leaves its files alone even when it has ended: it may have
    // replaced or removed them.
    const char *wire = secure_getenv(TN_CHECK_WIRE_VARIABLE);
    bool files = wire == NULL || *wire == '\0';
    outlet.text.path = files && *options->log_path != '\0' ? options->log_path : "-";
    outlet.json.path = files ? options->json_path : "";
    if (!tn_check_output_write(&outlet.text, (int)getpid(), text->data, text->used)) {
        struct tn_check_output instead = {.path = "-", .standard = STDERR_FILENO, .file = -1};
        (void)tn_check_output_write(&instead, (int)getpid(), text->data, text->used);
    }
    (void)tn_check_output_write(&outlet.json, (int)getpid(), json->data, json->used);
}

void tn_check_outlet_emit(enum tn_check_wire_kind kind, const struct tn_check_counts *counts,
                          const struct tn_check_text *text, const struct tn_check_text *json) {
    struct tn_check_wire_head head = {.kind = kind,
                                      .pid = (int32_t)getpid(),
                                      .text_bytes = (uint32_t)text->used,
                                      .json_bytes = (uint32_t)json->used,
                                      .unsent = outlet.unsent,
                                      .counts = *counts};
    struct tn_check_wire_answer answer = {outlet.is_program};
    outlet.counts = *counts;
    if (tn_check_wire_send(&head, text->data, json->data, &answer)) {
        outlet.is_program = answer.is_program != 0;
        return;
    }
    outlet.unsent += text->used + json->used > 0;
    write_here(text, json);
}

void tn_check_outlet_emit_last(const char *line, size_t bytes) {
    struct tn_check_wire_head head = {.kind = TN_CHECK_WIRE_REPORT,
                                      .pid = (int32_t)getpid(),
                                      .text_bytes = (uint32_t)bytes,
                                      .unsent = outlet.unsent,
                                      .counts = outlet.counts};
    struct tn_check_wire_answer answer;
    head.counts.errors++;
    if (!tn_check_wire_send(&head, line, "", &answer)) (void)!write(STDERR_FILENO, line, bytes);
}

int tn_check_outlet_exit_code(bool found_errors, bool forked) {
    const struct tn_check_options *options = tn_check_options();
    bool attended = tn_check_wire_is_open() && outlet.unsent == 0;
    bool is_child = attended ? !outlet.is_program : forked;
    if (found_errors && (is_child || !attended))
        return is_child ? options->child_exitcode : options->exitcode;
    return !is_child && (outlet.text.failed || outlet.json.failed) ? 1 : 0;
}
