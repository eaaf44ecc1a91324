#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tarn/_native.py: the statuses, enums, structs and functions of include/tarn for ctypes.

    python3 python/generate.py            # replaces python/tarn/_native.py
    python3 python/generate.py FILE       # writes another file

The C preprocessor expands the headers and pycparser (python3-pycparser) reads the result, so no
struct, number or text is copied by hand. tests/python/test_native.py compares the committed file
with a new one, and the layouts with those of the C compiler.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pycparser import c_ast, c_parser

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "python" / "tarn" / "_native.py"

# The headers for programs, and those that may change. That of back-ends is left out.
HEADERS = ("channel", "face", "fault", "snapshot", "software", "tarn")
INCLUDES = "".join(f"#include <tarn/{name}.h>\n" for name in HEADERS)

# Stand for the compiler's headers, which contain extensions that pycparser does not read.
INTEGERS = (("char", 8), ("short", 16), ("int", 32), ("long", 64))
STANDARD = {
    "stdbool.h": "#define bool _Bool\n",
    "stddef.h": "typedef unsigned long size_t;\n#define NULL ((void *)0)\n",
    "stdint.h": "".join(
        f"typedef signed {kind} int{bits}_t;\ntypedef unsigned {kind} uint{bits}_t;\n"
        for kind, bits in INTEGERS
    )
    + "#define UINT64_MAX 18446744073709551615u\n#define UINT64_C(n) n\n",
}

# Types of C as ctypes; enums, structs and the other typedefs of the headers are added.
SCALARS = {
    "_Bool": "c_bool", "char": "c_char", "unsigned char": "c_ubyte", "int": "c_int",
    "unsigned": "c_uint", "unsigned int": "c_uint", "double": "c_double", "size_t": "c_size_t",
    **{f"{u}int{bits}_t": f"c_{u}int{bits}" for u in ("", "u") for _, bits in INTEGERS},
}  # fmt: skip

# Structs whose contents users get as immutable records. tarn_block becomes BlockInfo, since the
# package has a class Block.
RECORDS = (
    "tarn_rule", "tarn_location", "tarn_device_info", "tarn_setting", "tarn_platform_stats",
    "tarn_block", "tarn_pool_info", "tarn_pool_stats", "tarn_pool_tag_stats", "tarn_pool_share",
    "tarn_plan_miss", "tarn_pool_report", "tarn_phys_info", "tarn_address_info",
)  # fmt: skip

# Exceptions of Python that the exception for a status also is.
ALSO = {
    "BAD_ARGUMENT": "ValueError", "BAD_ADDRESS": "ValueError", "BAD_DEVICE": "ValueError",
    "BAD_CONFIG": "ValueError", "MISALIGNED": "ValueError", "NO_HOST_MEMORY": "MemoryError",
    "NO_DEVICE_MEMORY": "MemoryError", "NO_ADDRESS_SPACE": "MemoryError",
    "UNSUPPORTED": "NotImplementedError",
}  # fmt: skip

# Lists of X(NAME, ..., "text"), and the arguments of their X.
LISTS = {
    "TARN_STATUS_LIST": "name, value, text",
    "TARN_POOL_STATS_LIST": "name, text",
    "TARN_PLATFORM_STATS_LIST": "name, text",
}

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Written by python/generate.py from include/tarn. Do not edit.

Structs have their names and fields of C. The records are what the package returns of them.
FUNCTIONS has the result and the arguments of every function.
"""

from ctypes import %s
from enum import IntEnum, IntFlag
from typing import Any, Dict, NamedTuple, Optional, Tuple

from tarn._struct import Struct, TarnError
'''


def camel(name: str) -> str:
    """Returns NoHandles for NO_HANDLES, and PoolKind for tarn_pool_kind."""
    return "".join(word.capitalize() for word in name.lower().split("_") if word != "tarn")


def preprocess(text: str, *options: str) -> str:
    """Returns the expansion of a text in C that includes the public headers."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in STANDARD.items():
            Path(folder, name).write_text(content, encoding="ascii")
        command = [os.environ.get("CC", "cc"), "-E", "-nostdinc", "-I" + folder,
                   f"-I{ROOT}/include", "-D__attribute__(x)=", *options, "-"]  # fmt: skip
        done = subprocess.run(command, input=text, check=True, text=True, stdout=subprocess.PIPE)
        return done.stdout


def macro_names() -> list[str]:
    """Returns the macros without parameters that are numbers."""
    found = []
    for line in preprocess(INCLUDES, "-dM").splitlines():
        match = re.match(r"#define TARN_([A-Z0-9_]+) ([\w\s()<>|]+)$", line)
        if match and "attribute" not in match[2]:
            found.append(match[1])
    return sorted(found)


def parse() -> Any:
    """Returns the syntax tree of the headers, with an enum of macros and the texts of LISTS."""
    text = INCLUDES + "enum macros {\n"
    text += "".join(f"macro_{name} = TARN_{name},\n" for name in macro_names()) + "};\n"
    for number, (name, arguments) in enumerate(LISTS.items()):
        text += f"#define X{number}({arguments}) static const char text_{number}_##name[] = text;\n"
        text += f"{name}(X{number})\n"
    return c_parser.CParser().parse(preprocess(text), "tarn.h")


def enum_fields() -> dict[tuple[str, str], str]:
    """Returns the enums of fields that are integers, by struct and field. Comments name them."""
    found = {}
    for path in (ROOT / "include" / "tarn").glob("*.h"):
        text = path.read_text(encoding="utf-8")
        for body, struct in re.findall(r"^typedef struct \w+ \{(.*?)^\} (\w+);", text, re.M | re.S):
            for field, enum in re.findall(r"int32_t (\w+);\s*/\*\*< a (tarn_\w+)", body):
                found[struct, field] = enum
    return found


def number(node: Any, known: dict[str, int]) -> int:
    """Returns the value of a constant expression."""
    if isinstance(node, c_ast.Constant):
        return int(re.sub(r"[uUlL]+$", "", node.value), 0)
    if isinstance(node, c_ast.ID):
        return known[node.name]
    if isinstance(node, c_ast.Cast):
        return number(node.expr, known)
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        return -number(node.expr, known)
    if isinstance(node, c_ast.BinaryOp):
        left, right = number(node.left, known), number(node.right, known)
        return {"<<": left << right, "|": left | right, "+": left + right}[str(node.op)]
    raise ValueError(f"{node.coord}: an expression that the generator does not know")


class Headers:
    """The declarations of the headers, and the text that they become."""

    def __init__(self) -> None:
        self.types = dict(SCALARS)  # name of C -> ctypes
        self.enums: dict[str, str] = {}  # typedef -> class
        self.enum_fields = enum_fields()
        self.values: dict[str, int] = {}  # constants
        self.structs: dict[str, list[tuple[str, Any]]] = {}  # those with fields
        self.texts: dict[str, dict[str, str]] = {name: {} for name in LISTS}
        self.functions: list[str] = []
        self.out: list[str] = []
        tree = parse()
        for node in tree.ext:
            self.read_text(node)
        for node in tree.ext:
            self.declare(node)

    def emit(self, *lines: str) -> None:
        """Adds lines to the result."""
        self.out.extend(lines)

    def read_text(self, node: Any) -> None:
        """Keeps the text of an entry of LISTS."""
        match = re.match(r"text_(\d)_(\w+)", getattr(node, "name", None) or "")
        if match:
            self.texts[list(LISTS)[int(match[1])]][match[2]] = node.init.value[1:-1]

    def declare(self, node: Any) -> None:
        """Translates one declaration of a header."""
        if isinstance(node, c_ast.Typedef):
            self.declare_type(node)
        elif isinstance(node.type, c_ast.Enum):
            self.declare_enum(node.type, None)
        elif isinstance(node.type, c_ast.FuncDecl):
            result, arguments = self.signature(node.type)
            self.functions.append(f'    "{node.name}": ({result}, ({arguments})),')

    def declare_type(self, node: Any) -> None:
        inner = getattr(node.type, "type", None)
        if isinstance(inner, c_ast.Enum):
            self.types[node.name] = "c_int"
            self.declare_enum(inner, node.name)
        elif isinstance(inner, c_ast.Struct) and inner.decls is None:
            self.types[node.name] = "None"  # opaque: its pointers are c_void_p
        elif isinstance(inner, c_ast.Struct):
            self.declare_struct(inner, node.name)
        elif node.name not in self.types:
            self.types[node.name] = self.ctype(node.type)

    # ---- types

    def ctype(self, node: Any) -> str:
        """Returns a type as an expression of ctypes; "None" for void and opaque structs."""
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.ctype(node.type)} * {number(node.dim, self.values)}"
        if isinstance(node, c_ast.FuncDecl):
            result, arguments = self.signature(node)
            return f"CFUNCTYPE({result}, {arguments.rstrip(',')})"
        if isinstance(node, (c_ast.TypeDecl, c_ast.Typename)):
            return self.ctype(node.type)
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            return "None" if name == "void" else self.types[name]
        raise ValueError(f"{node.coord}: a type that the generator does not know")

    def pointer(self, target: Any) -> str:
        inner = self.ctype(target)
        if isinstance(target, c_ast.FuncDecl):
            return inner
        if inner == "None":
            return "c_void_p"
        return "c_char_p" if inner == "c_char" else f"POINTER({inner})"

    def signature(self, node: Any) -> tuple[str, str]:
        """Returns the result and the arguments of a function, separated by commas."""
        arguments = []
        for parameter in node.args.params if node.args else ():
            if isinstance(parameter.type, c_ast.ArrayDecl):
                arguments.append(self.pointer(parameter.type.type))
            elif self.ctype(parameter.type) != "None":
                arguments.append(self.ctype(parameter.type))
        return self.ctype(node.type), ", ".join(arguments) + ("," if len(arguments) == 1 else "")

    # ---- enums and constants

    def declare_enum(self, node: Any, typedef: str | None) -> None:
        members: dict[str, int] = {}
        following = 0
        for member in node.values.enumerators:
            if member.value is not None:
                following = number(member.value, {**self.values, **members})
            members[member.name] = following
            following += 1
        self.values.update(members)
        if node.name == "macros":
            self.emit("", "", *(f"{name[6:]} = {value}" for name, value in members.items()))
            return
        prefix = os.path.commonprefix(list(members)).rpartition("_")[0] + "_"
        if typedef is None and len(members) == 1:
            prefix = "TARN_"
        if prefix == "TARN_" and typedef is None:
            self.emit("", "", *(f"{name[5:]} = {value}" for name, value in members.items()))
            return
        flags = typedef is None and all(value & (value - 1) == 0 for value in members.values())
        name = camel(typedef) if typedef else camel(prefix) + ("Flags" if flags else "Number")
        if typedef:
            self.enums[typedef] = name
        base = "IntFlag" if flags else "IntEnum"
        self.emit("", "", f"class {name}({base}):", f'    """{prefix}... of {header(node)}."""', "")
        for key, value in members.items():
            self.emit(f"    {key[len(prefix):]} = {f'{value:#x}' if flags else value}")
        if typedef == "tarn_status":
            self.emit_errors()

    def emit_errors(self) -> None:
        """Writes an exception for each status."""
        texts = self.texts["TARN_STATUS_LIST"]
        for status, text in texts.items():
            if status != "OK":
                bases = ", ".join(["TarnError", *ALSO.get(status, "").split()])
                self.emit("", "", f"class {camel(status)}({bases}):")
                self.emit(f'    """{status}: {text}."""', "", f"    status = Status.{status}")
        self.emit("", "", "ERRORS: Dict[int, type[TarnError]] = {")
        self.emit(*(f"    {self.values['TARN_' + status]}: {camel(status)},"
                    for status in texts if status != "OK"), "}")  # fmt: skip

    # ---- structs and records

    def declare_struct(self, node: Any, name: str) -> None:
        fields = [(field.name, field.type) for field in node.decls]
        self.structs[name] = fields
        self.types[name] = name
        self.emit("", "", f"class {name}(Struct):", f'    """{name} of {header(node)}."""', "")
        self.emit(*(f"    {key}: {self.python(kind, False)}" for key, kind in fields))
        self.emit("", "    _fields_ = [")
        self.emit(*(f'        ("{key}", {self.ctype(kind)}),' for key, kind in fields), "    ]")
        if name in RECORDS:
            self.declare_record(name, header(node))

    def python(self, node: Any, record: bool) -> str:
        """Returns the annotation of a field, as a struct or a record has it."""
        kind = self.ctype(node)
        if isinstance(node, c_ast.ArrayDecl) and kind.startswith("c_char "):
            return "str" if record else "Any"  # a field may have the name bytes
        if isinstance(node, c_ast.ArrayDecl):
            return f"Tuple[{self.python(node.type, record)}, ...]" if record else "Any"
        if isinstance(node, c_ast.PtrDecl):
            if kind == "c_char_p":
                return "str" if record else "Any"
            return "Optional[int]" if kind == "c_void_p" else "Any"
        typedef = " ".join(node.type.names)
        if typedef in self.structs:
            return record_name(typedef) if record else typedef
        return {"c_bool": "bool", "c_double": "float"}.get(kind, "int")

    def declare_record(self, name: str, where: str) -> None:
        texts = self.texts.get(name.upper() + "_LIST", {})
        record = record_name(name)
        self.emit("", "", f"class {record}(NamedTuple):")
        self.emit(f'    """{name} of {where}{":" if texts else "."}')
        if texts:
            self.emit("", *(f"    {key}: {text}" for key, text in texts.items()), "    ")
            self.out[-1] = '    """'
        else:
            self.out[-1] += '"""'
        self.emit("")
        for key, kind in self.structs[name]:
            if key not in ("struct_size", "zero"):
                enum = self.enum_fields.get((name, key))
                self.emit(f"    {key}: {self.enums[enum] if enum else self.python(kind, True)}")
        self.emit("", "", f"{name}.record_class = {record}")

    def text(self) -> str:
        """Returns the whole module."""
        version = ".".join(str(self.values[f"macro_VERSION_{part}"])
                           for part in ("MAJOR", "MINOR", "PATCH"))  # fmt: skip
        version += ".dev0" if self.values["macro_VERSION_DEV"] else ""
        lines = [*self.out, "", "", "FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {"]
        code = "\n".join([*lines, *self.functions, "}"]) + "\n"
        used = sorted(set(re.findall(r"\b(?:CFUNCTYPE|POINTER|c_\w+)\b", code)))
        return HEAD % ", ".join(used) + f'\nVERSION = "{version}"\n' + code


def record_name(struct: str) -> str:
    """Returns the class of a struct's record."""
    return "BlockInfo" if struct == "tarn_block" else camel(struct)


def header(node: Any) -> str:
    """Returns the header of a declaration, such as tarn/pool.h."""
    return "tarn/" + Path(str(node.coord.file)).name


def main() -> None:
    """Writes the module."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULT
    target.write_text(Headers().text(), encoding="ascii")


if __name__ == "__main__":
    main()
