#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed tree serves a stranger's program by CMake and by pkg-config, shared and static, also
# after it was moved.
set -eu
work=$BUILD/tests/install
here=$SRC/tests/install/consumer
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved

expect() {
    [ -e "$prefix/$1" ] || {
        echo "not installed: $1" >&2
        exit 1
    }
}
libdir=$(dirname "$(dirname "$(find "$prefix" -name tarn.pc)")")
libdir=${libdir#"$prefix"/}
for file in include/tarn/tarn.h include/tarn/base.h "$libdir/libtarn.a" "$libdir/libtarn.so.0" \
    "$libdir/pkgconfig/tarn.pc" "$libdir/cmake/tarn/tarn-config.cmake" share/doc/tarn/LICENSE; do
    expect "$file"
done
if [ -x "$BUILD/bin/tarn" ]; then
    "$prefix/bin/tarn" --version
fi

# uses_shared PROGRAM: does it load libtarn.so?
uses_shared() { readelf -d "$1" | grep -q 'NEEDED.*libtarn\.so\.0'; }
fail() {
    echo "$*" >&2
    exit 1
}

cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    >/dev/null
cmake --build "$work/cmake" >/dev/null
"$work/cmake/consumer_shared"
"$work/cmake/consumer_static"
uses_shared "$work/cmake/consumer_shared" || fail "tarn::tarn is not the shared library"
! uses_shared "$work/cmake/consumer_static" || fail "tarn::tarn_static is not the static library"

PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion tarn)" = "$("$work/cmake/consumer_static" |
    sed 's/.*library //' | awk '{ printf "%d.%d.%d", $1 / 1000000, $1 / 1000 % 1000, $1 % 1000 }')" ] ||
    fail "pkg-config names another version"
# pkg-config writes flags for a shell, with spaces escaped.
eval "\"\$CC\" \"\$here/main.c\" -o \"\$work/by_pkgconfig\" $(pkg-config --cflags --libs tarn)"
LD_LIBRARY_PATH=$prefix/$libdir "$work/by_pkgconfig"
others=$(pkg-config --static --libs-only-l --libs-only-other tarn | sed 's/-ltarn//')
eval "\"\$CC\" \"\$here/main.c\" -o \"\$work/by_pkgconfig_static\" $(pkg-config --cflags tarn) \
    \"\$prefix/\$libdir/libtarn.a\" $others"
"$work/by_pkgconfig_static"
