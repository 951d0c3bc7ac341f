"""Response-time bounds, simulations and random task sets.

    tasks = rta.read("tasksets/examples/pedestrian.yaml")
    result = rta.analyze(tasks)
    result["verdict"], result.rows("nodes"), result.frame("nodes")

Results are dicts with what the commands of the program `rta` print in JSON; times in them are whole nanoseconds, in keys that end in `_ns`.
What the command line answers with exit status 2 raises `Error`, for files `InputError`. Long calls let other threads run, and end at Ctrl-C."""

from ._functions import analyze, certificate, compare, convert, draw, generate, optimize, parse, read, simulate, sweep, task_set
from ._native import Error, InputError, __version__
from ._result import Certificate, Choice, Picture, Result, Sweep, frame, rows
from ._task_set import TaskSet

__all__ = ["Certificate", "Choice", "Error", "InputError", "Picture", "Result", "Sweep", "TaskSet", "analyze", "certificate", "compare", "convert", "draw", "frame",
           "generate", "optimize", "parse", "read", "rows", "simulate", "sweep", "task_set"]

for _name in __all__:
    globals()[_name].__module__ = "rta"  # where people find it
del _name
