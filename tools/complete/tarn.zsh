#compdef tarn
# SPDX-License-Identifier: Apache-2.0
# The command finds the candidates itself. Where it has none, zsh offers files.
local candidate text
local -a plain open # an open one continues behind its =
while IFS=$'\t' read -r candidate text; do
    if [[ $candidate == *= ]]; then
        open+=("${candidate//:/\\:}:$text")
    else
        plain+=("${candidate//:/\\:}:$text")
    fi
done < <("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
((!$#plain)) || _describe tarn plain
((!$#open)) || _describe option open -S ''
(($#plain + $#open)) || _files
