#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installed faces serve strangers' programs by pkg-config, by CMake and by `tarn run`, also after the
# tree was moved; they lie where no loader looks by itself; and a program that would get another
# library in spite of `tarn run` is told so.
set -eu
work=$BUILD/tests/install_faces
here=$SRC/tests/install/faces
rm -rf "$work"
mkdir -p "$work"
cmake --install "$BUILD" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(dirname "$(find "$prefix" -name tarn.pc)")")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
unset LD_LIBRARY_PATH TARN_HIP_DEVICE TARN_ACL_DEVICE TARN_ACL_GENERATION TARN_ACL_MODE TARN_DEVICE
fail() {
    echo "$*" >&2
    exit 1
}

cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    >/dev/null
cmake --build "$work/cmake" >/dev/null
for program in "$here"/*.c; do
    face=$(basename "$program" .c)
    folder=$libdir/tarn/$face
    [ "$(pkg-config --variable=libdir "tarn-$face" | xargs realpath)" = "$(realpath "$folder")" ] ||
        fail "tarn-$face.pc names another folder"
    # pkg-config writes flags for a shell, with spaces escaped.
    eval "\"\$CC\" \"\$program\" -o \"\$work/\$face\" $(pkg-config --cflags --libs "tarn-$face")"
    "$prefix/bin/tarn" run --as "$face" -- "$work/$face" || fail "$face by pkg-config"
    "$prefix/bin/tarn" run --as "$face" -- env LD_DEBUG=libs LD_DEBUG_OUTPUT="$work/loaded" \
        "$work/$face" >/dev/null
    cat "$work"/loaded.* | grep -q "calling init: $(realpath "$folder")/" ||
        fail "$face: another library was taken"
    "$work/cmake/$face" || fail "$face by CMake"

    # Libraries that need no other but those beside them, under one roof.
    for library in "$folder"/lib*.so*; do
        [ ! -L "$library" ] || continue
        needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
            grep -vE '^(libc|libpthread|libdl|ld-linux.*)\.so\.' || true)
        for other in $needed; do
            [ -e "$folder/$other" ] || fail "$library needs $other"
        done
        # Programs may open it at any time; then there is little room for variables of threads.
        ! readelf -d "$library" | grep STATIC_TLS || fail "$library cannot always be opened late"
        name=$(basename "$library")
        # A folder below has the library of an older release.
        [ "$(find "$prefix" -name "$name" ! -path "$folder/*/*" | wc -l)" = 1 ] || fail "$name lies elsewhere too"
    done
done

# --- the fronts of the driver library of CUDA ---------------------------------------------------------
for program in "$here"/front/*.c; do
    front=$(basename "$program" .c)
    eval "\"\$CC\" \"\$program\" -o \"\$work/\$front\" $(pkg-config --cflags --libs "tarn-$front")"
    "$prefix/bin/tarn" run --as cuda -- "$work/$front" || fail "$front by pkg-config"
    LD_LIBRARY_PATH=$libdir/tarn/cuda "$work/$front" || fail "$front by its path"
    "$work/cmake/$front" || fail "$front by CMake"
done

# --- a program of another release -------------------------------------------------------------------
eval "\"\$CC\" \"\$here/hip.c\" -o \"\$work/seven\" $(pkg-config --cflags tarn-hip) -L\"\$libdir/tarn/hip\" \
    -l:libamdhip64.so.7"
readelf -d "$work/seven" | grep -q 'NEEDED.*libamdhip64\.so\.7' || fail "libamdhip64.so.7 has another name"
"$prefix/bin/tarn" run --as hip -- "$work/seven" >"$work/out" 2>"$work/err" || fail "libamdhip64.so.7"
[ ! -s "$work/err" ] || fail "a warning about a library that the face has"

# --- a program that brings its own library ---------------------------------------------------------
echo 'int hipGetDeviceCount(int *n) { *n = 9; return 0; } int hipRuntimeGetVersion(int *v) { return *v = 0; }' \
    >"$work/vendor.c"
# vendor SONAME FOLDER: another library of that name, and a program linked with it by LINKER-FLAGS...
vendor() {
    mkdir -p "$work/$2"
    "$CC" -shared -fPIC "$work/vendor.c" -o "$work/$2/libamdhip64.so.6" -Wl,-soname,"$1"
    ln -sf libamdhip64.so.6 "$work/$2/libamdhip64.so"
    [ -e "$work/$2/$1" ] || ln -s libamdhip64.so.6 "$work/$2/$1"
    program=$work/$2/program
    # shellcheck disable=SC2034 # eval uses it
    libraries=$work/$2
    shift 2
    eval "\"\$CC\" \"\$here/hip.c\" -o \"\$program\" $(pkg-config --cflags tarn-hip) -L\"\$libraries\" -lamdhip64 \"\$@\""
}
warns() {
    "$prefix/bin/tarn" run --as hip -- "$program" >"$work/out" 2>"$work/err" || true
    grep 'warning' "$work/err" || true
}
vendor libamdhip64.so.6 vendor -Wl,--disable-new-dtags,-rpath,"\$ORIGIN"
case $(warns) in
*"leads to $work/vendor/libamdhip64.so.6"*) ;;
*) fail "an RPATH that wins was not told" ;;
esac
grep -q ' 9 devices' "$work/out" || fail "the RPATH did not win after all"
vendor libamdhip64.so.6 vendor -Wl,--enable-new-dtags,-rpath,"\$ORIGIN"
[ -z "$(warns)" ] || fail "a warning about a RUNPATH, which does no harm"
grep -q ' 9 devices' "$work/out" && fail "the face was not in front of the RUNPATH"
vendor libamdhip64.so.5 older
case $(warns) in
*"needs libamdhip64.so.5, which is not libamdhip64.so.6"*) ;;
*) fail "a library of another number was not told" ;;
esac
printf 'int main(void) { return 0; }\n' >"$work/static.c"
program=$work/static
"$CC" -static "$work/static.c" -o "$program"
case $(warns) in
*"linked statically"*) ;;
*) fail "a static program was not told" ;;
esac
