// SPDX-License-Identifier: Apache-2.0
// HIP source text as C++: what changes, and that everything else keeps its line and column.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/hipcc/rewrite.h"

static char *rewrite(const char *text, bool is_own) {
    struct tn_cxx_source source;
    size_t bytes;
    assert_true(tn_cxx_lex(&source, text, strlen(text)));
    char *result = tn_cxx_rewrite(&source, is_own, &bytes);
    assert_non_null(result);
    assert_int_equal(strlen(result), bytes);
    tn_cxx_source_end(&source);
    return result;
}

static void assert_result(const char *text, bool is_own, const char *wanted) {
    char *result = rewrite(text, is_own);
    assert_string_equal(result, wanted);
    free(result);
}

static void assert_rewritten(const char *text, const char *wanted) {
    assert_result(text, false, wanted);
}

static void assert_same(const char *text) { assert_rewritten(text, text); }

static void text_without_kernels_stays(void **state) {
    (void)state;
    assert_same("");
    assert_same("std::vector<std::vector<std::vector<int>>> v; a = b >> 3 << 2;\n");
    assert_same("auto r = R\"(k<<<1, 2>>>(3))\"; // k<<<1, 2>>>(3)\n/* k<<<1, 2>>>(3) */\n");
    assert_same("const char *s = \"k<<<1, 2>>>(3)\"; char c = '<';\n");
    assert_same("template <class T> std::ostream &operator<<<T>(std::ostream &o, const T &t);\n");
    assert_same("extern int x[]; extern \"C\" void f(); __shared__ int y[3];\n");
    assert_same("__global__ void k(int *p);\n__device__ int f() { return 1; }\n");
    assert_same("<<<<<< >>> a <<< b; k<<<1; k<<<1, 2>>>;");
}

// Text without line markers has no place to return to: insertions stay in the line.
static void launches_become_calls(void **state) {
    (void)state;
    assert_rewritten("{ k<<<g, b>>>(x); }", "{ HIP_EXT_LAUNCH((k), g, b)  (x); }");
    assert_rewritten("{ ns::k<A<B>, (a>b)><<<g, b, 0, s>>>(x); }",
                     "{ HIP_EXT_LAUNCH((ns::k<A<B>, (a>b)>), g, b, 0, s)  (x); }");
    assert_rewritten("{ k<<<1, f<A<B<int>>>()>>>(x); }",
                     "{ HIP_EXT_LAUNCH((k), 1, f<A<B<int>>>())  (x); }");
    assert_rewritten("{ k<<<1, f<int>>>>(x); }", "{ HIP_EXT_LAUNCH((k), 1, f<int>)  (x); }");
    assert_rewritten("{ k <<< x >> 2, 1 << 3 >>> (a >> b); }",
                     "{ HIP_EXT_LAUNCH((k ),  x >> 2, 1 << 3 )   (a >> b); }");
    assert_rewritten("{ c ? k<<<1, 2>>>(3) : j<<<4, 5>>>(6); }",
                     "{ c ? HIP_EXT_LAUNCH((k), 1, 2)  (3) : HIP_EXT_LAUNCH((j), 4, 5)  (6); }");
    assert_rewritten("{ if (c) (*f)<<<1, 2>>>(3); }",
                     "{ if (c) HIP_EXT_LAUNCH(((*f)), 1, 2)  (3); }");
}

static void launches_in_macros_become_calls(void **state) {
    (void)state;
    assert_rewritten("#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n",
                     "#define RUN(k, ...) HIP_EXT_LAUNCH((k), 1, 2)  (__VA_ARGS__)\n");
    assert_rewritten("#define RUN(k, g) \\\n  k##_kernel<<<g, 2>>>\n",
                     "#define RUN(k, g) \\\n  HIP_EXT_LAUNCH((k##_kernel), g, 2)  \n");
    assert_rewritten("#define BY(g, b) <<<g, b>>>\n{ k BY(1, 2)(3); n::k<T> BY (f(1), 2) (3); }",
                     "#define BY(g, b)    g, b   \n{ HIP_EXT_LAUNCH((k ), BY(1, 2))(3); "
                     "HIP_EXT_LAUNCH((n::k<T> ), BY (f(1), 2)) (3); }");
    assert_rewritten(
        "#define SINGLE <<<1, 1>>>\n#define RUN(k, p) k SINGLE (p)\n{ k SINGLE (3); }",
        "#define SINGLE    1, 1   \n#define RUN(k, p) HIP_EXT_LAUNCH((k ), SINGLE) (p)\n"
        "{ HIP_EXT_LAUNCH((k ), SINGLE) (3); }");
}

static void kernels_register_themselves(void **state) {
    (void)state;
    assert_rewritten("__global__ void k(int *p) { *p = 1; }",
                     "__global__ void k(int *p) {HIP_EXT_KERNEL_OF((int * p), k); *p = 1; }");
    assert_rewritten(
        "__global__ void __launch_bounds__(256) k(void (*f)(int), A<B, C> // D\n = {}) "
        "noexcept(true) {}",
        "__global__ void __launch_bounds__(256) k(void (*f)(int), A<B, C> // D\n = {}) "
        "noexcept(true) {HIP_EXT_BOUNDED_KERNEL_OF((256), (void ( * f ) ( int ), A < B , C >), "
        "k);}");
    assert_rewritten(
        "template <class T, int N = (3 > 2), typename... Ts> __global__ void k(Ts... t) {}",
        "template <class T, int N = (3 > 2), typename... Ts> __global__ void k(Ts... t) "
        "{HIP_EXT_KERNEL_OF((Ts ... t), k<T, N, Ts...>);}");
    assert_rewritten(
        "template <> __global__ void n::k<int>() {}",
        "template <> __global__ void n::k<int>() {HIP_EXT_KERNEL_OF((), n :: k < int >);}");
    assert_rewritten("#define DEF(n) __global__ void n##_k() {}\n",
                     "#define DEF(n) __global__ void n##_k() {HIP_EXT_KERNEL_OF((), n ## _k);}\n");
    assert_rewritten("#define KERNEL __global__ void\nKERNEL k() {}",
                     "#define KERNEL __global__ void\nKERNEL k() {HIP_EXT_KERNEL_OF((), k);}");
}

static void macros_with_arguments_come_before_parameters(void **state) {
    (void)state;
    assert_rewritten("#define LB(n)\n__global__ void LB (64) k(int *p) {}",
                     "#define LB(n)\n__global__ void LB (64) k(int *p) {"
                     "HIP_EXT_KERNEL_OF((int * p), k);}");
    assert_rewritten("#define LB(n)\n__global__ LB(64) void k() {}",
                     "#define LB(n)\n__global__ LB(64) void k() {HIP_EXT_KERNEL_OF((), k);}");
    assert_rewritten("#define END(n)\n__global__ void k(int a) END(64) {}",
                     "#define END(n)\n__global__ void k(int a) END(64) {"
                     "HIP_EXT_KERNEL_OF((int a), k);}");
    assert_rewritten("#define NAME(n) my_##n\n__global__ void NAME(k)(int *p) {}",
                     "#define NAME(n) my_##n\n__global__ void NAME(k)(int *p) {"
                     "HIP_EXT_KERNEL_OF((int * p), NAME ( k ));}");
    assert_rewritten("#define KERNEL(n) __global__ void n\nKERNEL(k)(int *p) {}",
                     "#define KERNEL(n) __global__ void n\nKERNEL(k)(int *p) {"
                     "HIP_EXT_KERNEL_OF((int * p), k);}");
    assert_same("#define KERNEL(n) __global__ void n##_k\nKERNEL(k)(int *p) {}");
    assert_same("#define KERNEL(a, n) __global__ void n\nKERNEL(1, k)(int *p) {}");
}

static void shared_memory_may_be_static(void **state) {
    (void)state;
    assert_rewritten("void f() { static __shared__ int x[3]; static int y; }",
                     "void f() {        __shared__ int x[3]; static int y; }");
    assert_rewritten("struct s { static volatile __shared__ int x; __shared__ static int y; };",
                     "struct s {        volatile __shared__ int x; __shared__        int y; };");
    assert_rewritten("#define SHARED static __shared__\n", "#define SHARED        __shared__\n");
}

static void launch_bounds_are_registered(void **state) {
    (void)state;
    assert_rewritten("__global__ __launch_bounds__(2 * N, 1) void k(int *p) { }",
                     "__global__ __launch_bounds__(2 * N, 1) void k(int *p) {"
                     "HIP_EXT_BOUNDED_KERNEL_OF((2 * N), (int * p), k); }");
    assert_rewritten("template <int N> __launch_bounds__(N) __global__ void k() { }",
                     "template <int N> __launch_bounds__(N) __global__ void k() {"
                     "HIP_EXT_BOUNDED_KERNEL_OF((N), (), k<N>); }");
}

static void templates_without_names_are_not_registered(void **state) {
    (void)state;
    assert_same("template <class> __global__ void k() {}\n");
    assert_same("template <> __global__ void k(int) {}\n");
}

static void dynamic_shared_memory_becomes_a_pointer(void **state) {
    (void)state;
    assert_rewritten("void f() { extern __shared__ float x[]; }",
                     "void f() { HIP_DYNAMIC_SHARED(            float,x) ; }");
    assert_rewritten(
        "void f() { extern __shared__ __align__(16) A<int, 3> x[][4]; }",
        "void f() { HIP_DYNAMIC_SHARED(HIP_KERNEL_NAME(                          A<int, 3>"
        "[4]),x)    ; }");
    assert_rewritten("void f() { extern __shared__ A<N / 2> x[][N / 4]; }",
                     "void f() { HIP_DYNAMIC_SHARED(            A<N / 2>[N / 4],x)        ; }");
    assert_rewritten("namespace a { extern volatile __shared__ int x[]; }",
                     "namespace a { HIP_EXT_FILE_SHARED( volatile            int,x) ; }");
    assert_same("void f() { extern __shared__ int x; }");
    assert_same("void f() { extern __shared__ int (*x)[3]; }");
    assert_same("void f() { extern __shared__ int x, y[]; }");
    assert_same("void f() { extern __shared__ int x[], y; }");
    assert_same("void f() { __shared__ int x[3]; extern int y[]; }");
}

static void each_name_of_dynamic_shared_memory_becomes_a_pointer(void **state) {
    (void)state;
    assert_rewritten("void f() { extern __shared__ int x[], y[]; }",
                     "void f() { HIP_DYNAMIC_SHARED(            int,x) ; "
                     "HIP_DYNAMIC_SHARED(int ,y) ; }");
    assert_rewritten("extern __shared__ A<int, 3> x[], *const y[][4];",
                     "HIP_EXT_FILE_SHARED(HIP_KERNEL_NAME(            A<int, 3>),x) ;        "
                     "HIP_EXT_FILE_SHARED(HIP_KERNEL_NAME(A < int , 3 > * const [4]),y)    ;");
}

static void dynamic_shared_memory_has_its_words_in_any_order(void **state) {
    (void)state;
    assert_rewritten("void f() { __shared__ extern float x[]; }",
                     "void f() { HIP_DYNAMIC_SHARED(        float,x) ; }");
    assert_same("void f() { int extern __shared__ x[]; }");
    assert_rewritten(
        "void f() { extern __shared__ alignas(8) __align__(16) int x[] __align__(4); }",
        "void f() { HIP_DYNAMIC_SHARED(                                     int,x)"
        "              ; }");
}

static void functions_lose_their_noinline(void **state) {
    (void)state;
    assert_rewritten("__device__ __noinline__ int f();", "__device__              int f();");
    assert_same(
        "__attribute__((__noinline__)) int f(); __attribute__((hot, __noinline__)) int g();");
}

// Each word of upper-case letters keeps its line and column.
static void assert_places_stay(const char *text) {
    struct tn_cxx_source before, after;
    char *result = rewrite(text, false);
    size_t at = 0, found = 0;
    assert_true(tn_cxx_lex(&before, text, strlen(text)));
    assert_true(tn_cxx_lex(&after, result, strlen(result)));
    for (size_t i = 0; i < before.count; i++) {
        const struct tn_cxx_token *token = &before.tokens[i];
        if (text[token->at] < 'A' || text[token->at] > 'Z' || token->directive != 0) continue;
        while (at < after.count &&
               (after.tokens[at].bytes != token->bytes ||
                memcmp(result + after.tokens[at].at, text + token->at, token->bytes) != 0))
            at++;
        assert_true(at < after.count);
        struct tn_cxx_place old = tn_cxx_locate(&before, token->at);
        struct tn_cxx_place new = tn_cxx_locate(&after, after.tokens[at++].at);
        assert_int_equal(old.line, new.line);
        assert_int_equal(old.column, new.column);
        assert_int_equal(old.is_system, new.is_system);
        found++;
    }
    assert_true(found > 0);
    tn_cxx_source_end(&before);
    tn_cxx_source_end(&after);
    free(result);
}

static void lines_and_columns_stay(void **state) {
    (void)state;
    assert_places_stay("# 1 \"a.hip\"\n\n\tif (A) K<<<G, B>>>(C, D); E;\nF;\n");
    assert_places_stay("# 5 \"a.h\" 1 3\n__global__ void K(int *p) { *p = A; }  B;\nC\n");
    assert_places_stay("# 5 \"a.h\"\nvoid F() {\n  extern __shared__  TYPE NAME[];  B;\n C }\n");
    assert_places_stay("# 5 \"a.h\"\nvoid F() { K<<<\n  G,\n B>>>\n(A,\n  C); D; }\n");
}

static void macro_arguments_get_no_line_marker(void **state) {
    (void)state;
    assert_rewritten("# 5 \"a.hip\"\n{ CHECK(k<<<1, 2>>>(3)); }\n",
                     "# 5 \"a.hip\"\n{ CHECK( HIP_EXT_LAUNCH((k), 1, 2)  (3)); }\n");
}

// As clang leaves them: a brace that two branches open is closed once.
static void both_branches_of_a_condition_may_open_a_scope(void **state) {
    (void)state;
    assert_rewritten("#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nextern __shared__ int x[];",
                     "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n"
                     "HIP_EXT_FILE_SHARED(            int,x) ;");
}

static void assert_own(const char *text, const char *wanted) { assert_result(text, true, wanted); }

static void device_functions_and_variables_belong_to_their_file(void **state) {
    (void)state;
    assert_own(
        "__device__ int x; static __constant__ int y[2]; namespace n { __managed__ int z; }",
        "HIP_EXT_D_ int x; static HIP_EXT_D_   int y[2]; namespace n { HIP_EXT_D_  int z; }");
    assert_own("template <class T> __device__ T f(T); template <> __device__ int f(int);",
               "template <class T> HIP_EXT_T_ T f(T); template <> HIP_EXT_D_ int f(int);");
    assert_own(
        "template <class T> __device__ T s<T>::f() {} template <class T> static __device__ T g();",
        "template <class T> HIP_EXT_D_ T s<T>::f() {} template <class T> static HIP_EXT_D_ T g();");
    assert_own("#define D __device__ inline\ntemplate <class T> D T f(T);\n",
               "#define D HIP_EXT_D_ inline\ntemplate <class T> HIP_EXT_T_ D T f(T);\n");
    assert_own("struct s { __host__ __device__ s() : a{1} {} __host__ __device__ int "
               "operator()(int) {} };",
               "struct s { __host__ HIP_EXT_D_ s() : a{1} {} __host__ HIP_EXT_D_ int "
               "operator()(int) {} };");
}

static void other_declarations_keep_their_names(void **state) {
    (void)state;
    assert_own("__host__ __device__ int f() {}", "__host__ __device__ int f() {}");
    assert_own("struct s { friend __host__ __device__ int f(s) {} __host__ __device__ int g(); };",
               "struct s { friend __host__ __device__ int f(s) {} __host__ __device__ int g(); };");
    assert_own("extern \"C\" __device__ int f(); extern \"C\" { __device__ int g(); }",
               "extern \"C\" __device__ int f(); extern \"C\" { __device__ int g(); }");
    assert_own("typedef __device__ int (*f)(); auto l = [] __device__(int) {};",
               "typedef __device__ int (*f)(); auto l = [] __device__(int) {};");
    assert_own("void f() { auto l = [] __device__ { }; }",
               "void f() { auto l = [] __device__ { }; }");
    assert_own("#define BOTH __host__ __device__\n", "#define BOTH __host__ __device__\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_without_kernels_stays),
        cmocka_unit_test(launches_become_calls),
        cmocka_unit_test(launches_in_macros_become_calls),
        cmocka_unit_test(kernels_register_themselves),
        cmocka_unit_test(macros_with_arguments_come_before_parameters),
        cmocka_unit_test(launch_bounds_are_registered),
        cmocka_unit_test(shared_memory_may_be_static),
        cmocka_unit_test(templates_without_names_are_not_registered),
        cmocka_unit_test(dynamic_shared_memory_becomes_a_pointer),
        cmocka_unit_test(each_name_of_dynamic_shared_memory_becomes_a_pointer),
        cmocka_unit_test(dynamic_shared_memory_has_its_words_in_any_order),
        cmocka_unit_test(functions_lose_their_noinline),
        cmocka_unit_test(lines_and_columns_stay),
        cmocka_unit_test(macro_arguments_get_no_line_marker),
        cmocka_unit_test(both_branches_of_a_condition_may_open_a_scope),
        cmocka_unit_test(device_functions_and_variables_belong_to_their_file),
        cmocka_unit_test(other_declarations_keep_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
