#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names that cross files are unique in the whole product: functions and variables with external
# linkage, and the structs, unions, enums, enumerators, typedefs and macros of headers. A static
# function whose name is one word does not share it with a static function of another file, so that
# stack traces and searches lead to one place.
set -eu
need_ctags() {
    command -v ctags >/dev/null && ctags --version | grep -q Universal
}
need_ctags || {
    echo "skipped: needs universal-ctags"
    exit 77
}

# Names of several programs and libraries that never meet in one.
shared='
main
InitInjectionMstx
cuGetProcAddress
cuGetProcAddress_v2
hipGetProcAddress
'

# Static one-word names that every file may use, because they say what the file is run for.
static_shared='
main
usage
'

# none.c stands in for files that are not built; vendors' headers repeat vendors' names.
# check ROOT: prints each name that is defined in two files.
check() {
    (
        cd "$1"
        find src compat plugin tools -name '*.[ch]' ! -path 'compat/*/include/*' ! -name none.c 2>/dev/null | sort |
            ctags -L - -f - --languages=C --langmap=C:.c.h --kinds-C=fvsuegtd --fields=+KS --excmd=number |
            awk -F '\t' -v shared="$shared" -v static_shared="$static_shared" '
            BEGIN {
                n = split(shared, w, "\n"); for (i = 1; i <= n; i++) allowed[w[i]] = 1
                n = split(static_shared, w, "\n"); for (i = 1; i <= n; i++) static_allowed[w[i]] = 1
            }
            /^!/ { next }
            {
                name = $1; file = $2; kind = $4
                scoped = 0
                for (i = 5; i <= NF; i++) if ($i ~ /^file:/) scoped = 1
                header = file ~ /\.h$/
                if (name ~ /^__anon/) next
                if (kind == "function" && name !~ /[a-z]/) next # the use of a macro at file scope
                if (kind == "function" && scoped && !header) {
                    if (name !~ /_/ && !(name in static_allowed)) add(statics, name, file)
                } else if ((kind == "function" || kind == "variable") && !header && !scoped) {
                    if (!(name in allowed)) add(names, name, file)
                } else if (header && kind != "variable" && kind != "function") {
                    # Tags are a name space of their own; a typedef repeats its tag.
                    if (kind == "struct" || kind == "union" || kind == "enum") name = kind " " name
                    if (kind != "typedef") add(names, name, file)
                }
            }
            function add(where, name, file) {
                if (index(where[name] " ", " " file " ") == 0) where[name] = where[name] " " file
            }
            END {
                for (name in names) if (split(names[name], f, " ") > 1) print name " is defined in" names[name]
                for (name in statics) if (split(statics[name], f, " ") > 1) print "static " name "() stands in" statics[name]
            }' | sort
    )
}

found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0
# try VERDICT TEXT-OF-A TEXT-OF-B [HEADER]: two files with these texts must be refused (bad) or not.
try() {
    rm -rf "$copy/src" && mkdir -p "$copy/src/a" "$copy/src/b" "$copy/compat" "$copy/plugin" "$copy/tools"
    printf '%s\n' "$2" >"$copy/src/a/a.${4:-c}"
    printf '%s\n' "$3" >"$copy/src/b/b.${4:-c}"
    verdict=good
    [ -z "$(check "$copy")" ] || verdict=bad
    [ "$verdict" = "$1" ] && return
    echo "expected $1: $2 / $3" >&2
    missed=1
}
try bad 'int tn_x(void) { return 0; }' 'int tn_x(void) { return 1; }'
try bad 'struct tn_x { int a; };' 'struct tn_x { int b; };' h
try bad 'enum { TN_X };' 'enum { TN_X };' h
try bad '#define TN_X 1' '#define TN_X 2' h
try bad 'static int find(void) { return 0; }' 'static int find(void) { return 1; }'
try good 'static int find_slot(void) { return 0; }' 'static int find_slot(void) { return 1; }'
try good 'struct batch { int a; };' 'struct batch { int b; };'
try good 'int tn_x(void) { return 0; }' 'int tn_y(void) { return 1; }'
exit $missed
