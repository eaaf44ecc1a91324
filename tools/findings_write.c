// SPDX-License-Identifier: Apache-2.0
// Writes findings as JUnit's XML, as SARIF, and as annotations of GitHub; see findings.h. One thread.
#include "tools/findings_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "tools/result.h"

// ---- names of files

// Returns the rest of the path behind the folder, or NULL if it does not lie in it.
static const char *behind(const char *path, const char *folder) {
    size_t length = folder != NULL ? strlen(folder) : 0;
    while (length > 1 && folder[length - 1] == '/') length--;
    return length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/'
               ? path + length + 1
               : NULL;
}

// Systems of CI show a file that is named from the root of the checkout, which is the current folder of
// most jobs.
static const char *shorten_path(const char *path) {
    char folder[4096];
    const char *rest = behind(path, getenv("GITHUB_WORKSPACE"));
    if (rest == NULL) rest = behind(path, getenv("CI_PROJECT_DIR"));
    if (rest == NULL && getcwd(folder, sizeof folder) != NULL) rest = behind(path, folder);
    return rest != NULL ? rest : path;
}

static bool is_failure(const struct tn_findings *findings, const struct tn_finding *one) {
    return !one->is_warning || findings->fails_on_warning;
}

static const char *level_of(const struct tn_finding *one) {
    return one->is_warning ? "warning" : "error";
}

// ---- JUnit

// Writes a text of XML 1.0, which has no control characters, not even as references.
static void put_xml(FILE *out, const char *text, bool is_attribute) {
    while (*text != '\0') {
        size_t length = tn_printable_length(text);
        if (*text == '\n' && !is_attribute)
            (void)fputc('\n', out);
        else if (length == 0)
            (void)fprintf(out, "\\x%02x", (unsigned char)*text);
        else if (*text == '<' || *text == '>' || *text == '&' || *text == '"' || *text == '\'')
            (void)fprintf(out, "&#%d;", *text);
        else
            (void)fwrite(text, 1, length, out);
        text += length == 0 ? 1 : length;
    }
}

static void put_attribute(FILE *out, const char *name, const char *value) {
    (void)fprintf(out, " %s=\"", name);
    put_xml(out, value, true);
    (void)fprintf(out, "\"");
}

static void put_case(FILE *out, const struct tn_findings *findings, const char *name) {
    (void)fprintf(out, "    <testcase");
    put_attribute(out, "name", name);
    (void)fprintf(out, " classname=\"tarn.%s\"", findings->command);
}

static void put_finding(FILE *out, const struct tn_findings *findings,
                        const struct tn_finding *one) {
    bool failure = is_failure(findings, one);
    put_case(out, findings, one->name);
    if (one->place.file[0] != '\0') {
        put_attribute(out, "file", shorten_path(one->place.file));
        (void)fprintf(out, " line=\"%u\"", one->place.line);
    }
    (void)fprintf(out, ">\n      <%s", failure ? "failure" : "system-out");
    if (failure) {
        put_attribute(out, "type", one->rule);
        put_attribute(out, "message", one->message);
    }
    (void)fprintf(out, ">");
    put_xml(out, one->text != NULL ? one->text : one->message, false);
    (void)fprintf(out, "</%s>\n    </testcase>\n", failure ? "failure" : "system-out");
}

static bool end_file(FILE *out) {
    bool good = ferror(out) == 0;
    return fclose(out) == 0 && good;
}

// The descriptor stays the caller's.
static FILE *begin_file(int file) {
    int copy = dup(file);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL && copy >= 0) (void)close(copy);
    return out;
}

// Without a failure the program itself is a case, so that it is listed as passed.
bool tn_findings_write_junit(int file, const struct tn_findings *findings) {
    FILE *out = begin_file(file);
    size_t failures = findings->left_out;
    bool failed = findings->failure != 0;
    if (out == NULL) return false;
    for (size_t i = 0; i < findings->count; i++)
        failures += is_failure(findings, &findings->list[i]);
    size_t cases = findings->count + (findings->left_out > 0) + (failures == 0 || failed);
    char sums[160], message[120];
    (void)snprintf(sums, sizeof sums, "tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"0\"",
                   cases, findings->left_out > 0 ? failures - findings->left_out + 1 : failures,
                   failed);
    (void)fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n", sums);
    (void)fprintf(out, "  <testsuite name=\"tarn %s\" %s>\n", findings->command, sums);
    for (size_t i = 0; i < findings->count; i++) put_finding(out, findings, &findings->list[i]);
    if (findings->left_out > 0) {
        put_case(out, findings, "further findings");
        (void)fprintf(out,
                      ">\n      <failure type=\"left-out\" message=\"%zu further findings\"/>\n"
                      "    </testcase>\n",
                      findings->left_out);
    }
    if (failures == 0 || failed) {
        put_case(out, findings, *findings->program);
        (void)snprintf(message, sizeof message, "tarn %s ended with status %d, without a result",
                       findings->command, findings->failure);
        if (failed)
            (void)fprintf(out,
                          ">\n      <error type=\"status\" message=\"%s\"/>\n    </testcase>\n",
                          message);
        else
            (void)fprintf(out, "/>\n");
    }
    (void)fprintf(out, "  </testsuite>\n</testsuites>\n");
    return end_file(out);
}

// ---- SARIF

// A URI has no blanks and no bytes that are not ASCII.
static json_t *describe_uri(const char *path) {
    char uri[4096];
    size_t used = 0;
    bool is_absolute = *path == '/';
    if (is_absolute) used = (size_t)snprintf(uri, sizeof uri, "file://");
    for (; *path != '\0' && used + 4 < sizeof uri; path++) {
        bool plain = isalnum((unsigned char)*path) || strchr("/._-~+@=,", *path) != NULL;
        used += (size_t)snprintf(uri + used, sizeof uri - used, plain ? "%c" : "%%%02X",
                                 (unsigned char)*path);
    }
    uri[used] = '\0';
    json_t *location = json_pack("{ss}", "uri", uri);
    if (!is_absolute) tn_member_text(location, "uriBaseId", "%SRCROOT%");
    return location;
}

static json_t *describe_text(const char *text) {
    json_t *object = json_object();
    tn_member_text(object, "text", text);
    return object;
}

// A finding without a file lies in the program: readers of SARIF refuse results without a location.
static json_t *describe_location(const struct tn_findings *findings, const struct tn_finding *one) {
    const struct tn_finding_place *place = &one->place;
    bool has_file = place->file[0] != '\0';
    json_t *location = json_object();
    json_t *physical = tn_member_object(location, "physicalLocation");
    tn_member_set(physical, "artifactLocation",
                  describe_uri(shorten_path(has_file ? place->file : *findings->program)));
    if (has_file && place->line > 0)
        tn_member_set(physical, "region", json_pack("{si}", "startLine", (int)place->line));
    if (place->function[0] != '\0') {
        json_t *logical = tn_list_object(tn_member_list(location, "logicalLocations"));
        tn_member_text(logical, "fullyQualifiedName", place->function);
        tn_member_text(logical, "kind", "function");
    }
    return location;
}

// Lines move with every change, so they are no part of what recognises a finding in the next run.
static void add_fingerprint(json_t *result, const struct tn_finding *one) {
    const char *parts[] = {one->rule, one->place.function, shorten_path(one->place.file)};
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
    char text[24];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *at = parts[i]; at == parts[i] || at[-1] != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    (void)snprintf(text, sizeof text, "%016" PRIx64, hash);
    tn_member_set(result, "partialFingerprints", json_pack("{ss}", "tarn/v1", text));
}

static size_t find_rule(json_t *rules, const struct tn_finding *one) {
    size_t count = json_array_size(rules), i = 0;
    while (i < count && strcmp(tn_member_get_text(json_array_get(rules, i), "id"), one->rule) != 0)
        i++;
    if (i == count) {
        json_t *rule = tn_list_object(rules);
        tn_member_text(rule, "id", one->rule);
        if (one->meaning[0] != '\0')
            tn_member_set(rule, "shortDescription", describe_text(one->meaning));
    }
    return i;
}

static void add_result(const struct tn_findings *findings, json_t *results, json_t *rules,
                       const struct tn_finding *one) {
    json_t *result = tn_list_object(results);
    tn_member_text(result, "ruleId", one->rule);
    tn_member_number(result, "ruleIndex", find_rule(rules, one));
    tn_member_text(result, "level", level_of(one));
    tn_member_set(result, "message", describe_text(one->message));
    tn_list_add(tn_member_list(result, "locations"), describe_location(findings, one));
    add_fingerprint(result, one);
    json_t *properties = tn_member_object(result, "properties");
    tn_member_text(properties, "case", one->name);
    if (one->text != NULL) tn_member_text(properties, "report", one->text);
}

bool tn_findings_write_sarif(int file, const struct tn_findings *findings) {
    json_t *log = json_pack("{ss, ss}", "$schema",
                            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                            "sarif-schema-2.1.0.json",
                            "version", "2.1.0");
    json_t *run = tn_list_object(tn_member_list(log, "runs"));
    json_t *driver = tn_member_object(tn_member_object(run, "tool"), "driver");
    char name[64];
    (void)snprintf(name, sizeof name, "tarn %s", findings->command);
    tn_member_text(driver, "name", name);
    tn_member_text(driver, "version", tn_arguments_version());
    json_t *rules = tn_member_list(driver, "rules"), *results = tn_member_list(run, "results");
    for (size_t i = 0; i < findings->count; i++)
        add_result(findings, results, rules, &findings->list[i]);
    json_t *invocation = tn_list_object(tn_member_list(run, "invocations"));
    tn_member_set(invocation, "executionSuccessful", json_boolean(findings->failure == 0));
    if (findings->failure != 0)
        tn_member_number(invocation, "exitCode", (uint64_t)findings->failure);
    json_t *arguments = tn_member_list(invocation, "arguments");
    for (char *const *word = findings->program; *word != NULL; word++) {
        json_t *text = json_string(*word);
        tn_list_add(arguments, text != NULL ? text : json_string("(not UTF-8)"));
    }
    if (findings->left_out > 0)
        tn_member_set(run, "properties",
                      json_pack("{sI}", "leftOut", (json_int_t)findings->left_out));
    char *text = json_dumps(log, JSON_INDENT(2));
    FILE *out = text != NULL ? begin_file(file) : NULL;
    bool good = out != NULL && fprintf(out, "%s\n", text) >= 0;
    good = out != NULL && end_file(out) && good;
    free(text);
    json_decref(log);
    return good;
}

// ---- annotations

// Data ends at the end of the line, a property also at a colon and a comma.
static void put_escaped(FILE *out, const char *text, bool is_property) {
    while (*text != '\0') {
        size_t length = tn_printable_length(text);
        if (*text == '%' || *text == '\n' || *text == '\r' ||
            (is_property && (*text == ':' || *text == ',')))
            (void)fprintf(out, "%%%02X", (unsigned char)*text);
        else if (length == 0)
            (void)fprintf(out, "\\x%02x", (unsigned char)*text);
        else
            (void)fwrite(text, 1, length, out);
        text += length == 0 ? 1 : length;
    }
}

void tn_findings_annotate(const struct tn_findings *findings) {
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes); // whole lines, since programs print to the same file
    if (out == NULL) return;
    for (size_t i = 0; i < findings->count; i++) {
        const struct tn_finding *one = &findings->list[i];
        (void)fprintf(out, "::%s ", level_of(one));
        if (one->place.file[0] != '\0') {
            (void)fprintf(out, "file=");
            put_escaped(out, shorten_path(one->place.file), true);
            (void)fprintf(out, ",line=%u,", one->place.line > 0 ? one->place.line : 1);
        }
        (void)fprintf(out, "title=tarn %s%%3A ", findings->command);
        put_escaped(out, one->name, true);
        (void)fprintf(out, "::");
        put_escaped(out, one->text != NULL ? one->text : one->message, false);
        (void)fprintf(out, "\n");
    }
    if (findings->failure != 0)
        (void)fprintf(out, "::error title=tarn %s::ended with status %d, without a result\n",
                      findings->command, findings->failure);
    if (fclose(out) == 0) (void)fwrite(line, 1, bytes, stderr);
    free(line);
}
