#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every statement of Tarn's version agrees with include/tarn/base.h, from which the build takes it: the
# newest head in CHANGELOG.md, tarn.map, and the output that documents show. Heads are dated, newest first.
set -eu
cd "$SRC"
bad=0
complain() {
    echo "$*" >&2
    bad=1
}
number=$(sed -nE 's/^#define TARN_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+).*/\2/p' include/tarn/base.h | paste -sd .)
echo "$number" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || complain "include/tarn/base.h: no version"

heads=$(sed -n 's/^## //p' CHANGELOG.md | sed 1d) # without Unreleased
if printf '%s\n' "$heads" | grep -vxE '[0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[01][0-9]-[0-3][0-9]'; then
    complain "CHANGELOG.md: a head is MAJOR.MINOR.PATCH - YYYY-MM-DD"
fi
case $heads in "$number - "*) ;; *) complain "CHANGELOG.md: the newest release is not $number" ;; esac
[ "$(printf '%s\n' "$heads" | sort -rV)" = "$heads" ] || complain "CHANGELOG.md: releases are not newest first"
[ "$(printf '%s\n' "$heads" | cut -d' ' -f3 | sort -r)" = "$(printf '%s\n' "$heads" | cut -d' ' -f3)" ] ||
    complain "CHANGELOG.md: dates are not newest first"

case $number in
0.*) grep -qx "TARN_${number%.*} {" tarn.map || complain "tarn.map: the node is not TARN_${number%.*}" ;;
esac
if grep -nE '\btarn [0-9]+\.[0-9]+\.[0-9]+' README.md docs/*.md | grep -vwF "tarn $number"; then
    complain "the documents above show another version than $number"
fi
if grep -rn 'find_package(tarn ' tests/install | grep -vF "find_package(tarn ${number%.*} "; then
    complain "the projects above ask for another version than ${number%.*}"
fi
exit $bad
