#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Users make calls fail by name, so each public function that can fail for want of a resource begins
# with a point: TN_FAIL_POINT and a line in src/fail/names.h for Tarn, TN_HIAI_POINT
# for HiAI (the frames of faces, such as TN_HIAI_CALL(), have one). Afterwards the lint removes points in a copy, and must notice.
set -eu

# Functions that end, query or set something without needing anything, and annotations.
never='_(destroy|retire|free|close|release|release_sized|unregister|unmap|reset|done|walk|explain|verify|peek|trim|collect|passed|retain|hold|sibling|elapsed|grant|query|disable_peer)$|^tarn_(rule|annotate|check|address|fail|fault|backend)_|_(query|get|set|reset)_[a-z_]*$|^tarn_last_error$'
always='^tarn_(map|pool)_set_access$'

# points ROOT: prints what is wrong.
points() {
    (
        cd "$1"
        sed -n 's/^.*TARN_API tarn_status \(tarn_[a-z_]*\)(.*/\1/p' include/tarn/*.h | sort -u >"$work/public"
        sed -n '/define TN_FAIL_FUNCTIONS/,/^$/p' src/fail/names.h | grep -o '\btarn_[a-z_]*' | sort >"$work/listed"
        # shellcheck disable=SC2016 # for awk to expand
        find src -name '*.c' -print0 | xargs -0 awk '
            FNR == 1 { name = "" }
            /^tarn_status tarn_[a-z_]*\(/ { name = $2; sub(/\(.*/, "", name) }
            name != "" && waiting && !/TN_UNCANCELLED/ { if (/TN_FAIL_POINT\(/) print name; name = ""; waiting = 0 }
            name != "" && /\{$/ { waiting = 1 }' | sort >"$work/pointed"
        comm -23 "$work/listed" "$work/public" | sed 's/$/: listed in names.h, but not public/'
        comm -23 "$work/listed" "$work/pointed" | sed 's/$/: listed in names.h, but without TN_FAIL_POINT/'
        comm -13 "$work/listed" "$work/pointed" | sed 's/$/: has TN_FAIL_POINT, but is not in names.h/'
        comm -13 "$work/listed" "$work/public" | grep -vE "$never" |
            sed 's/$/: neither listed in names.h nor exempt/'
        grep -E "$never" "$work/listed" | grep -vE "$always" | sed 's/$/: listed in names.h and exempt/'
        for face in acl hiai; do
            # shellcheck disable=SC2016 # for awk to expand
            find compat/$face -maxdepth 1 -name '*.c' -print0 | xargs -0 awk '
                FNR == 1 { name = "" }
                /^(aclError|hi_s32|HIAI_StatusT) (acl|hi_mpi_|HIAI)[A-Za-z0-9_]*\(/ && !/LastError/ {
                    name = $2; sub(/\(.*/, "", name); first = pointed = 0
                }
                first && /TN_HIAI_POINT/ || /TN_(ACL|HIAI)_CALL\(/ { pointed = 1 }
                { first = name != "" && /\{$/ }
                name != "" && /^}/ {
                    if (!pointed) print name ": neither begins with a point nor uses the frame"
                    name = ""
                }'
        done
    )
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=$(points "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the lint itself is checked ------------------------------------------------------------------
missed=0
# plant FILE EXPRESSION: with this change the lint must complain.
plant() {
    rm -rf "$work/copy"
    mkdir -p "$work/copy/include" "$work/copy/compat"
    cp -r "$SRC/src" "$work/copy/src"
    cp -r "$SRC/include/tarn" "$work/copy/include/tarn"
    cp -r "$SRC/compat/acl" "$SRC/compat/hiai" "$work/copy/compat"
    sed -i "$2" "$work/copy/$1"
    [ -n "$(points "$work/copy")" ] && return
    echo "not noticed: $2 in $1" >&2
    missed=1
}
plant src/core/address/map.c '/TN_FAIL_POINT/d'
plant src/fail/names.h 's/tarn_map //'
plant src/fail/names.h 's/tarn_map /tarn_mop /'
plant include/tarn/map.h 's/TARN_API tarn_status tarn_unmap(/TARN_API tarn_status tarn_mop(/'
plant compat/acl/copy_2d.c 's/TN_ACL_CALL(copy_rows_in(\(.*\)));/copy_rows_in(\1);/'
plant compat/hiai/block.c 's/TN_HIAI_CALL(free_block(\(.*\)));/free_block(\1);/'
plant compat/hiai/send.c 's/^TN_HIAI_FUNCTION(\(HIAIX_SetDefaultSendTimeout\), uint32_t, ms)/HIAI_StatusT \1(uint32_t ms)/'
exit $missed
