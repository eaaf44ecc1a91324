#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every source begins with its licence, include guards repeat the header's path, and no file names the
# machine that it was written on.
set -eu
cd "$SRC"
files=$SRC/tests/lint/files
bad=0
complain() {
    echo "$*" >&2
    bad=1
}

# The licence is the first line, or the second one below #!.
for file in $("$files" '*.c' '*.h' '*.cpp' '*.sh' '*.cmake' '*.in' '*CMakeLists.txt' '*.map' x .ci/run \
    tests/lint/files .clang-format | grep -v '\.pc\.in$'); do
    head -n 2 "$file" | awk 'NR == 1 && /^#!/ { next } { print; exit }' |
        grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
        complain "$file: no SPDX line at the top"
done

# TARN_, the path in capitals; a backend's folder is its room, so "backend/" may be left out.
for header in $("$files" 'include/*.h' 'src/*.h'); do
    guard=$(printf '%s' "$header" | sed 's|^include/tarn/||; s|^src/||' | tr 'a-z/.-' 'A-Z___')
    grep -qxE "#ifndef TARN_($guard|${guard#BACKEND_})" "$header" ||
        complain "$header: the include guard should be TARN_$guard"
done
# So may "compat/"; what users of a face include is named as they see it.
for header in $("$files" 'compat/*.h'); do
    guard=$(printf '%s' "$header" | tr 'a-z/.-' 'A-Z___')
    case $header in
    compat/*/include/*) guard=${guard#COMPAT_*_INCLUDE_} ;;
    *) guard="TARN_($guard|${guard#COMPAT_})" ;;
    esac
    grep -qxE "#ifndef $guard" "$header" || complain "$header: the include guard should be $guard"
done
# A plug-in's is the whole path.
for header in $("$files" 'plugin/*.h'); do
    guard=$(printf '%s' "$header" | tr 'a-z/.-' 'A-Z___')
    grep -qxE "#ifndef TARN_$guard" "$header" ||
        complain "$header: the include guard should be TARN_$guard"
done

# Written so that this file does not match itself. The home of "you" stands for a reader's folder in documents.
paths='(^|[^A-Za-z0-9_.}])/(wor[k]|roo[t]|hom[e])/|pkg\.de[v]|artifactor[y]|deb\.debia[n]\.org|pypi\.or[g]'
if "$files" | xargs grep -nIE "$paths" | grep -v '/hom[e]/you'; then
    complain "a path or host of one machine is named above"
fi

if "$files" '*.c' '*.h' | xargs grep -nE '\<(TOD[O]|FIXM[E]|XX[X])\>' /dev/null; then
    complain "unfinished work is marked above; finish it or write it down in an issue"
fi
exit $bad
