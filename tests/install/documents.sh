#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command and every program in README.md and docs/*.md does what the document shows, with an installed
# Tarn and in a scratch folder. tests/install/documents/README.md has the rules for blocks.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work and run
set -eu
. "$SRC/tests/install/documents/install.sh"

# --- the runner itself is checked -----------------------------------------------------------------
# Each case is a document, of which the runner must report an error (bad) or none (good).
mkdir -p "$work/tree/docs" "$work/tree/examples" "$work/tree/traces"
number=0
# try WANTED TEXT
try() {
    number=$((number + 1))
    printf '%b\n' "$2" >"$work/tree/docs/$1-$number.md"
}
try good '    $ echo one; echo two\n    one\n    ...'
try bad '    $ echo one\n    two'
try bad '    $ echo one; echo two\n    one'
try bad '    $ false'
try good '<!-- run: status 1 -->\n    $ false'
try good '~~~\n$ echo 0x7f0012345678 ==12==\n0x7fffffffffff ==4711==\n~~~'
try bad '    $ echo 12\n    13'
try good '<!-- run: numbers vary -->\n\n    $ echo 12 MiB\n    13.5 KiB'
try good '<!-- run: output varies -->\n    $ echo a\n    b'
try bad '    tarn info'
try good '<!-- not run: it needs a GPU -->\n    tarn info'
try good '<!-- needs: no-such-program -->\n    $ no-such-program'
try bad '~~~text\n$ tarn info\n~~~'
try bad '~~~sh\nfalse\n~~~'
try good '<!-- file: a.txt -->\n~~~python\nx\n~~~\n    $ cat a.txt\n    x'
try bad '~~~c\nint f(int x) { return 0; }\n~~~'
try good '~~~c\n#include <tarn/tarn.h>\nint f(void);\nint f(void) { return TARN_OK; }\n~~~'
try good '<!-- given: tarn_addr a -->\n    tarn_annotate_heap_end(a);'
try bad '<!-- given: tarn_addr a -->\n    tarn_annotate_heap_end(b);'
try bad 'The option ^tarn run --no-such-option -- ./program^ is text.'
try good 'The option ^tarn run --as hip -- ./program --its-own^ is text.'
try bad 'A [link](none.md) leads nowhere.'
try bad '# Head\n\nA [link](#heads) leads nowhere.'
try good '# A head, twice\n\nA [link](#a-head-twice).'
try bad 'The program build/bin/bench_pool is text.'
try good 'After ./x bench pool, the program build/bin/bench_pool is text.'
try bad 'The command ^tarn no-such-command^ is text.'
wrong=0
cd "$work/tree"
sed -i "s/~~~/\`\`\`/; s/\\^/\`/g" docs/*.md
SRC=. python3 "$run" docs/*.md 2>&1 | sed "/ commands run,/,\$d" >"$work/out"
for document in docs/*.md; do
    verdict=good
    ! grep -q "^$document:" "$work/out" || verdict=bad
    case $document in docs/$verdict-*) continue ;; esac
    echo "this document is $verdict to the runner:" >&2
    cat "$document" >&2
    wrong=1
done

cd "$SRC"
python3 "$run" README.md docs/*.md || wrong=1
exit $wrong
