#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fish completes commands, options and names, with their descriptions, and files where they are due.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
command -v fish >/dev/null || {
    echo "skipped: needs fish"
    exit 77
}
script=$SRC/tools/complete/tarn.fish
fish --no-config -n "$script"
mkdir "$work/home" "$work/here"
: >"$work/here/one.trace"

# offers TEXT LINE
offers() {
    # shellcheck disable=SC2016 # fish expands it
    got=$(cd "$work/here" && HOME=$work/home PATH=$(dirname "$TARN"):$PATH fish --no-config -c '
        source $argv[1]
        complete -C $argv[2]' "$script" "$2" | tr '\t\n' ':/')
    [ "$got" = "$1" ] || fail "'$got', not '$1', for: $2"
}
offers 'version:print the version/view:write a page that shows a recording/' 'tarn v'
offers '--compare:Replay on every kind of pool/' 'tarn replay --comp'
offers '--pool=fixed/' 'tarn replay --pool=f'
offers 'ignore/' 'tarn replay --streams i'
offers 'one.trace/' 'tarn view o'
