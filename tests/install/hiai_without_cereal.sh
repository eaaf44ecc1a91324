#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where cereal is not installed, all headers of Matrix compile, the example of engines builds and runs,
# and the registrations that need cereal say so. The system's headers without cereal are a folder of
# links, which replaces their own folder in the compiler's search list.
set -eu
work=$BUILD/tests/hiai_without_cereal
include=$SRC/compat/hiai/include
example=$SRC/examples/frames-cpp
rm -rf "$work"
mkdir -p "$work/usr"
for entry in /usr/include/*; do
    [ "${entry##*/}" = cereal ] || ln -s "$entry" "$work/usr/"
done

# search COMPILER: prints its options for the folders in which it looks for headers, without cereal.
search() {
    printf '%s\n' -nostdinc
    "$1" -x c++ -E -v /dev/null 2>&1 >/dev/null | sed -n '/^#include <\.\.\.>/,/^End of/s/^ //p' |
        while read -r folder; do
            [ "$folder" = /usr/include ] && folder=$work/usr
            [ -e "$folder/cereal" ] || printf '%s\n' "-isystem$folder"
        done
}

(cd "$include" && find . -name '*.h' | sed 's|^\./||' | sort | sed 's|.*|#include <&>|') >"$work/all.cpp"
cat >>"$work/all.cpp" <<'END'
#ifdef HIAIX_HAS_CEREAL
#error "cereal is not hidden"
#endif
struct Note {
    std::string text;
    HIAI_SERIALIZE(text)
};
#ifdef ONE
HIAI_REGISTER_DATA_TYPE("note", Note)
#endif
#ifdef TEMPLATE
HIAI_REGISTER_TEMPLATE_DATA_TYPE("pair", std::map, int, Note);
#endif
END

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    build() { # the compiler's search list has no blanks
        # shellcheck disable=SC2046
        "$compiler" $(search "$compiler") -std=c++11 -Wall -Wextra -Werror -I "$include" "$@"
    }
    build -fsyntax-only "$work/all.cpp"
    for macro in ONE:HIAI_REGISTER_DATA_TYPE TEMPLATE:HIAI_REGISTER_TEMPLATE_DATA_TYPE; do
        said=$(build -fsyntax-only "-D${macro%:*}" "$work/all.cpp" 2>&1) && {
            echo "$compiler: ${macro#*:} compiled without cereal" >&2
            exit 1
        }
        [ "${said#*"${macro#*:} needs cereal (libcereal-dev)"}" != "$said" ] || {
            echo "$compiler: the error does not name cereal: $said" >&2
            exit 1
        }
    done
    build "$example"/main.cpp -L "$BUILD/lib/tarn/hiai" -lhiai_matrix -pthread \
        -Wl,-rpath,"$BUILD/lib/tarn/hiai" -o "$work/frames"
    build -shared -fPIC -fvisibility=hidden "$example"/worker.cpp -o "$work/worker.so"
    "$work/frames" "$work/worker.so"
    TARN_HIAI_MODE=RC "$work/frames" "$work/worker.so"
done
