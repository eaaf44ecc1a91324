#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command that takes the pictures of docs/recordings.md writes each picture that the page shows, and no other.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
mkdir "$work/pictures"
export LC_ALL=C # the order of names
sh "$SRC/docs/recordings-pictures.sh" "$work/pictures" >"$work/out" 2>"$work/err" || fail "no pictures"
taken=$(cd "$work/pictures" && echo *)
shown=$(sed -n 's/.*(\(recordings-[a-z-]*\.png\)).*/\1/p' "$SRC/docs/recordings.md" | sort | xargs)
[ "$taken" = "$shown" ] || fail "it takes $taken; the page shows $shown"
for picture in $taken; do
    [ "$(head -c 4 "$work/pictures/$picture" | tail -c 3)" = PNG ] || fail "$picture is not a PNG"
    [ -f "$SRC/docs/$picture" ] || fail "docs has no $picture"
done
