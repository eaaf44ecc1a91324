// SPDX-License-Identifier: Apache-2.0
// See fidelity.h. The memory is an unnamed file, which processes of the program open by the descriptor of
// this process.
#include "tools/launch/fidelity.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/differences.h"
#include "base/fidelity.h"
#include "base/words.h"
#include "stack/namer.h"
#include "tools/command.h"
#include "tools/findings.h"
#include "tools/launch/faces.h"
#include "tools/result.h"
#include "tools/terminal.h"

static const struct row {
    const char *id, *confirmed, *matter, *vendor, *tarn;
} row_texts[] = {
#define ROW(id, seen, confirmed, matter, vendor, tarn) {id, confirmed, matter, vendor, tarn},
    TN_DIFFERENCES(ROW)
#undef ROW
};

enum { ROWS = sizeof row_texts / sizeof row_texts[0] };

static struct tn_fidelity *memory;

bool tn_fidelity_open(void) {
    const size_t bytes = TN_FIDELITY_BYTES(ROWS);
    char path[64];
    int file = memfd_create("tarn-fidelity", MFD_CLOEXEC);
    void *at = file >= 0 && ftruncate(file, (off_t)bytes) == 0
                   ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    if (at == MAP_FAILED || setenv(TN_FIDELITY_VARIABLE, path, 1) != 0)
        return tn_complain("no memory for --fidelity: %s", strerror(errno));
    memory = (struct tn_fidelity *)at;
    memory->rows = ROWS;
    memory->hash = TN_DIFFERENCES_HASH;
    return true;
}

bool tn_fidelity_has(const char *id, size_t length) {
    for (unsigned i = 0; i < ROWS; i++)
        if (strlen(row_texts[i].id) == length && strncmp(row_texts[i].id, id, length) == 0)
            return true;
    return false;
}

// ---- the stack of the first call

static bool add_place(void *context, const char *function, const char *file, int line) {
    json_t *place = tn_list_object((json_t *)context);
    if (function != NULL) tn_member_text(place, "function", function);
    if (file != NULL) tn_member_text(place, "file", file);
    if (line > 0) tn_member_number(place, "line", (uint64_t)line);
    return true;
}

static json_t *read_stack(struct tn_fidelity_row *row) {
    json_t *places = json_array();
    uint32_t count = row->frame_count < TN_FIDELITY_FRAMES ? row->frame_count : TN_FIDELITY_FRAMES;
    for (uint32_t i = 0; i < count; i++) {
        struct tn_fidelity_frame *frame = &row->frames[i];
        frame->path[sizeof frame->path - 1] = '\0';
        size_t before = json_array_size(places);
        (void)tn_namer_ask(frame->path, frame->offset, add_place, places);
        for (size_t at = before; at < json_array_size(places) || at == before; at++) {
            json_t *place =
                at < json_array_size(places) ? json_array_get(places, at) : tn_list_object(places);
            tn_member_text(place, "object", frame->path);
            tn_member_number(place, "offset", frame->offset);
        }
    }
    return places;
}

static void print_stack(const json_t *places) {
    size_t i;
    json_t *place;
    json_array_foreach(places, i, place) {
        const char *function = tn_member_get_text(place, "function");
        const char *file = tn_member_get_text(place, "file");
        if (*file == '\0')
            fprintf(stderr, "    #%zu %s (%s+0x%jx)\n", i, *function != '\0' ? function : "?",
                    tn_member_get_text(place, "object"),
                    (uintmax_t)tn_member_get_number(place, "offset"));
        else
            fprintf(stderr, "    #%zu %s %s:%ju\n", i, function, file,
                    (uintmax_t)tn_member_get_number(place, "line"));
        if (strcmp(function, "main") == 0) return;
    }
}

// ---- the result

static void set_text(json_t *object, const char *key, const char *value) {
    if (*value != '\0') tn_member_text(object, key, value);
}

static json_t *describe_row(const struct row *about, struct tn_fidelity_row *row, bool accepted) {
    json_t *object = json_object();
    row->call[sizeof row->call - 1] = '\0';
    tn_member_text(object, "id", about->id);
    tn_member_text(object, "matter", about->matter);
    set_text(object, "vendor", about->vendor);
    set_text(object, "tarn", about->tarn);
    set_text(object, "confirmed", about->confirmed);
    tn_member_number(object, "count", atomic_load(&memory->counts[row - memory->row]));
    set_text(object, "call", row->call);
    tn_member_number(object, "pid", row->pid);
    tn_member_set(object, "accepted", json_boolean(accepted));
    tn_member_set(object, "stack",
                  atomic_load(&row->written) != 0 ? read_stack(row) : json_array());
    return object;
}

static void print_row(const json_t *row) {
    const char *call = tn_member_get_text(row, "call"), *tarn = tn_member_get_text(row, "tarn");
    tn_style_print(stderr, TN_STYLE_HEAD, "%s", tn_member_get_text(row, "id"));
    fprintf(stderr, ": %s\n", tn_member_get_text(row, "matter"));
    fprintf(stderr, "    vendor: %s\n", tn_member_get_text(row, "vendor"));
    if (*tarn != '\0') fprintf(stderr, "    Tarn: %s\n", tarn);
    if (*tarn != '\0')
        fprintf(stderr, "    confirmed by: %s\n", tn_member_get_text(row, "confirmed"));
    fprintf(stderr, "    %ju time(s)%s%s, first in process %ju:\n",
            (uintmax_t)tn_member_get_number(row, "count"), *call != '\0' ? ", first call " : "",
            call, (uintmax_t)tn_member_get_number(row, "pid"));
    print_stack(json_object_get(row, "stack"));
}

// With strict, a row is an error.
static void add_finding(const json_t *row, bool strict) {
    struct tn_finding finding = {.is_warning = !strict};
    const char *id = tn_member_get_text(row, "id"), *matter = tn_member_get_text(row, "matter");
    const char *vendor = tn_member_get_text(row, "vendor"), *tarn = tn_member_get_text(row, "tarn");
    (void)snprintf(finding.rule, sizeof finding.rule, "%s", id);
    (void)snprintf(finding.meaning, sizeof finding.meaning, "%s", matter);
    tn_finding_take_frames(&finding.place, json_object_get(row, "stack"));
    (void)snprintf(finding.name, sizeof finding.name, "%s%s%s", id,
                   finding.place.function[0] != '\0' ? " in " : "", finding.place.function);
    if (asprintf(&finding.message, "%s; vendor: %s%s%s", matter, vendor,
                 *tarn != '\0' ? "; Tarn: " : "", tarn) < 0)
        return;
    tn_findings_add(&finding);
    free(finding.message);
}

unsigned tn_fidelity_print(const char *accepted, bool json, bool strict) {
    static char folder[PATH_MAX], program[PATH_MAX + sizeof TN_NAMER_PROGRAM];
    unsigned touched = 0, listed = 0, differences = 0;
    json_t *rows = json_array();
    if (tn_library_folder("check", TN_NAMER_PROGRAM, folder)) {
        (void)snprintf(program, sizeof program, "%s/%s", folder, TN_NAMER_PROGRAM);
        tn_namer_use(program);
    }
    for (unsigned i = 0; i < ROWS; i++) {
        if (atomic_load(&memory->counts[i]) == 0) continue;
        const char *id = row_texts[i].id;
        bool is_accepted = accepted != NULL && tn_words_find(accepted, ',', id, strlen(id)) >= 0;
        json_t *row = describe_row(&row_texts[i], &memory->row[i], is_accepted);
        tn_list_add(rows, row);
        touched++;
        listed += !is_accepted;
        differences += !is_accepted && strncmp(id, "quirk.", 6) != 0;
        if (!is_accepted && tn_result_shows_text()) print_row(row);
        if (!is_accepted) add_finding(row, strict);
    }
    if (atomic_load(&memory->strangers) > 0)
        (void)tn_complain("%u face(s) of another release were not counted",
                          atomic_load(&memory->strangers));
    if (atomic_load(&memory->counting) == 0)
        (void)tn_complain("no process loaded a face that counts differences");
    (void)tn_complain(
        "the program relied on %u difference(s) and %u behaviour(s) in which releases have "
        "defects; %u accepted row(s)",
        differences, listed - differences, touched - listed);
    if (!json) {
        json_decref(rows);
        return listed;
    }
    json_t *members = json_object();
    tn_member_number(members, "differences", differences);
    tn_member_number(members, "defects", listed - differences);
    tn_member_number(members, "accepted", touched - listed);
    tn_member_number(members, "faces", atomic_load(&memory->counting));
    tn_member_number(members, "uncounted_faces", atomic_load(&memory->strangers));
    tn_member_set(members, "rows", rows);
    tn_result_print(members);
    return listed;
}
