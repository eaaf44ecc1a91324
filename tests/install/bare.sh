#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library needs only gcc, cmake and make, as part of another project and by itself. The test builds it in
# a root folder that contains nothing else. A part that is left out is named with the packages that it needs.
set -eu
"$SRC/tests/install/root/possible.sh" || exit 77
work=$BUILD/tests/bare
root=$work/root
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
enter() { "$SRC/tests/install/root/enter.sh" "$root" "$@"; }
fail() {
    echo "$*" >&2
    exit 1
}

"$SRC/tests/install/root/make.sh" "$root" gcc libc6-dev cmake make
for tool in pkg-config python3 ninja git c++ clang; do
    ! enter sh -c "command -v $tool" || fail "the root has $tool"
done
for header in zlib.h zstd.h lzma.h sqlite3.h jansson.h elfutils/libdw.h ucp/api/ucp.h; do
    [ ! -e "$root/usr/include/$header" ] || fail "the root has $header"
done
mkdir "$root/src"
tar -C "$SRC" --exclude=./build --exclude=./.git --exclude=./traces -cf - . | tar -C "$root/src" -xf -

enter sh -e -c '
    cmake -S /src/tests/install/subproject -B /tmp/b -DFETCHCONTENT_SOURCE_DIR_TARN=/src
    make -C /tmp/b -j 4
    /tmp/b/consumer_shared
    /tmp/b/consumer_static' >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the library is not built as part of another project"
}

enter cmake -S /src -B /tmp/top >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the sources are not configured by themselves"
}
for part in "TARN_CHECK.*: pkg-config libdw-dev" "TARN_TOOLS.*: pkg-config .*libjansson-dev"; do
    grep -q "^tarn: left out: .*$part" "$work/log" || {
        cat "$work/log" >&2
        fail "no message: $part"
    }
done
! enter cmake -S /src -B /tmp/top -DTARN_TOOLS=ON >"$work/log" 2>&1 || fail "TARN_TOOLS=ON is no error"
grep -q "libjansson-dev" "$work/log" || fail "the error does not name libjansson-dev"
