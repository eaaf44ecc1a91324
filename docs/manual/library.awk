# SPDX-License-Identifier: Apache-2.0
# Prints libtarn(3) from the public headers: awk -v version=V -v date=D -f library.awk HEADER...
# Each declaration is shown as it is written, with the comment above it as text.

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}

# Prints the text of a comment: paragraphs, bullets, and a list of parameters and statuses.
function print_text(text, line, n, i, tag, is_list) {
    n = split(text, line, "\n")
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^@(param|retval) /) {
            tag = line[i]
            sub(/^@[a-z]+ /, "", tag)
            line[i] = tag
            sub(/ .*/, "", tag)
            sub(/^[^ ]* */, "", line[i])
            print ".TP\n.I " escape(tag)
            is_list = 1
        } else if (line[i] ~ /^@return /) {
            sub(/^@return /, "", line[i])
            print ".TP\nreturns"
        }
        if (line[i] ~ /^ *- /) {
            print ".IP \\(bu 2"
            sub(/^ *- /, "", line[i])
            is_list = 1
        }
        if (is_list) sub(/^ +/, "", line[i]) # else the lines of an example keep their places
        if (line[i] == "" && i < n && line[i + 1] !~ /^(@| *- )/) {
            print ".PP"
            is_list = 0
        }
        if (line[i] != "") print escape(line[i])
    }
}

function print_declaration() {
    if (code != "" && code !~ /^[{}]\n?$/) {
        print ".PP\n.nf\n.ft B"
        printf "%s", code
        print ".ft\n.fi"
        if (comment != "") {
            print ".RS"
            print_text(comment)
            print ".RE"
        }
    }
    code = comment = ""
}

function begin_header() {
    header = FILENAME
    sub(/.*\//, "", header)
    is_hidden = depth = 0
}

# Adds a line of the comment, without its frame.
function add_comment(line) {
    is_open = line !~ /\*\//
    sub(/ *\*\/.*/, "", line)
    sub(/^ *\/?\*+ ?/, "", line)
    if (line !~ /^(@def .*)?$/ || comment != "") comment = comment (comment == "" ? "" : "\n") line
    if (is_open) return
    sub(/\n+$/, "", comment)
    if (comment ~ /^@file /) {
        sub(/^@file [^\n]*\n/, "", comment)
        print ".SH <TARN/" toupper(header) ">"
        print_text(comment)
        comment = ""
    }
}

BEGIN {
    printf ".TH LIBTARN 3 \"%s\" \"tarn %s\" \"Library Functions Manual\"\n", date, version
    print ".ad l\n.nh\n.SH NAME\nlibtarn \\- one memory manager for accelerators"
    print ".SH SYNOPSIS\n.nf\n.B #include <tarn/tarn.h>\n.PP\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs tarn)\n.fi"
    print ".SH DESCRIPTION\nEach section describes one header. <tarn/tarn.h> includes those that"
    print "do not say that they may change."
    print "A struct with the field struct_size is initialised by TARN_INIT()."
}
FNR == 1 { begin_header() }
/@cond/ || /^extern "C\+\+"/ { is_hidden = 1 } # the latter is the C++ twin of a macro
/@endcond/ || (is_hidden && /^#else/) { is_hidden = 0; next }
is_hidden || /SPDX-License/ { next }
is_open { add_comment($0); next }
depth == 0 && /^\/\*/ {
    print_declaration()
    add_comment($0)
    next
}
/^#(ifndef TARN_.*_H|define TARN_.*_H|include|ifdef __cplusplus|endif|if |else)/ || /^(extern "C" {|})$/ { next }
/^$/ { if (depth == 0) print_declaration(); next }
{
    line = $0
    sub(/^TARN_API /, "", line)
    sub(/ *\\$/, "", line)
    code = code escape(line) "\n"
    depth += gsub(/{/, "{", line) - gsub(/}/, "}", line)
}
END {
    print_declaration()
    print ".SH SEE ALSO\n.BR tarn (1),\n.BR pkg\\-config (1)"
}
