"""Results: dicts with what is wanted of them in notebooks."""

from __future__ import annotations

import copy
import csv
import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _html, _native, _options

if TYPE_CHECKING:
    import pandas

    from ._task_set import TaskSet


class Result(dict):
    """What a command of `rta` prints in JSON, as a dict. Notebooks show it as tables."""

    def __missing__(self, key: object) -> Any:
        raise KeyError(f"{key}: the result has {', '.join(map(str, self))}{_options.near(str(key), map(str, self))}")

    def to_dict(self) -> dict[str, Any]:
        """A plain dict, with nothing that another result or call shares."""
        return {key: copy.deepcopy(value) for key, value in self.items()}

    def rows(self, kind: str = "dags") -> list[dict[str, Any]]:
        """As the function `rows`."""
        return rows(self, kind)

    def frame(self, kind: str = "dags") -> pandas.DataFrame:
        """As the function `frame`."""
        return frame(self, kind)

    def _kinds(self) -> list[str]:
        return [key for key, value in self.items() if isinstance(value, list) and value and isinstance(value[0], dict)]

    def __repr__(self) -> str:
        verdict = self.get("verdict")
        of = f" of '{self['task_set']}'" if isinstance(self.get("task_set"), str) else ""
        return f"<rta.{type(self).__name__}{of}{f': {verdict}' if verdict else ''}; {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _html.result(self)


class Choice(Result):
    """What `optimize` found; `chosen` is the task set."""

    chosen: TaskSet


class Sweep(Result):
    """The tables of a finished sweep. Its `results`, a row for each set and analysis, are read when they are asked for."""

    folder: str

    def rows(self, kind: str = "summary") -> list[dict[str, Any]]:
        """The rows of summary, ratios, weighted, points or results."""
        return read_table(os.path.join(self.folder, "results.csv")) if kind == "results" else rows(self, kind)

    def frame(self, kind: str = "summary") -> pandas.DataFrame:
        """The same as a frame of pandas."""
        return _frame_of(self.rows(kind))


@dataclasses.dataclass(frozen=True)
class Certificate:
    """A proof that `rta-check` verifies: `text`, of the task-set file whose text is `task_set`; `uncertified`: the bounds that it does not carry."""

    text: str
    task_set: str = dataclasses.field(repr=False)
    uncertified: tuple[str, ...] = ()

    def write(self, path: str | os.PathLike[str], task_set: str | os.PathLike[str] | None = None) -> None:
        """Writes it, and to `task_set` the file that it is of: `rta-check TASK-SET CERTIFICATE`."""
        _native.write_file(os.fspath(path), self.text.encode())
        if task_set is not None:
            _native.write_file(os.fspath(task_set), self.task_set.encode())


@dataclasses.dataclass(frozen=True)
class Picture:
    """DAGs as Graphviz's text, `dot`. Notebooks show the picture."""

    dot: str

    def to(self, format: str = "svg") -> bytes:
        """The picture in svg, pdf or png, or the text itself in dot."""
        if format in ("dot", "gv"):
            return self.dot.encode()
        if format not in ("svg", "pdf", "png"):
            raise _native.Error(f"no picture in '{format}' (allowed: svg, pdf, png, dot)")
        return _native.picture(self.dot, format)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes .svg, .pdf, .png, .dot or .gv."""
        _native.write_file(os.fspath(path), self.to(os.path.splitext(os.fspath(path))[1][1:]))

    def _repr_svg_(self) -> str:
        return self.to("svg").decode()


def _flat(item: Mapping[str, Any], prefix: str, row: dict[str, Any]) -> dict[str, Any]:
    for key, value in item.items():
        if isinstance(value, Mapping):
            _flat(value, f"{prefix}{key}.", row)
        elif not isinstance(value, (list, tuple)):
            row[prefix + key] = value
    return row


def rows(result: Mapping[str, Any], kind: str = "dags") -> list[dict[str, Any]]:
    """The list `kind` of a result (dags, nodes, pools ...) as flat dicts: lists within are left out, what dicts within say has names with
    dots, and nodes have the name of their `dag`."""
    if isinstance(result.get(kind) if kind in result else None, list):
        items = [(item, {}) for item in result[kind]]
    elif kind == "nodes" and isinstance(result.get("dags") if "dags" in result else None, list):
        items = [(node, {"dag": dag["name"]}) for dag in result["dags"] for node in dag["nodes"]]
    else:
        lists = [key for key, value in result.items() if isinstance(value, list) and value and isinstance(value[0], Mapping)]
        lists += ["nodes"] if "dags" in lists and "nodes" not in lists and "nodes" in result["dags"][0] else []
        raise _native.Error(f"the result has no list '{kind}'{_options.near(kind, lists)} (there are: {', '.join(lists) or 'none'})")
    return [_flat(item, "", dict(head)) for item, head in items if isinstance(item, Mapping)]


def _frame_of(table: Sequence[Mapping[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ModuleNotFoundError:
        raise ModuleNotFoundError("a frame needs pandas (Debian: python3-pandas); rows() gives the same as a list of dicts", name="pandas") from None
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(key for row in table for key in row):
        values = [row.get(name) for row in table]
        known = [value for value in values if value is not None]
        whole = bool(known) and all(isinstance(value, int) and not isinstance(value, bool) for value in known)
        # As a float64, which a missing bound makes of the others, ns above 2^53 would be rounded.
        columns[name] = pandas.array(values, dtype="Int64") if whole or (name.endswith("_ns") and not known) else values
    return pandas.DataFrame(columns)


def frame(result: Mapping[str, Any], kind: str = "dags") -> pandas.DataFrame:
    """The rows of that kind as a frame of pandas. Whole numbers stay whole (Int64), also where some are missing."""
    return _frame_of(rows(result, kind))


def _cell(text: str) -> object:
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_table(path: str) -> list[dict[str, Any]]:
    """A CSV file that the program wrote."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: _cell(value) for key, value in row.items()} for row in csv.DictReader(file)]
