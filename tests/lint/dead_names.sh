#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every tarn_ name in code, comments, texts and documents exists: as a declaration of the public
# headers, as an identifier of a plug-in or of the Python package, or as a target of the build. Every
# name of a vendor that the checker's rules or the documents use exists in that vendor's symbol list
# or in our headers.
set -eu

# Names that texts may use although nothing declares them. "NAME" alone on a line, with a reason above.
allowed='
questions in the recorded answers of AMD'"'"'s runtime
hipFree_host
hipFree_pool
hipFree_vmm
'

# identifiers PATTERN FILE...: each identifier that matches, once.
identifiers() {
    pattern=$1
    shift
    grep -hoE "\\b$pattern" "$@" /dev/null 2>/dev/null | sort -u
}

# uses PATTERN PATH...: "FILE NAME" for each identifier that matches in product and documents.
uses() {
    pattern=$1
    shift
    grep -roE "\\b$pattern" "$@" 2>/dev/null | sed 's/:/ /' | sort -u
}

# dead KNOWN USES: the lines of USES whose second word is not a line of KNOWN, nor allowed.
dead() {
    printf '%s\n' "$allowed" | cat "$1" - | awk -v uses="$2" '
        { known[$1] = 1 }
        END { while ((getline line < uses) > 0) { split(line, w, " "); if (!(w[2] in known)) print w[1] ": " w[2] " exists nowhere" } }'
}

# check ROOT: prints each use of a name that does not exist.
check() {
    (
        cd "$1"
        work=$(mktemp -d)
        ours='tarn_[a-z0-9_]*[a-z0-9]\b'
        {
            find include plugin -name '*.h' -exec cat {} + | identifiers "$ours" -
            find . \( -name CMakeLists.txt -o -name "*.cmake" \) -exec cat {} + | identifiers "$ours" -
            find compat src tools examples -type f ! -name '*.md' ! -name '*.h' -exec cat {} + |
                sed 's|//.*||; s|"[^"]*"||g' | identifiers "$ours" - # what code itself declares
            find python -name '*.py' -exec cat {} + | identifiers "$ours" - # fixtures and marks of pytest
            find examples -name 'tarn_*' | sed 's|.*/||; s|\..*||'
        } | sort -u >"$work/known"
        uses "$ours" include src compat plugin tools docs examples README.md CONTRIBUTING.md >"$work/uses"
        dead "$work/known" "$work/uses"

        theirs='(hip[A-Z]|aclrt[A-Z]|acldvpp[A-Z]|HIAI_|mstx[A-Z])[A-Za-z0-9_]*'
        {
            find compat tests/compat \( -name symbols.txt -o -path '*/include/*.h' \) -exec cat {} + | identifiers "$theirs" -
            find src/backend tests/standin -name '*.[ch]' -exec cat {} + | identifiers "$theirs" - # opened by name
        } | sort -u >"$work/known"
        # A name with a star behind it is a pattern.
        uses "${theirs}[*]?" src/check docs README.md include | grep -v '[*]$' >"$work/uses" || true
        dead "$work/known" "$work/uses"
        rm -rf "$work"
    )
}

found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0
mkdir -p "$copy/include/tarn" "$copy/src/check" "$copy/compat/one/include/one" "$copy/plugin" "$copy/tools" \
    "$copy/docs" "$copy/examples" "$copy/tests/compat/one" "$copy/tests/standin/one" "$copy/src/backend/one"
echo 'void tarn_map(void);' >"$copy/include/tarn/map.h"
echo 'int hipMalloc(void);' >"$copy/compat/one/include/one/one.h"
# try VERDICT FILE TEXT: a file with that text must be refused (bad) or not (good).
try() {
    printf '%s\n' "$3" >"$copy/$2"
    verdict=good
    [ -z "$(check "$copy")" ] || verdict=bad
    rm "$copy/$2"
    [ "$verdict" = "$1" ] && return
    echo "expected $1 in $2: $3" >&2
    missed=1
}
try bad src/x.c '// See tarn_mop().'
try bad src/check/x.c 'static const char *const names[] = {"tarn_mop"};'
try bad docs/x.md 'Call tarn_mop() first.'
try bad src/check/x.c 'static const char *const names[] = {"hipMallow"};'
try bad docs/x.md 'It answers hipMallow.'
try bad src/check/x.c '    [TN_MEM_EXPORT] = {"exported descriptor", {"tarn_mop_close"}},'
try bad src/check/x.c 'report("mstxMemHeapForget: heap is NULL");'
try good src/x.c '// See tarn_map().'
try good docs/x.md 'It answers hipMalloc by tarn_map().'
exit $missed
