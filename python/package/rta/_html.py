"""Results and task sets as notebooks show them: the verdict, the tables of the program's pages, a picture."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._result import Result
    from ._task_set import TaskSet

MOST_ROWS = 20
MOST_DRAWN = 60  # nodes that a picture of a task set has at most
GOOD = {"schedulable", "within bounds and deadlines", "within"}
TITLES = {"dags": "End to end", "pools": "Pools", "chains": "Chains", "requirements": "Requirements", "policies": "Release policies", "choices": "Choices",
          "before": "Before", "after": "After", "comparisons": "Traces", "summary": "Summary", "ratios": "Ratios", "weighted": "Weighted schedulability"}
STYLE = ("<style scoped>.rta table{border-collapse:collapse;margin:.3em 0 1em}.rta td,.rta th{padding:.15em .6em;text-align:left;border-bottom:1px solid #8884}"
         ".rta td.n{text-align:right;font-variant-numeric:tabular-nums}.rta .badge{padding:.1em .6em;border-radius:1em;color:#fff;font-weight:600}"
         ".rta h4{margin:.6em 0 .2em}</style>")


def time_text(ns: int) -> str:
    """7300000 as 7.3 ms."""
    for unit, length in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if abs(ns) >= length:
            whole, rest = divmod(abs(ns), length)
            digits = str(rest).zfill(len(str(length)) - 1).rstrip("0")
            return f"{'-' if ns < 0 else ''}{whole}{'.' if digits else ''}{digits} {unit}"
    return f"{ns} ns"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "<td>-</td>"
    if name.endswith("_ns") and isinstance(value, int) and not isinstance(value, bool):
        return f'<td class="n">{time_text(value)}</td>'
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, (int, float)):
        return f'<td class="n">{value:g}</td>' if isinstance(value, float) else f'<td class="n">{value}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def _table(title: str, rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(key for row in rows for key, value in row.items() if value is not None))
    head = "".join(f"<th>{html.escape(name.removesuffix('_ns').replace('_', ' ').replace('.', ' '))}</th>" for name in names)
    body = "".join("<tr>" + "".join(_cell(name, row.get(name)) for name in names) + "</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>{len(rows) - MOST_ROWS} more rows: rows() or frame() has all.</p>" if len(rows) > MOST_ROWS else ""
    return f"<h4>{html.escape(title)}</h4><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _badge(text: str) -> str:
    colour = "#2a7d4f" if text in GOOD else "#b3372f"
    return f'<span class="badge" style="background:{colour}">{html.escape(text)}</span>'


def result(result: Result) -> str:
    """Tables of a result's lists."""
    name = result.get("task_set") if isinstance(result.get("task_set"), str) else type(result).__name__
    verdict = result.get("verdict")
    parts = [STYLE, f"<h3>{html.escape(name)} {_badge(verdict) if isinstance(verdict, str) else ''}</h3>"]
    for kind in result._kinds():
        if kind in TITLES:
            parts.append(_table(TITLES[kind], result.rows(kind)))
    for warning in result.get("warnings") or []:
        parts.append(f"<p>warning: {html.escape(str(warning))}</p>")
    return f'<div class="rta">{"".join(parts)}</div>'


def _size(content: Mapping[str, Any]) -> int:
    return sum(len(dag.get("nodes", [0])) for dag in [*content.get("dags", []), *content.get("tasks", [])])


def task_set(task_set: TaskSet) -> str:
    """A picture of its DAGs, or the text of large sets and where Graphviz is missing."""
    from . import _functions, _native

    body = ""
    if _size(task_set.to_dict()) <= MOST_DRAWN:
        try:
            body = _functions.draw(task_set, bounds=False)._repr_svg_()
            body = body[body.index("<svg"):]
        except _native.Error:
            pass
    if not body:
        lines = task_set.to_yaml().splitlines()
        body = f"<pre>{html.escape(chr(10).join(lines[:40]))}{f'{chr(10)}... {len(lines) - 40} more lines' if len(lines) > 40 else ''}</pre>"
    return f'<div class="rta">{STYLE}<h3>{html.escape(task_set.name)}</h3>{body}</div>'
