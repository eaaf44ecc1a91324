# SPDX-License-Identifier: Apache-2.0
# The command finds the candidates itself. Where it has none, fish offers files.
function __tarn_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l found (command $words[1] complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c tarn -f -a '(__tarn_candidates)'
