#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command explains itself under `tarn help`, --help and -h, and names a page to read on that
# exists. A misspelt command or long option gets a suggestion.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# commands WORDS...: the commands that a help lists.
commands() {
    "$TARN" help "$@" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  .*/\1/p'
}

# explains WORDS...: three spellings print one help, which ends with the pages to read on.
explains() {
    expect 0 help "$@"
    cp "$work/out" "$work/help"
    says out "^Usage: tarn"
    for option in --help -h; do
        expect 0 "$@" "$option"
        cmp -s "$work/out" "$work/help" || fail "tarn $* $option differs from tarn help $*"
    done
    page=$(printf '%s-' tarn "$@" | sed 's/-$//')
    says out "^Read on: man $page; docs/[a-z]*\.md\$"
    document=$(sed -n 's/^Read on: .*; //p' "$work/out")
    [ -e "$SRC/$document" ] || fail "tarn help $* names $document, which does not exist"
}

explains
[ "$(commands | wc -l)" -gt 10 ] || fail "tarn help lists too few commands"
for command in $(commands); do
    explains "$command"
    for inner in $(commands "$command"); do
        explains "$command" "$inner"
    done
done

expect 0 version
cp "$work/out" "$work/version"
says out '^tarn [0-9]*\.[0-9]*\.[0-9]*\(-dev\)\{0,1\}$'
for option in --version -V; do
    expect 0 "$option"
    cmp -s "$work/out" "$work/version" || fail "tarn $option differs from tarn version"
    expect 0 replay "$option"
    cmp -s "$work/out" "$work/version" || fail "tarn replay $option differs from tarn version"
done

# suggests CODE TEXT ARGUMENTS...: the error ends with: did you mean "TEXT"?
suggests() {
    code=$1 text=$2
    shift 2
    expect "$code" "$@"
    says err "did you mean \"$text\"?\$"
    says err '^Try `tarn'
    [ ! -s "$work/out" ] || fail "tarn $* printed something"
}
suggests 2 replay replya
suggests 2 fit fti
suggests 2 replay help replya
suggests 2 top channel tpo
suggests 2 --compare replay --comapre x
suggests 2 --streams replay --stream-s=ignore x
suggests 125 --leaks check --laeks 1 -- true
suggests 125 --device run --as hip --devcie=host:0 -- true
suggests 2 --no-replay explain x --no-relpay
# Nothing resembles these.
for words in 'frobnicate' 'replay --frobnicate' 'help frobnicate'; do
    # shellcheck disable=SC2086 # words
    expect 2 $words
    ! grep -q 'did you mean' "$work/err" || fail "a suggestion for: tarn $words"
done
# The value of an option and the words of a program are not options of the command.
expect 2 view x --output --stremas
! grep -q 'did you mean' "$work/err" || fail "the value of --output is taken for an option"
expect 127 run --quirk no-vmm -- ./none --laeks
! grep -q 'did you mean' "$work/err" || fail "the option of a program is taken for one of tarn run"

# A misspelt name of a list gets one, too.
suggests 2 expandable:memory replay --pool expandable:memroy x
suggests 2 honour replay --streams honuor x
suggests 2 caching fit --rule caching x --rule cachign
suggests 2 snapshot convert --to snapshto a b
suggests 2 phase diff --by phsae a b
suggests 2 peak convert --at paek a b.pprof
suggests 2 dvpp layout --rule dvp 4K
suggests 2 hip info --as hpi
suggests 125 use-after-free check --explain use-after-fre
suggests 125 late-map run --quirk late-mpa:2 -- true
suggests 125 acl run --as hip,alc -- true
expect 2 convert --at N a b.pprof # it stands for a number
says err 'at takes peak|start|end|failure|N, not "N"$'
