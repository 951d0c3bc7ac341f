"""Task sets."""

from __future__ import annotations

import json
import operator
import os
from typing import Any

from . import _html, _native


def as_json(content: object) -> str:
    """JSON is YAML, so that dicts and lists are read like a file; numbers of numpy are numbers."""

    def other(value: Any) -> object:
        if hasattr(value, "tolist"):
            return value.tolist()
        if hasattr(value, "__index__"):
            return operator.index(value)
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        raise TypeError(f"{value!r} ({type(value).__name__}): a file holds dicts, lists, texts and numbers alone")

    return json.dumps(content, default=other)


class TaskSet:
    """A task set; it never changes. Made by `read`, `parse`, `task_set`, `convert` and `generate`."""

    __slots__ = ("_held",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        raise TypeError("rta.read, rta.parse, rta.task_set, rta.convert and rta.generate make task sets")

    @classmethod
    def _of(cls, held: object) -> TaskSet:
        made = object.__new__(cls)
        object.__setattr__(made, "_held", held)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a task set never changes; rta.task_set makes another of what to_dict() gives ('{name}' cannot be set)")

    @property
    def name(self) -> str:
        """The name of its file."""
        return self._held.name

    @property
    def dags(self) -> list[str]:
        """The names of its DAGs."""
        return self._held.dags

    @property
    def warnings(self) -> list[str]:
        """What was doubtful when it was read."""
        return self._held.warnings

    @property
    def found(self) -> list[str]:
        """Of `convert`: what the file says, in short."""
        return self._held.found

    @property
    def assumed(self) -> list[str]:
        """Of `convert`: what the file does not say."""
        return self._held.assumed

    def to_dict(self) -> dict[str, Any]:
        """Everything it says, with the keys of a file; `task_set` makes an equal one of it."""
        return json.loads(self._held.to_json())

    def to_yaml(self) -> str:
        """A file's text."""
        return self._held.to_yaml()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: .json and .dot (or .gv) as `rta convert` does, else YAML."""
        name = os.fspath(path)
        kind = os.path.splitext(name)[1]
        text = self._held.to_json() if kind == ".json" else self._held.to_dot() if kind in (".dot", ".gv") else self.to_yaml()
        _native.write_file(name, text.encode())

    def __eq__(self, other: object) -> bool:
        return self._held.equals(other._held) if isinstance(other, TaskSet) else NotImplemented

    def __repr__(self) -> str:
        return f"<rta.TaskSet '{self.name}', {len(self.dags)} DAGs>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._held.text(), self.name, self.warnings, self.found, self.assumed)

    def _repr_html_(self) -> str:
        return _html.task_set(self)


def _restored(*parts: Any) -> TaskSet:
    return TaskSet._of(_native.restored(*parts))


def held(task_set: TaskSet, function: str) -> Any:
    """What the native module takes; says what to do with anything else."""
    if isinstance(task_set, TaskSet):
        return task_set._held
    how = {str: "rta.read makes one of a file, rta.parse of a text", dict: "rta.task_set makes one of a dict", list: "call it for each of the list"}
    hint = "rta.read makes one of a file" if isinstance(task_set, os.PathLike) else how.get(type(task_set), "rta.read, rta.parse and rta.task_set make one")
    raise TypeError(f"rta.{function} takes a TaskSet, not {type(task_set).__name__}: {hint}")
