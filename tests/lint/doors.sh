#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/security.md lists every source that opens a socket or a pipe, or creates a file or shared memory. A source
# that does so is in the list, and each source of the list does so.
# shellcheck disable=SC2016 # backticks are text
set -eu

# made_by ROOT: the sources with a call that makes a door. Comments do not count.
made_by() {
    (
        cd "$1"
        find src compat tools plugin python ! -name generate.py \( -name '*.[ch]' -o -name '*.py' \) -exec awk '
            FNR == 1 { inside = 0 }
            {
                line = $0
                sub(/\/\/.*/, "", line)
                if (line ~ /^[ \t]*(\*|\/\*)/) next
            }
            line ~ /(^|[^A-Za-z0-9_.>])(socket|socketpair|bind|listen|accept|accept4|pipe|pipe2|mkfifo|memfd_create|shm_open|shmget|sem_open|mq_open|mkstemp|mkostemp|mkdtemp|tmpfile|tmpnam|creat|mknod)\(/ ||
            line ~ /O_CREAT|tempfile\.|O_TMPFILE|IPC_CREAT/ { found[FILENAME] }
            END { for (name in found) print name }' {} + | sort -u
    )
}

# listed_in ROOT: the sources in the column "made in".
listed_in() {
    awk -F'|' '/^## Doors/ { inside = 1 } /^## Reporting/ { inside = 0 } inside && NF == 5 { print $3 }' "$1/docs/security.md" |
        grep -o '`[^`]*`' | tr -d '`' | sort -u
}

check() {
    made_by "$1" >"$scratch/made"
    listed_in "$1" >"$scratch/listed"
    comm -23 "$scratch/made" "$scratch/listed" | sed 's/$/: it opens a door that docs\/security.md does not list/'
    comm -13 "$scratch/made" "$scratch/listed" | sed 's/$/: docs\/security.md lists it, and it opens no door/'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$scratch/copy
missed=0
mkdir "$copy"
(cd "$SRC" && cp -r --parents src compat tools plugin python docs/security.md "$copy")
# try FILE TEXT: the text in that file must be found.
try() {
    cp "$copy/$1" "$scratch/kept" 2>/dev/null || : >"$scratch/kept"
    printf '%s\n' "$2" >>"$copy/$1"
    [ -n "$(check "$copy")" ] || {
        echo "not found in $1: $2" >&2
        missed=1
    }
    mv "$scratch/kept" "$copy/$1"
}
[ -z "$(check "$copy")" ] || missed=1
try src/base/clock.h 'static int x(void) { return socket(1, 2, 0); }'
try src/algo/fit.c 'static int x(void) { return bind(0, 0, 0); }'
try compat/hip/face.c '    int file = memfd_create("x", 0);'
try compat/acl/copy.c '    (void)shm_open("/x", 0, 0600);'
try tools/view/view.c '    int file = open(path, O_WRONLY | O_CREAT, 0666);'
try tools/plan/plan.c '    char *name = mkdtemp(text);'
try python/tarn/frames.py 'x = tempfile.mkstemp()'
try plugin/torch/config.c '    if (pipe(ends) != 0) return;'
sed -i 's/`compat\/acl\/notify_bit.c`/`compat\/acl\/notify_bits.c`/' "$copy/docs/security.md"
[ -n "$(check "$copy")" ] || {
    echo "a wrong name in the list is not found" >&2
    missed=1
}
exit $missed
