#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# MSTX as it is installed: libms_tools_ext.so exports its 14 functions and has nothing of Tarn inside,
# pkg-config leads to it and to the headers, and two C files and one of C++ make one program.
set -eu
work=$BUILD/tests/install_mstx
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/prefix" >/dev/null
libdir=$(dirname "$(dirname "$(find "$work/prefix" -name tarn.pc)")")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
library=$libdir/tarn/mstx/libms_tools_ext.so
fail() {
    echo "$*" >&2
    exit 1
}

cat >"$work/wanted" <<END
mstxDomainCreateA
mstxDomainDestroy
mstxDomainMarkA
mstxDomainRangeEnd
mstxDomainRangeStartA
mstxGetToolId
mstxMarkA
mstxMemHeapRegister
mstxMemHeapUnregister
mstxMemPermissionsAssign
mstxMemRegionsRegister
mstxMemRegionsUnregister
mstxRangeEnd
mstxRangeStartA
END
nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | diff -u "$work/wanted" -
readelf -d "$library" | grep -q 'SONAME.*\[libms_tools_ext\.so\]' || fail "another SONAME"
! nm "$library" | grep -q ' tn_' || fail "something of Tarn is inside"

flags=$(pkg-config --cflags tarn-mstx)
main=$SRC/examples/mstx-regions/main.c
printf '#include <mstx/ms_tools_ext.h>\nvoid other(void);\nvoid other(void) { mstxMarkA("m", 0); }\n' \
    >"$work/second.c"
sed 's/void other/extern "C" &/g; s/other/third/g' "$work/second.c" >"$work/third.cpp"
# compile ARGUMENTS...: with the flags of pkg-config, which writes them for a shell, with spaces escaped.
compile() { eval "\"\$CC\" -Wall -Wextra -Wpedantic -Werror $flags \"\$@\""; }
compile -std=c11 -c "$main" -o "$work/main.o"
compile -std=c11 -c "$work/second.c" -o "$work/second.o"
compile -x c++ -std=c++17 -c "$work/third.cpp" -o "$work/third.o"
"$CC" "$work/main.o" "$work/second.o" "$work/third.o" -o "$work/inline" -ldl
eval "\"\$CC\" -DMSTX_NO_IMPL \"\$main\" -o \"\$work/linked\" $(pkg-config --cflags --libs tarn-mstx)"
"$work/inline" | grep -q '256 of 4096 bytes in use, told to tool 0x0'
LD_LIBRARY_PATH=$(dirname "$library") "$work/linked" | grep -q 'told to tool 0x0'
LD_LIBRARY_PATH=$(dirname "$library") ldd "$work/linked" | grep -q "$library" ||
    fail "the library was not taken"
