#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every statement of Tarn's version agrees with include/tarn/base.h, from which the build takes it: the
# newest head in CHANGELOG.md, tarn.map, README.md, and the output that documents show. Heads are dated, newest
# first. The version ends in -dev except in the commit that releases it. Tags of releases are annotated.
set -eu
cd "$SRC"
bad=0
complain() {
    echo "$*" >&2
    bad=1
}
number=$(sed -nE 's/^#define TARN_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+).*/\2/p' include/tarn/base.h | paste -sd .)
echo "$number" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || complain "include/tarn/base.h: no version"
version=$number
case $(sed -nE 's/^#define TARN_VERSION_DEV +([01]) .*/\1/p' include/tarn/base.h) in
0) ;;
1) version=$number-dev ;;
*) complain "include/tarn/base.h: TARN_VERSION_DEV is neither 0 nor 1" ;;
esac

heads=$(sed -n 's/^## //p' CHANGELOG.md | sed 1d) # without Unreleased
if printf '%s' "$heads" | grep -vxE '[0-9]+\.[0-9]+\.[0-9]+ - [0-9]{4}-[01][0-9]-[0-3][0-9]'; then
    complain "CHANGELOG.md: a head is MAJOR.MINOR.PATCH - YYYY-MM-DD"
fi
newest=${heads%% *}
if [ "$version" = "$number" ]; then
    [ "$newest" = "$number" ] || complain "CHANGELOG.md: the newest release is not $number"
    if git diff --quiet HEAD -- include/tarn/base.h 2>/dev/null && [ "$(git log -1 --format=%s)" != "release: $number" ]; then
        complain "include/tarn/base.h: behind the commit 'release: $number' the version is the next one, with TARN_VERSION_DEV 1"
    fi
elif [ "$(printf '%s\n' "$newest" "$number" | sort -V | tail -n 1)" = "$newest" ]; then
    complain "CHANGELOG.md: $version comes before $newest, which is released"
fi
if git for-each-ref --format='%(objecttype) %(refname:short)' 'refs/tags/v*' 2>/dev/null | grep -v '^tag '; then
    complain "the tags above are not annotated"
fi
[ "$(printf '%s\n' "$heads" | sort -rV)" = "$heads" ] || complain "CHANGELOG.md: releases are not newest first"
[ "$(printf '%s\n' "$heads" | cut -d' ' -f3 | sort -r)" = "$(printf '%s\n' "$heads" | cut -d' ' -f3)" ] ||
    complain "CHANGELOG.md: dates are not newest first"

case $number in
0.*) grep -qx "TARN_${number%.*} {" tarn.map || complain "tarn.map: the node is not TARN_${number%.*}" ;;
esac
if grep -nE '\btarn [0-9]+\.[0-9]+\.[0-9]+' README.md docs/*.md | grep -vE "tarn $version( |\$)"; then
    complain "the documents above show another version than $version"
fi
grep -qF "Version $version" README.md || complain "README.md: it does not say \"Version $version\""
if grep -rn 'find_package(tarn ' tests/install | grep -vF "find_package(tarn ${number%.*} "; then
    complain "the projects above ask for another version than ${number%.*}"
fi
exit $bad
