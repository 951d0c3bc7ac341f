"""Prints the types of `import rta`, from the package that PYTHONPATH names: write_stub.py > python/package/rta/__init__.pyi."""

import dataclasses
import inspect

import rta

HEAD = '''# Written by python/write_stub.py.
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

import pandas

Path = Union[str, os.PathLike[str]]
__version__: str
__all__: list[str]
'''


def shown(annotation):
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else annotation.__name__ if isinstance(annotation, type) else str(annotation).replace("typing.", "").replace("collections.abc.", "")


def signature(function):
    parts, keywords = [], False
    of = inspect.signature(function)
    for one in of.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not keywords:
            parts.append("*")
            keywords = True
        kind = shown(one.annotation)
        default = "" if one.default is one.empty else f" = {one.default!r}" if kind else f"={one.default!r}"
        parts.append(f"{one.name}{': ' + kind if kind else ''}{default}")
    returned = shown(of.return_annotation)
    return f"({', '.join(parts)}){' -> ' + returned if returned else ''}"


def members(kind):
    hidden = {"__init__", "__hash__", "__eq__", "__setattr__", "__delattr__", "__reduce__", "__missing__"}
    if dataclasses.is_dataclass(kind):
        for field in dataclasses.fields(kind):
            yield f"    {field.name}: {field.type}{'' if field.default is dataclasses.MISSING else f' = {field.default!r}'}"
    else:
        yield from (f"    {name}: {of}" for name, of in kind.__dict__.get("__annotations__", {}).items())
    for name, member in kind.__dict__.items():
        if isinstance(member, property):
            yield f"    @property\n    def {name}{signature(member.fget)}: ..."
        elif inspect.isfunction(member) and name not in hidden and name != "__repr__" and not name.startswith("__dataclass"):
            if not name.startswith("_") or name.startswith("_repr_"):
                yield f"    def {name}{signature(member)}: ..."


def declared(name):
    what = getattr(rta, name)
    if not inspect.isclass(what):
        return f"def {name}{signature(what)}: ..."
    if issubclass(what, BaseException):
        fields = ["    file: str", "    line: int", "    column: int", "    diagnostics: list[tuple[str, int, int, str]]"]
        return f"class {name}({what.__bases__[0].__name__}):" + (" ..." if what is rta.Error else "\n" + "\n".join(fields))
    base = {dict: "dict[str, Any]", object: ""}.get(what.__bases__[0], what.__bases__[0].__name__)
    mark = "@dataclass(frozen=True)\n" if dataclasses.is_dataclass(what) else ""
    return f"{mark}class {name}{f'({base})' if base else ''}:\n" + "\n".join(members(what))


def stub():
    classes = ["Error", "InputError", "TaskSet", "Result", "Choice", "Sweep", "Certificate", "Picture"]
    functions = sorted(name for name in rta.__all__ if name not in classes)
    return HEAD + "\n" + "\n\n".join(declared(name) for name in classes) + "\n\n" + "\n".join(declared(name) for name in functions) + "\n"


if __name__ == "__main__":
    print(stub(), end="")
