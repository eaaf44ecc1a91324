#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each installed header of AscendCL compiles alone as C and as C++, and all of them together in both orders. A
# program that includes acl/acl_rt.h alone has no pools, as with CANN.
set -eu
work=$BUILD/tests/acl_headers
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/tree" >/dev/null
include=$work/tree/include/tarn/compat/acl
(cd "$include" && find acl -name '*.h' | sort) >"$work/headers"
[ "$(wc -l <"$work/headers")" -ge 30 ] || {
    echo "only $(wc -l <"$work/headers") headers are installed" >&2
    exit 1
}
c="${CC:-cc} -std=c11"
cpp="${CXX:-c++} -std=c++11"
bad=0

# compiles COMPILER SOURCE WHAT
compiles() {
    # shellcheck disable=SC2086 # the compiler and its language
    $1 -Wall -Wextra -Werror -fsyntax-only -I "$include" "$2" || {
        echo "$3 does not compile with $1" >&2
        bad=1
    }
}
while read -r header; do
    for language in c cpp; do
        echo "#include <$header>" >"$work/one.$language"
        eval "compiler=\$$language"
        # shellcheck disable=SC2154 # set by eval
        compiles "$compiler" "$work/one.$language" "$header"
    done
done <"$work/headers"
for order in sort "sort -r"; do
    $order "$work/headers" | sed 's|.*|#include <&>|' >"$work/all.c"
    cp "$work/all.c" "$work/all.cpp"
    compiles "$c" "$work/all.c" "the list of $order"
    compiles "$cpp" "$work/all.cpp" "the list of $order"
done
printf '#include <acl/acl_rt.h>\nvoid *pool(void) { return (void *)aclrtMemPoolCreate; }\n' >"$work/pool.c"
if $c -fsyntax-only -I "$include" "$work/pool.c" 2>/dev/null; then
    echo "acl/acl_rt.h declares pools, which CANN's does not" >&2
    bad=1
fi
exit $bad
