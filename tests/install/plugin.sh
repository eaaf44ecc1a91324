#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installed plug-ins: each exports what its header declares and nothing else, needs nothing but libc,
# has a header that stands alone in C and C++, and is found by the Python beside it.
set -eu
work=$BUILD/tests/install_plugin
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
bad=0
complain() {
    echo "$*" >&2
    bad=1
}

for folder in "$SRC"/plugin/*/; do
    name=$(basename "$folder")
    library=$(find "$prefix" -name "libtarn-$name.so")
    header=$prefix/include/tarn/plugin/$name.h
    if [ -z "$library" ] || [ ! -e "$header" ]; then
        complain "$name: the library or its header is not installed"
        continue
    fi
    # A prototype may span lines: join each declaration that begins with the mark up to its semicolon.
    awk '/^TARN_[A-Z]*_API/ { text = ""; inside = 1 }
         inside { text = text " " $0 }
         inside && /;/ { inside = 0; sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text }' \
        "$header" | sort >"$work/declared"
    nm -D --defined-only "$library" | sed 's/@.*//' | awk '$2 != "A" { print $3 }' |
        sort >"$work/exported"
    [ -s "$work/declared" ] || complain "$name: nothing is declared"
    diff -u "$work/declared" "$work/exported" || complain "$name: declared and exported differ"
    needs=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' |
        grep -vE '^(libc|libdl|libpthread|ld-linux.*)\.so' || true)
    [ -z "$needs" ] || complain "$name needs $needs"
    printf '#include <tarn/plugin/%s.h>\n' "$name" >"$work/x.c"
    for language in c c++; do
        "$CC" -x $language -Wall -Wextra -Werror -fsyntax-only -I "$prefix/include" "$work/x.c" ||
            complain "$name: its header does not stand alone in $language"
    done
done

if command -v python3 >/dev/null; then
    PYTHONDONTWRITEBYTECODE=1 TARN_TORCH_DEVICE=host:0,memory=64M \
        python3 "$prefix/share/tarn/python/tarn_plugin.py" >"$work/out" ||
        complain "the Python that is installed does not find the library"
    grep -q "^$prefix/lib.*libtarn-torch.so: host:0" "$work/out" || complain "$(cat "$work/out")"
fi
exit $bad
