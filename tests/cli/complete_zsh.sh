#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# zsh completes commands, options and names, with their descriptions, and files where they are due.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
command -v zsh >/dev/null || {
    echo "skipped: needs zsh"
    exit 77
}
zsh -n "$SRC/tools/complete/tarn.zsh"

# offers TEXT WORD...: the function of zsh with its helpers replaced by ones that print.
cat >"$work/offer" <<'END'
_describe() { print -rl -- ${(P)2} "${@[3,-1]}"; }
_files() { print files; }
functions[_tarn]=$(<$1)
words=(${@[2,-1]})
[[ -z $LAST ]] || words+=("")
CURRENT=$#words
_tarn
END
offers() {
    names=$1
    shift
    got=$(zsh -f "$work/offer" "$SRC/tools/complete/tarn.zsh" "$TARN" "$@" | tr '\n' '/')
    [ "$got" = "$names" ] || fail "'$got', not '$names', for: tarn $*"
}
offers 'version:print the version/view:write a page that shows a recording/' v
offers '--touch:Write a pattern into every block, verify it before the block is freed, and verify that no two blocks overlap. This uses the memory/' replay --to
offers '--pool=expandable\:time:/' replay --pool=expandable:t
offers '--top=:Show at most N changes of a kind (default: 10)/-S//' diff --to
offers 'files/' view trace
LAST=1
export LAST
offers 'files/' view
