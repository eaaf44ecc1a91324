// SPDX-License-Identifier: Apache-2.0
// Tokens of C++, and the places that line markers give them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tools/hipcc/brackets.h"

static struct tn_cxx_source lex(const char *text) {
    struct tn_cxx_source source;
    assert_true(tn_cxx_lex(&source, text, strlen(text)));
    return source;
}

// Compares the tokens with a list in which a blank follows each. A token of a directive has a "#" before
// it, and text in quotes a "'".
static void assert_tokens(const char *text, const char *wanted) {
    struct tn_cxx_source source = lex(text);
    char found[1024] = "";
    for (size_t i = 0; i < source.count; i++) {
        const struct tn_cxx_token *token = &source.tokens[i];
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s%.*s ", token->directive ? "#" : "",
                       token->kind == TN_CXX_TEXT ? "'" : "", (int)token->bytes, text + token->at);
    }
    assert_string_equal(found, wanted);
    tn_cxx_source_end(&source);
}

static void blanks_and_comments_separate_tokens(void **state) {
    (void)state;
    assert_tokens("", "");
    assert_tokens("a/* b<<<c */d//e\nf", "a d f ");
    assert_tokens("a// b \\\nc\nd", "a d ");
    assert_tokens("a\\\nb \\\r\n c", "a b c ");
    assert_tokens("a /* no end", "a ");
    assert_tokens("a / b", "a / b ");
}

static void marks_are_what_brackets_need(void **state) {
    (void)state;
    assert_tokens("k<<<1,2>>>(a->b::c)", "k < < < 1 , 2 > > > ( a -> b :: c ) ");
    assert_tokens("a<=b>=c##d", "a <= b >= c ## d ");
}

static void numbers_have_exponents_and_quotes(void **state) {
    (void)state;
    assert_tokens("1'000'000 1e+5f .5e-3 0x1p-2 1+2 1..2",
                  "1'000'000 1e+5f .5e-3 0x1p-2 1 + 2 1..2 ");
}

static void literals_hide_what_is_in_them(void **state) {
    (void)state;
    assert_tokens("\"a<<<\\\"b\" '\\'' L'x' u8\"y\"_z", "'\"a<<<\\\"b\" ''\\'' 'L'x' 'u8\"y\" _z ");
    assert_tokens("R\"(a\")\" LR\"d(\n)x\" )d\" e", "'R\"(a\")\" 'LR\"d(\n)x\" )d\" e ");
    assert_tokens("xR\"(a)\"", "xR '\"(a)\" ");
    assert_tokens("don't\nb", "don ' t b ");
    assert_tokens("R\"(no end", "'R\"(no end ");
    assert_tokens("R\"much too long a name(x)", "R \" much too long a name ( x ) ");
}

static void directives_end_with_their_line(void **state) {
    (void)state;
    assert_tokens("a\n # define B(x) \\\n x // c\nd # e", "a ## #define #B #( #x #) #x d # e ");
    assert_tokens("#include <a/b's.h>\n#if a < b\nc", "## #include #'<a/b's.h> ## #if #a #< #b c ");
    assert_tokens("#\na", "## a ");
}

static void assert_place(const struct tn_cxx_source *source, size_t token, const char *file,
                         uint32_t line, uint32_t column) {
    struct tn_cxx_place place = tn_cxx_locate(source, source->tokens[token].at);
    assert_int_equal(place.file_bytes, file != NULL ? strlen(file) : 0);
    if (file != NULL) assert_memory_equal(place.file, file, strlen(file));
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void line_markers_give_places(void **state) {
    struct tn_cxx_source source = lex(
        "a\n b\n# 7 \"f.h\" 1 3 4\n  c\n#line 9\nd\n# 3 \"g.hip\" 2\ne\n#if 1\nf\n#warning 5\ng");
    (void)state;
    assert_place(&source, 0, NULL, 1, 1);
    assert_place(&source, 1, NULL, 2, 2);
    assert_place(&source, 8, "\"f.h\"", 7, 3);
    assert_true(tn_cxx_locate(&source, source.tokens[8].at).is_system);
    assert_place(&source, 12, "\"f.h\"", 9, 1);
    assert_place(&source, 17, "\"g.hip\"", 3, 1);
    assert_false(tn_cxx_locate(&source, source.tokens[17].at).is_system);
    assert_place(&source, 21, "\"g.hip\"", 5, 1);
    assert_place(&source, 25, "\"g.hip\"", 7, 1);
    assert_int_equal(source.origin_count, 3);
    tn_cxx_source_end(&source);
}

// The expression that ends before the first "@" begins with this token.
static void assert_starts(const char *text, const char *wanted) {
    struct tn_cxx_source source = lex(text);
    size_t at = 0;
    while (!tn_cxx_is(&source, at, "@")) at++;
    size_t start = tn_cxx_expression_start(&source, at - 1);
    if (wanted == NULL) {
        assert_int_equal(start, TN_CXX_NONE);
    } else {
        assert_int_not_equal(start, TN_CXX_NONE);
        assert_memory_equal(text + source.tokens[start].at, wanted, strlen(wanted));
    }
    tn_cxx_source_end(&source);
}

static void expressions_begin_with_their_first_name(void **state) {
    (void)state;
    assert_starts("x; k@", "k@");
    assert_starts("return ns::k<A<B<C>>, (a > b)>@", "ns::");
    assert_starts("return ::k@", "::k");
    assert_starts("if (a) k@", "k@");
    assert_starts("if (a) (*k)@", "(*k)");
    assert_starts("while (f(a)) (*k)@", "(*k)");
    assert_starts("else a.b->c[i](x)(y)@", "a.b");
    assert_starts("f<int>()@", "f<int>");
    assert_starts("a = p->template k<1>@", "p->");
    assert_starts("void n##_k@", "n##");
    assert_starts("x\n#if 1\n y\n#endif\n k@", "k@");
    assert_starts("a > @", NULL);
    assert_starts("; @", NULL);
    assert_starts(") @", NULL);
    assert_starts("{ } > @", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_and_comments_separate_tokens),
        cmocka_unit_test(marks_are_what_brackets_need),
        cmocka_unit_test(numbers_have_exponents_and_quotes),
        cmocka_unit_test(literals_hide_what_is_in_them),
        cmocka_unit_test(directives_end_with_their_line),
        cmocka_unit_test(line_markers_give_places),
        cmocka_unit_test(expressions_begin_with_their_first_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
