#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A face exports what its headers declare, and what the vendor's library exports beside that; each name
# carries the version that it carries there, for which tests/compat/NAME/symbols.txt stands. A name that
# is not in that list, or has no version there, is ours, and carries none. A program that was
# linked with the vendor's HIP and needs every name at its start runs.
set -eu
work=$BUILD/tests/face_symbols
rm -rf "$work"
mkdir -p "$work"
LC_ALL=C
export LC_ALL
bad=0

# declared FOLDER: functions whose prototypes in the headers under FOLDER ask to be exported: by an attribute,
# or by a pragma around them.
declared() {
    (cd "$1" && find . -name '*.h' | sort | sed 's|^\./\(.*\)|#include <\1>|') |
        "$CC" -E -P -I "$1" -I "$SRC/compat/kernel/include" - >"$work/headers"
    {
        awk 'BEGIN { RS = ";" } /visibility\("default"\)/' ORS=';' "$work/headers"
        # Of the lines between the pragmas, what stands outside of braces.
        awk '/^#pragma GCC visibility push\(default\)/ { on = 1; next }
             /^#pragma GCC visibility pop/ { on = 0; next }
             on && !/^#/ {
                 for (i = 1; i <= length($0); i++) {
                     c = substr($0, i, 1)
                     if (c == "{") depth++
                     else if (c == "}" && --depth == 0) c = ";"
                     if (depth == 0) printf "%s", c
                 }
                 print ""
             }' "$work/headers" |
            awk 'BEGIN { RS = ";" } !/(^|[^A-Za-z0-9_])(typedef|static)[^A-Za-z0-9_]/ && /\(/' ORS=';'
    } | awk 'BEGIN { RS = ";" }
             {
                 gsub(/__attribute__ *\(\([^)]*\)*/, "")
                 sub(/\(.*/, "")
                 sub(/.*[^A-Za-z0-9_]/, "")
             }
             /./' | sort -u
}

# only_left TEXT A B: complains of the lines that are in A alone.
only_left() {
    comm -23 "$2" "$3" >"$work/alone"
    [ -s "$work/alone" ] || return 0
    echo "$1:" >&2
    cat "$work/alone" >&2
    bad=1
}

# check_library FACE LIBRARY LIST
check_library() {
    face=$1
    # The names of the versions themselves are absolute.
    nm -D --with-symbol-versions --defined-only "$2" | awk '$2 != "A" { print $3 }' |
        sort >"$work/exported"
    sed 's/@.*//' "$work/exported" | sort >"$work/names"
    awk '!/^#/ { print $1 }' "$3" | sort >"$work/listed"
    sed 's/@.*//' "$work/listed" | sort >"$work/listed_names"
    declared "$SRC/compat/$face/include" >"$work/declared"
    [ -s "$work/exported" ] && [ -s "$work/listed" ] && [ -s "$work/declared" ]

    only_left "$face: declared, not exported (not written, or not in $face.map)" \
        "$work/declared" "$work/names"
    sort -u "$work/declared" "$work/listed_names" >"$work/known"
    only_left "$face: exported, but neither declared nor a name of the vendor's library" \
        "$work/names" "$work/known"
    # A program with CANN's headers calls any of them, and expects an answer.
    [ "$face" != acl ] || only_left "$face: exported, but no header declares it" \
        "$work/names" "$work/declared"
    # An export that has a version, or a name of the list, is a line of the list.
    awk -F @ 'NR == FNR { known[$1] = 1; next } NF > 1 || $1 in known' \
        "$work/listed" "$work/exported" >"$work/versioned"
    only_left "$face: another version than in the vendor's library" "$work/versioned" "$work/listed"
}

for list in "$SRC"/tests/compat/*/symbols.txt; do
    face=$(basename "$(dirname "$list")")
    find "$BUILD/lib/tarn/$face" -type f -name 'lib*.so*' >"$work/libraries"
    [ -s "$work/libraries" ]
    while read -r library; do
        check_library "$face" "$library" "$list"
    done <"$work/libraries"
done

# stub SONAME: a library with AMD's names and versions in $work/stub, as the list has them.
stub() {
    mkdir -p "$work/stub"
    awk '!/^#/ && /@@/ { sub(/@@/, " "); print "void " $1 "(void); void " $1 "(void) {}" }' "$hip_list" \
        >"$work/stub.c"
    awk '!/^#/ && /@@/ { sub(/@@/, " "); names[$2] = names[$2] " " $1 ";" }
        END { for (node in names) print node " { global:" names[node] " };" }' "$hip_list" | sort >"$work/stub.map"
    "$CC" -shared -fPIC -fno-builtin "$work/stub.c" -o "$work/stub/$1" -Wl,-soname,"$1" \
        -Wl,--version-script="$work/stub.map"
}
hip_list=$SRC/tests/compat/hip/symbols.txt
awk '!/^#/ && /@@/ { sub(/@@.*/, ""); declared = declared "void " $1 "(void);\n"; used = used "    " $1 ",\n" }
    END { print declared "void *volatile all[] = {\n" used "};\nint main(void) { return all[0] == 0; }" }' \
    "$hip_list" >"$work/all.c"
for soname in libamdhip64.so.6 libamdhip64.so.7; do
    stub "$soname"
    "$CC" -w "$work/all.c" -o "$work/all" "$work/stub/$soname" -Wl,-z,now
    needed=$(readelf -W --dyn-syms "$work/all" | grep -c '@hip_')
    [ "$needed" -ge 541 ] || { echo "a program needs $needed versioned names only" >&2 && bad=1; }
    LD_BIND_NOW=1 LD_LIBRARY_PATH=$BUILD/lib/tarn/hip "$work/all" && continue
    echo "a program that needs every name of $soname does not start" >&2
    bad=1
done

# The names of AMD's library, where the facts lie beside the tree.
facts=$SRC/../shared/facts/hip-5.2.3-exports.txt
if [ -f "$facts" ]; then
    grep '@@' "$facts" | sort >"$work/facts"
    awk '!/^#/ { print $1 }' "$hip_list" | sort >"$work/listed"
    only_left "hip: exported by AMD's 5.2.3, not in the list" "$work/facts" "$work/listed"
fi

# The functions that the HIP face is there for, by themselves: the list above could be changed with them.
for name in AddressFree AddressReserve Create ExportToShareableHandle GetAccess GetAllocationGranularity \
    GetAllocationPropertiesFromHandle ImportFromShareableHandle Map MapArrayAsync Release \
    RetainAllocationHandle SetAccess Unmap; do
    nm -D --with-symbol-versions --defined-only "$BUILD/lib/tarn/hip/libamdhip64.so" |
        grep -q " T hipMem$name@@hip_5\.1\$" && continue
    echo "hipMem$name is not exported as hip_5.1" >&2
    bad=1
done
exit $bad
