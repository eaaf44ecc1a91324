#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command has a manual page with the options of its help, which man and mandoc read without a
# warning, and every example of a page runs.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
build=$(cd "$(dirname "$TARN")/.." && pwd)
[ -e "$build/man/man1/tarn.1" ] || {
    echo "skipped: the manual pages are not built"
    exit 77
}
command -v man >/dev/null || {
    echo "skipped: needs man-db"
    exit 77
}

for page in "$build"/man/man?/*; do
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>"$work/err" >/dev/null || fail "man cannot read $page"
    [ ! -s "$work/err" ] || fail "man has warnings about $page"
    ! command -v mandoc >/dev/null || mandoc -T lint -W warning "$page" >"$work/out" ||
        fail "mandoc has warnings about $page"
done

# describes NAME WORD...: the page NAME has the sections of a page, and every option of the help.
describes() {
    page=$build/man/man1/$1.1
    shift
    [ -e "$page" ] || fail "tarn $* has no page"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS '"EXIT STATUS"' EXAMPLES '"SEE ALSO"'; do
        grep -qx "\.SH $section" "$page" || [ "$section" = EXAMPLES ] || fail "$page lacks $section"
    done
    "$TARN" help "$@" | sed -n 's/^  *\(-., \)*--\([a-z-]*\).*/\2/p' | sort -u >"$work/options"
    sed 's/\\-/-/g; s/\\f[BIR]//g' "$page" >"$work/plain"
    while read -r option; do
        grep -q "^\(-., \)*--$option" "$work/plain" || fail "$page lacks --$option"
    done <"$work/options"
    sed -n 's/^\.BR \([a-z\\-]*\) (1),$/\1/p' "$page" | sed 's/\\//g' >"$work/others"
    while read -r other; do
        [ -e "$build/man/man1/$other.1" ] || fail "$page names $other(1), which does not exist"
    done <"$work/others"
}
describes tarn
for command in $("$TARN" complete -- '' | cut -f1); do
    describes "tarn-$command" "$command"
done
describes tarn-channel-bench channel bench
describes tarn-channel-top channel top
# The manual of recordings is reached from each command about them.
for command in convert diff explain fit record replay view; do
    grep -q '/recordings\\*.md$' "$build/man/man1/tarn-$command.1" || fail "tarn-$command(1) does not name recordings.md"
    expect 0 help "$command"
    says out 'docs/recordings.md$'
done
# The page of the library describes every function that the headers declare.
sed -n 's/^TARN_API.*[ *]\(tarn_[a-z0-9_]*\)(.*/\1/p' "$SRC"/include/tarn/*.h | grep -v backend | while read -r name; do
    grep -q "$name(" "$build/man/man3/libtarn.3" || fail "libtarn(3) lacks $name()"
done

# The examples, in a folder that has the files that they name.
cd "$work" || exit
PATH=$(dirname "$TARN"):$PATH
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 400 | "$TARN" convert - before.tarn
cp before.tarn after.tarn
[ ! -x "$build/tests/bin/example_quickstart" ] || cp "$build/tests/bin/example_quickstart" program
echo 'int main() {}' >program.hip
sed -n 's/^    //p' "$SRC/docs/manual/pages.txt" >examples
[ "$(wc -l <examples)" -gt 20 ] || fail "too few examples"
while IFS= read -r line; do
    case $line in
    *hipcc*)
        command -v g++ >/dev/null || continue
        [ -e "$build/lib/tarn/hip/libamdhip64.so.6" ] || continue
        ;;
    *./program*)
        [ -x program ] || continue
        # Without the library that the command injects there is nothing to run.
        [ -e "$build/lib/tarn/check/libtarn-check.so" ] || continue
        ;;
    esac
    cp before.tarn recording.tarn # an example may have replaced it
    sh -c "$line" >out 2>err </dev/null || fail "exit $? of: $line"
done <examples
