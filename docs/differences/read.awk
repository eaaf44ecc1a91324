# SPDX-License-Identifier: Apache-2.0
# Reads tables of differences. `awk -f read.awk sources.txt hip.txt` writes the page of hip.txt. With -v as=rows it writes
# a line for each record of the files instead: FILE:LINE, the id, and the fields in the order of `order`, between tabs.

function record(    i, line) {
    if (id == "") return
    if (face == "sources") publication[id] = field["text"]
    if (as == "rows") {
        line = at "\t" (face == "sources" ? id : face "." id)
        for (i = 1; i <= fields; i++) line = line "\t" field[order[i]]
        print line unknown
    } else if (face != "sources") {
        entry()
    }
    id = unknown = ""
    split("", field)
}

# entry: prints a difference as an item of a list.
function entry(    i, n, part, word, mark, marks, vendor, untested) {
    n = split(field["source"], part, /; */)
    for (i = 1; i <= n; i++) {
        split(part[i], word, " ")
        if (word[1] in marked) continue
        marked[word[1]] = used[word[1]] = 1
        mark = index(" " field["confirmed"] " ", word[1]) ? "**" word[1] "**" : word[1]
        marks = marks ", " mark
    }
    split("", marked)
    vendor = field["vendor"] ~ /^(ROCm|CUDA|AscendCL)[^:;]*:/ ? "" : vendors[face] ": "
    if (field["test"] ~ /^not tested/) untested = " N" substr(field["test"], 2) "."
    printf "- **%s**  \n  %s%s. *Tarn:* %s. *Reason:* %s.%s <sub>`%s.%s`%s</sub>\n", field["matter"], vendor, field["vendor"],
        field["tarn"], field["reason"], untested, face, id, marks
}

BEGIN {
    fields = split("matter vendor source confirmed tarn reason test seen text answers", order, " ")
    for (i = 1; i <= fields; i++) known[order[i]]
    n = split("hip AMD cuda NVIDIA acl CANN mstx msSanitizer hiai Matrix", word, " ")
    for (i = 1; i < n; i += 2) vendors[word[i]] = word[i + 1]
}
FNR == 1 {
    record()
    blank = 1
    face = FILENAME
    sub(/.*\//, "", face)
    sub(/\.txt$/, "", face)
}
/^#/ { next }
/^[^ =]+$/ { # the id of a record
    record()
    id = $1
    at = FILENAME ":" FNR
    next
}
id != "" && /^    [^ ]/ {
    key = $1
    if (!(key in known) || key in field) unknown = unknown "\twrong field " key
    sub(/^ *[^ ]+ */, "")
    field[key] = $0
    next
}
id != "" && /^               [^ ]/ { sub(/^ */, " "); field[key] = field[key] $0; next }
{ record() }
as == "rows" || face == "sources" { next }
sub(/^== /, "\n## ") || sub(/^= /, "# ") || /./ { print; blank = 0; next }
!blank++ { print "" }
END {
    record()
    if (as == "rows") exit
    print "\n## Sources\n\nA source in bold has answered the question itself.\n\n| name | publication |\n|---|---|"
    for (name in used) print "| " name " | " publication[name] " |" | "LC_ALL=C sort"
}
