#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each variable of the environment that the code reads has a row in docs/environment.md, and each row is read by
# code. A page that sets or names another one is wrong, and so is a page with an option that no command has.
# shellcheck disable=SC2016 # backticks are text
set -eu

# read_by_code ROOT: the variables that sources read: texts behind a call that reads one, values of macros and
# members whose names say so, and rows of the table.
read_by_code() {
    find "$1/src" "$1/compat" "$1/tools" "$1/plugin" "$1/python" "$1/examples/python" \( -name '*.[ch]' -o -name '*.py' \) -exec cat {} + |
        sed -n -e 's/^ *X("[a-z]*", \(TARN_[A-Z0-9_]*\), .*/\1/p' \
            -e ':again' -e 's/\(.*\)\(getenv\|variable_text\|face_variable\|variable_value\|knows_device\|find\|environ\.get\|environ\|options_apply_environment\|options_check_environment\|options_read\|_variables* = \|_variable = \|variable = \|visible\[\] = \|vendors\[\] = {\|_variables\[[01]\] = \|_VARIABLE  *\|_PRELOADED  *\)\([^;]*\)"\([A-Z][A-Z0-9_]*[A-Z0-9]\)"/\1\2\3\
=\4\
/;/\n=/{h;s/.*\n=\([^\n]*\)\n.*/\1/p;g;s/\n=[^\n]*\n/ /;b again' -e '}' |
        grep -E '^(TARN|HIP|CUDA|ASCEND|NO|MSTX|NVTX)_[A-Z0-9_]*$' | sort -u
}

# in_page ROOT: the variables with a row in the page.
in_page() {
    sed -n 's/^| \(`[^|]*`\) |.*/\1/p' "$1/docs/environment.md" | grep -o '`[A-Z][A-Z0-9_]*`' | tr -d '`' | sort -u
}

# named_in_pages ROOT: "PAGE NAME" for each variable that a page, a header or a help sets or explains.
named_in_pages() {
    (
        cd "$1"
        grep -rnoE '(^|[^-A-Za-z_D])TARN_[A-Z0-9_]+=|^\| `TARN_[A-Z0-9_]+`|variable `?TARN_[A-Z0-9_]+' docs README.md \
            compat/*/include compat/*/README.md tools --include='*.md' --include='*.h' --include='*.c' |
            sed 's/^\([^:]*:[0-9]*\):.*\(TARN_[A-Z0-9_]*\).*/\1 \2/'
    )
}

# Names that are no variables of the product: options of CMake, and variables of tests and scripts.
others='TARN_TESTS TARN_BENCH TARN_TOOLS TARN_CHECK TARN_FACES TARN_UCX TARN_PLUGINS TARN_CUDA_LEVEL TARN_PEERS_DIR TARN_POLICY
TARN_JOBS TARN_SNAPSHOTS TARN_WERROR TARN_INSTALL TARN_BUILD TARN_SOURCE TARN_API TARN_POOL TARN_POOL_EXPANDABLE TARN_POOL_SEGMENTS
TARN_POOL_FIXED TARN_POOL_TIME TARN_POOL_BALANCED TARN_POOL_MEMORY TARN_SANITIZE TARN_CAP_SPANS TARN_TEST_SENDS
TARN_TEST_SECONDS TARN_TEST_ROUNDS'

# options_of_code ROOT: the long options of all commands, as the tables of the sources have them.
options_of_code() {
    {
        find "$1/tools" "$1/src/check" -name '*.[ch]' -exec cat {} + | grep -oE '\{"[a-z0-9]+([-_][a-z0-9]+)*", ' | tr -d '{", ' | tr _ -
        grep -oE 'X\("[a-z_]+"' "$1/src/check/options.c" | sed 's/X("//; s/"//' | tr _ -
        find "$1/tools" -name '*.[ch]' -exec cat {} + | grep -oE '"--[a-z0-9-]+' | sed 's/"--//'
        printf '%s\n' help usage version quiet
    } | sort -u
}

# options_of_pages ROOT: "PAGE OPTION" for each option in a line of a page that runs the command, up to the
# program that it starts.
options_of_pages() {
    (
        cd "$1"
        grep -rnE '(^|[`$ ])tarn [a-z]+ ' docs README.md --include='*.md' | grep -vE 'docs/(confirmed|performance)' |
            awk '{
                where = $0
                sub(/^[^:]*:[0-9]*/, "", where)
                page = substr($0, 1, length($0) - length(where))
                while (match(where, /tarn (run|check|record|torture|explore|replay|explain|fit|diff|convert|view|plan|layout|info|channel|conform) [^`|#]*/)) {
                    part = substr(where, RSTART, RLENGTH)
                    where = substr(where, RSTART + RLENGTH)
                    sub(/ -- .*/, "", part)
                    sub(/ && .*|; .*|, .*|\. .*/, "", part)
                    n = split(part, word, /[ ()]+/)
                    for (i = 1; i <= n; i++)
                        if (word[i] ~ /^--[a-z]/) {
                            sub(/^--/, "", word[i])
                            sub(/[^-a-z0-9].*/, "", word[i])
                            print page, word[i]
                        }
                }
            }'
    )
}

# check ROOT: prints what is wrong.
check() {
    read_by_code "$1" >"$scratch/code"
    in_page "$1" >"$scratch/page"
    options_of_code "$1" >"$scratch/options"
    comm -23 "$scratch/code" "$scratch/page" | sed 's/$/: it is read by code, and docs\/environment.md has no row/'
    comm -13 "$scratch/code" "$scratch/page" | sed 's/$/: docs\/environment.md has a row, and no code reads it/'
    named_in_pages "$1" | while read -r where name; do
        grep -qx "$name" "$scratch/page" && continue
        case " $(echo "$others" | tr '\n' ' ') " in
        *" $name "*) ;;
        *) echo "$where: $name is no variable of docs/environment.md" ;;
        esac
    done
    options_of_pages "$1" | while read -r where option; do
        grep -qx -e "$option" "$scratch/options" || echo "$where: no command has the option --$option"
    done
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi
[ "$(wc -l <"$scratch/code")" -ge 60 ] || {
    echo "only $(wc -l <"$scratch/code") variables were found in the code" >&2
    exit 1
}
[ "$(wc -l <"$scratch/options")" -ge 60 ] || {
    echo "only $(wc -l <"$scratch/options") options were found in the code" >&2
    exit 1
}

# --- the check itself is checked -----------------------------------------------------------------
copy=$scratch/copy
missed=0
# try FILE TEXT: the text in that file must be found.
try() {
    rm -rf "$copy"
    mkdir "$copy"
    (cd "$SRC" && cp -r --parents src compat tools plugin python examples/python docs README.md "$copy")
    printf '%b\n' "$2" >>"$copy/$1"
    [ -z "$(check "$copy")" ] || return 0
    echo "not found in $1: $2" >&2
    missed=1
}
try src/base/log.c 'static const char *x(void) { return secure_getenv("TARN_UNKNOWN"); }'
try compat/hip/face.c 'static int x(void) { return tn_variable_value("TARN_HIP_UNKNOWN", 0); }'
try src/base/variable.h '    X("hip", TARN_HIP_UNKNOWN, WORD, "0 1", 0, 0)'
try python/tarn/frames.py 'x = os.environ.get("TARN_UNKNOWN", "")'
try src/record/options.h '#define TN_UNKNOWN_VARIABLE "TARN_UNKNOWN"'
try docs/environment.md '| `TARN_UNKNOWN` | nothing |'
try docs/hip.md 'Set `TARN_UNKNOWN=1`.'
try docs/cuda.md '| `TARN_UNKNOWN` | | 1 |'
try docs/check.md 'Start it by `tarn check --unknown ./program`.'
exit $missed
