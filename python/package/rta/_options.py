"""Options that a table of the program says: as keywords of functions, shown by help() and by editors."""

from __future__ import annotations

import difflib
import functools
import inspect
import textwrap
import typing
from collections.abc import Callable, Iterable, Sequence

from . import _native

_Parameter = inspect.Parameter


def _analysis_options() -> dict[str, tuple[object, object, str]]:
    """Annotation, default and text of each."""
    options: dict[str, tuple[object, object, str]] = {}
    for key, kind, values, text in _native.analysis_options():
        if kind == "flag":
            options[key] = (bool, False, text)
        elif kind == "number":
            options[key] = (typing.Optional[int], None, text)
        else:
            options[key] = (typing.Optional[typing.Literal[tuple(values)]], None, text)
    return options


def _convert_options() -> dict[str, tuple[object, object, str]]:
    of = {"flag": (bool, False), "text": (typing.Union[str, int, float, None], None), "list": (typing.Union[str, int, Sequence[typing.Union[str, int]], None], None)}
    return {key: (*of[kind], text) for key, kind, text in _native.convert_options()}


ANALYSIS, CONVERT = _analysis_options(), _convert_options()


def near(word: str, known: Iterable[str]) -> str:
    """What was meant, as the end of a message."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def plain(value: object) -> object:
    """A number of numpy as Python's."""
    return value.item() if hasattr(value, "item") and not isinstance(value, (str, bytes)) else value


def takes(table: dict[str, tuple[object, object, str]], what: str, but: Sequence[str] = ()) -> Callable[[Callable], Callable]:
    """The keywords of `table` but for some, in place of the function's `**options`, which it gets those of that are given."""

    def decorated(function: Callable) -> Callable:
        own = inspect.signature(function)
        mine = [one for one in own.parameters.values() if one.kind is not _Parameter.VAR_KEYWORD]
        allowed = {key: value for key, value in table.items() if key not in but and key not in {one.name for one in mine}}
        added = [_Parameter(key, _Parameter.KEYWORD_ONLY, default=default, annotation=annotation) for key, (annotation, default, _) in allowed.items()]

        @functools.wraps(function)
        def with_options(*positional, **named):
            given = {key: plain(value) for key, value in named.items() if key not in {one.name for one in mine}}
            for key in given:
                if key not in allowed:
                    raise _native.Error(f"no option '{key}' of {what}{near(key, [*allowed, *(one.name for one in mine)])} (allowed: {', '.join(allowed)})")
            return function(*positional, **{key: value for key, value in named.items() if key not in given}, **given)

        with_options.__signature__ = own.replace(parameters=mine + added)
        lines = [f"Options of {what}:"]
        for key, (_, _, text) in allowed.items():
            lines += textwrap.wrap(f"{key}: {text}", 110, initial_indent="  ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)
        with_options.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n" + "\n".join(lines)
        return with_options

    return decorated
