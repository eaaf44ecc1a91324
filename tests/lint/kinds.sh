#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Some rule of the checker reports every kind of finding that `tarn check --explain` describes. The
# table of kinds in docs/check.md has one row for each of them, which names exactly the interfaces
# through which a program in tests/check/bugs plants it.
set -eu
cd "$SRC"
kinds=$(sed -n 's/^    X(\([A-Z_]*\), ".*/\1/p' src/check/report/kinds.h)
[ "$(printf '%s\n' "$kinds" | wc -l)" -gt 30 ] || { echo "kinds.h is not read as it should be" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
for kind in $kinds; do
    if ! grep -qw "TN_CHECK_KIND_$kind" src/check/*.c src/check/*/*.c; then
        echo "kinds.h explains $kind, which nothing tells" >&2
        bad=1
    fi
done

# Each list has lines of "kind interface", and one line of the kind alone.
printf '%s\n' "$kinds" | tr 'A-Z_' 'a-z-' >"$work/kinds"
awk -F' *[|] *' '
    /^[|] kind [|]/ { inside = 1; next }
    !/^[|]/ { inside = 0 }
    inside && $2 !~ /^-/ {
        print $2
        count = split($5, name, / *, */)
        for (i = 1; i <= count; i++) print $2, name[i]
    }' docs/check.md | sort >"$work/documented"
awk '
    FNR == 1 {
        name = FILENAME
        sub(/.*\//, "", name)
        sub(/^(asan|both)_/, "", name)
        sub(/_.*/, "", name)
        sub(/^hip$/, "HIP", name)
        sub(/^cuda$/, "CUDA", name)
        sub(/^acl$/, "AscendCL", name)
        sub(/^mstx$/, "MSTX", name)
        sub(/^hiai$/, "HiAI", name)
    }
    /^\/\/ EXPECT: (ERROR|WARN|NOTE) [a-z-]+:/ { sub(/:$/, "", $4); print $4, name }' \
    tests/check/bugs/*.c | cat - "$work/kinds" | sort -u >"$work/planted"

uniq -d "$work/documented" | sed 's/^/docs\/check.md has twice: /' >"$work/wrong"
comm -23 "$work/documented" "$work/planted" | sed 's/^/no program in tests\/check\/bugs plants: /' >>"$work/wrong"
comm -13 "$work/documented" "$work/planted" | sed 's/^/the table in docs\/check.md lacks: /' >>"$work/wrong"
cat "$work/wrong" >&2
[ ! -s "$work/wrong" ] || bad=1
exit $bad
