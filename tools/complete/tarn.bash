# bash completion for tarn -*- shell-script -*-
# SPDX-License-Identifier: Apache-2.0
# The command finds the candidates itself. Where it has none, bash offers files.
_tarn() {
    local line=${COMP_LINE:0:COMP_POINT} words word candidate
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=("")
    word=${words[${#words[@]} - 1]}
    # bash replaces only the part of the word behind these letters.
    local breaks=${COMP_WORDBREAKS//[^=:]/} kept=
    [[ -z $breaks ]] || kept=${word%"${word##*["$breaks"]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        COMPREPLY+=("${candidate#"$kept"}")
    done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
    [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _tarn tarn
