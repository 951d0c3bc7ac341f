"""Table 6.1 of the dissertation by the simulator: six cameras by granularity and scheduler, bounds and response times beside the published
ones, and a page with the distributions (Figure 6.4). Needs no GPU."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from gpu_side_by_side import SHARES, figures, in_ms, table

ROOT = pathlib.Path(__file__).resolve().parents[1]
GLOBAL, CLUSTERS = "hog-like.yaml", "hog-like-clusters.yaml"
# Column -> task set, options, and what was published: bound, largest and average response time, ms.
COLUMNS = {
    "monolithic, G-EDF": (GLOBAL, ("--granularity", "monolithic"), (None, 170091.06, 84669.47)),
    "monolithic, C-EDF": (CLUSTERS, ("--granularity", "monolithic"), (None, 243745.21, 121748.05)),
    "coarse, G-EDF": (GLOBAL, ("--granularity", "coarse"), (None, 427.07, 136.57)),
    "coarse, C-EDF": (CLUSTERS, ("--granularity", "coarse"), (None, 428.50, 121.52)),
    "fine, G-FL": (GLOBAL, ("--release", "completion"), (542.39, 125.66, 65.99)),
    "fine, C-FL": (CLUSTERS, ("--release", "completion"), (477.25, 131.43, 66.06)),
}


class Failed(Exception):
    pass


def rta(*words):
    program = os.environ.get("RTA_PROGRAM", ROOT / "rta")
    ran = subprocess.run([str(word) for word in (program, *words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ran.returncode not in (0, 1):  # 1: no bound, or a deadline missed
        raise Failed(ran.stderr.strip() or f"rta {words[0]} ended with {ran.returncode}")


def column(name, folder, options):
    """What a run shows; its trace stays in `folder`."""
    task_set, how, _ = COLUMNS[name]
    file, trace, report = ROOT / "tasksets/literature" / task_set, folder / f"{name.replace(', ', '-')}.jsonl", folder / "report.json"
    run = ("--duration", options.duration, "--execution", options.execution, "--seed", options.seed, "--random-phases")
    rta("simulate", file, *how, *run, "--trace", trace, "--trace-level", "dag", "--output", report, "--quiet")
    dags = json.loads(report.read_text())["dags"]
    bounds = [dag["response_bound_ns"] for dag in dags]
    return trace, {"figures": figures(trace), "bound_ns": None if None in bounds else max(bounds)}


def rows_of_table():
    rows = [("bound", lambda run: in_ms(run["bound_ns"]))]
    keys = {"max": "max_ns", **{name: name for name, _ in SHARES}, "mean": "mean_ns"}
    rows += [(name, lambda run, key=key: in_ms(run["figures"].get(key))) for name, key in keys.items()]
    rows += [("jobs", lambda run: str(run["figures"]["jobs"]))]
    for i, name in enumerate(("bound", "max", "mean")):
        rows.append((f"published {name}", lambda run, i=i: "-" if run["published"][i] is None else f"{run['published'][i]:.2f}"))
    return rows


def parsed(words):
    parser = argparse.ArgumentParser(prog="table-6.1", description=__doc__)
    parser.add_argument("--duration", default="10s", help="how long cameras are released (default: 10s)")
    parser.add_argument("--execution", default="80-100", help="execution times, as of rta simulate (default: 80-100)")
    parser.add_argument("--seed", default="1", help="default: 1")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=pathlib.Path, help="keeps the traces and a page with the distributions, table.html")
    return parser.parse_args(words)


def main(words):
    options = parsed(words)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.output or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        traces, runs = [], {}
        try:
            for name in COLUMNS:
                trace, runs[name] = column(name, folder, options)
                runs[name]["published"] = COLUMNS[name][2]
                traces.append(trace)
            if options.output:
                files = [ROOT / "tasksets/literature" / file for file in (GLOBAL, CLUSTERS)]
                rta("compare", *traces, files[0], "--with", files[1], "--output", folder / "table.html", "--quiet")
                (folder / "report.json").unlink()
        except Failed as error:
            print(f"table-6.1: {error}", file=sys.stderr)
            return 2
        print("response times of cameras, ms:")
        print(table(runs, rows_of_table()))
        above = [name for name, run in runs.items() if run["bound_ns"] is not None and run["figures"].get("max_ns", 0) > run["bound_ns"]]
        for name in above:
            print(f"table-6.1: {name}: a response time is above its bound", file=sys.stderr)
        return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
