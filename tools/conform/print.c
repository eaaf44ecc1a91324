// SPDX-License-Identifier: Apache-2.0
// The differences between two sets of answers: as text, as members of a result, and as a page. One
// thread.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/conform/conform.h"
#include "tools/result.h"

struct counts {
    size_t all, of[TN_UNASKED + 1], absent;
};

static struct counts count_answers(const struct tn_suite *suite, const struct tn_asked *tarn,
                                   const struct tn_asked *other) {
    const struct tn_asked *asked = other->is_recorded ? tarn : other;
    struct counts counts = {0};
    for (size_t i = 0; i < suite->count; i++) {
        if (asked->answers[i] == NULL) continue;
        counts.all++;
        counts.of[tn_conform_compare(tarn->answers[i], other->answers[i])]++;
        counts.absent += other->answers[i] != NULL && strstr(other->answers[i], "=absent") != NULL;
    }
    return counts;
}

static const char *shown(const char *answer) { return answer != NULL ? answer : "not asked"; }

size_t tn_conform_print(const struct tn_suite *suite, const struct tn_asked *tarn,
                        const struct tn_asked *other) {
    struct counts counts = count_answers(suite, tarn, other);
    for (size_t i = 0; tn_result_shows_text() && i < suite->count; i++) {
        const struct tn_question *question = suite->questions[i];
        if (tn_conform_compare(tarn->answers[i], other->answers[i]) == TN_DIFFERS)
            printf("%s.%s (%s)\n  %-8s %s\n  %-8s %s\n", question->group, question->name,
                   question->source, tarn->label, tarn->answers[i], other->label,
                   other->answers[i]);
    }
    if (tn_result_shows_text())
        printf(
            "%zu question(s): %zu answer(s) agree, %zu differ, %zu cannot be compared; %zu name a "
            "function that the %s library lacks\n",
            counts.all, counts.of[TN_AGREES], counts.of[TN_DIFFERS], counts.of[TN_UNASKED],
            counts.absent, other->label);
    return counts.of[TN_DIFFERS];
}

// ---- JSON

// Converts "name=value name="some text"" to a list of pairs.
static json_t *make_pairs(const char *answer) {
    json_t *pairs = json_array();
    while (answer != NULL && *answer != '\0') {
        size_t name = strcspn(answer, "="), value;
        const char *at = answer + name + (answer[name] == '=');
        bool is_text = *at == '"';
        at += is_text;
        const char *end = is_text ? strstr(at, "\" ") : strchr(at, ' ');
        value = end != NULL ? (size_t)(end - at) : strlen(at) - (is_text && *at != '\0');
        bool is_number = !is_text && (isdigit((unsigned char)*at) || *at == '-');
        tn_list_add(pairs, json_pack("[s#, o]", answer, (int)name,
                                     is_number ? json_integer(strtoll(at, NULL, 10))
                                               : json_stringn(at, value)));
        answer = end != NULL ? end + 1 + is_text : at + strlen(at);
    }
    return pairs;
}

static json_t *make_answers(const struct tn_suite *suite, const struct tn_asked *asked) {
    json_t *answers = json_array();
    for (size_t i = 0; i < suite->count; i++) {
        const struct tn_question *question = suite->questions[i];
        if (asked->answers[i] != NULL)
            tn_list_add(answers, json_pack("{ss++, ss, so}", "id", question->group, ".",
                                           question->name, "source", question->source, "answer",
                                           make_pairs(asked->answers[i])));
    }
    return json_pack("{so, so}", "about", make_pairs(asked->about), "answers", answers);
}

json_t *tn_conform_result(const struct tn_suite *suite, const struct tn_asked *tarn,
                          const struct tn_asked *other) {
    json_t *result = json_pack("{ss, si, so}", "api", suite->api->name, "questions",
                               (int)suite->count, "tarn", make_answers(suite, tarn));
    if (other == NULL) return result;
    struct counts counts = count_answers(suite, tarn, other);
    json_t *differences = json_array();
    for (size_t i = 0; i < suite->count; i++)
        if (tn_conform_compare(tarn->answers[i], other->answers[i]) == TN_DIFFERS)
            tn_list_add(differences,
                        json_pack("{ss++, ss, so, so}", "id", suite->questions[i]->group, ".",
                                  suite->questions[i]->name, "source", suite->questions[i]->source,
                                  "tarn", make_pairs(tarn->answers[i]), other->label,
                                  make_pairs(other->answers[i])));
    tn_member_set(result, other->label, make_answers(suite, other));
    tn_member_number(result, "agree", counts.of[TN_AGREES]);
    tn_member_number(result, "differ", counts.of[TN_DIFFERS]);
    tn_member_number(result, "absent", counts.absent);
    tn_member_set(result, "differences", differences);
    return result;
}

// ---- the page

static void put_text(FILE *out, const char *before, const char *text, const char *after) {
    (void)fputs(before, out);
    for (; *text != '\0'; text++)
        if (*text == '<')
            (void)fputs("&lt;", out);
        else if (*text == '&')
            (void)fputs("&amp;", out);
        else
            (void)fputc(*text, out);
    (void)fputs(after, out);
}

void tn_conform_page(const struct tn_suite *suite, const struct tn_asked *tarn,
                     const struct tn_asked *other, FILE *out) {
    static const char *const marks[] = {"", " class=differs", " class=unasked"};
    struct counts counts = count_answers(suite, tarn, other);
    (void)fprintf(
        out,
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>tarn conform: %s</title>\n"
        "<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:2em}"
        "td,th{text-align:left;vertical-align:top;padding:2px 8px;border-top:1px solid #8884}"
        "td:nth-child(n+3){font-family:monospace}.differs{background:#f802}.unasked{opacity:.6}"
        "input:checked~table tr.same{display:none}</style>\n<h1>tarn conform: %s</h1>\n",
        suite->api->name, suite->api->name);
    put_text(out, "<p>Tarn: ", shown(tarn->about), "<br>\n");
    put_text(out, other->label, ": ", "");
    put_text(out, "", shown(other->about), "</p>\n");
    (void)fprintf(out,
                  "<p>%zu questions: %zu answers agree, %zu differ, %zu cannot be compared.</p>\n"
                  "<input type=checkbox id=only checked><label for=only>only what differs</label>\n"
                  "<table><tr><th>question<th>source<th>Tarn<th>%s</tr>\n",
                  counts.all, counts.of[TN_AGREES], counts.of[TN_DIFFERS], counts.of[TN_UNASKED],
                  other->label);
    for (size_t i = 0; i < suite->count; i++) {
        enum tn_agreement agreement = tn_conform_compare(tarn->answers[i], other->answers[i]);
        (void)fprintf(out, "<tr%s><td>%s.%s",
                      agreement == TN_AGREES ? " class=same" : marks[agreement],
                      suite->questions[i]->group, suite->questions[i]->name);
        put_text(out, "<td>", suite->questions[i]->source, "");
        put_text(out, "<td>", shown(tarn->answers[i]), "");
        put_text(out, "<td>", shown(other->answers[i]), "</tr>\n");
    }
    (void)fputs("</table></html>\n", out);
}
