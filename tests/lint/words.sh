#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The documents have at most 80,000 words in all, CHANGELOG.md has 3,000 and the page of figures 5,000, so that a
# reader can find things. A word has a letter or a digit: the bars of tables do not count. Tables of data, from which
# pages are generated, do not count either.
set -eu
cd "$SRC"

# words FILE...: prints their number.
words() {
    cat "$@" | tr -s ' \t|' '\n' | grep -c '[[:alnum:]]' || true
}

# check MOST NAME FILE...: fails if the files have more words.
bad=0
check() {
    most=$1
    name=$2
    shift 2
    count=$(words "$@")
    [ "$count" -le "$most" ] && return
    echo "$name: $count words, at most $most" >&2
    bad=1
}

# shellcheck disable=SC2046 # names without spaces
set -- $(tests/lint/files '*.md' docs/manual/pages.txt | grep -E '^(docs/.*|[^/]*\.md)$')
check 80000 "the documents" "$@"
check 3000 CHANGELOG.md CHANGELOG.md
check 5000 docs/performance.md docs/performance.md
[ "$#" -gt 40 ] || {
    echo "only $# documents" >&2
    bad=1
}
[ "$(printf '| a1 | - | b c |\n' | words /dev/stdin)" = 3 ] || {
    echo "the count of words is wrong" >&2
    bad=1
}
exit $bad
