"""Draws bound against CPU load for every release policy on the HOG-like set: policies.py PROGRAM. Needs gnuplot.

The C of every CPU node is scaled; each point is the largest end-to-end bound that `rta analyze` prints, or `rta simulate` observes."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TASK_SET = HERE.parent.parent / "tasksets" / "literature" / "hog-like.yaml"
PROCESSORS = 16
PERCENT = [10, 20, 30, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100]  # CPU load
PUBLISHED = ["--release", "offsets", "--refine", "none", "--gpu-bound", "T5"]
POLICIES = {
    "offsets, G-EDF (T1, T5)": [*PUBLISHED, "--scheduler", "G-EDF"],
    "offsets, G-FL (T1, T5)": [*PUBLISHED, "--scheduler", "G-FL"],
    "offsets, LP (T1, T5)": [*PUBLISHED, "--scheduler", "LP"],
    "offsets, LP, refined (T1n, T6n)": ["--release", "offsets", "--scheduler", "LP"],
    "segments (T10j, T10g)": ["--release", "segments"],
    "completion (T10)": ["--release", "completion", "--priorities", "dag", "--time-limit", "0"],
    "completion (T10n, T10g)": ["--release", "completion", "--priorities", "dag"],
    "completion, points per node": ["--release", "completion", "--priorities", "node"],
}
SIMULATED = "completion, simulated"
COLOURS = ["#9ecae1", "#4292c6", "#08519c", "#7f2704", "#31a354", "#fdae6b", "#e6550d", "#000000", "#969696"]


def run(program, command, *arguments):
    return json.loads(subprocess.run([program, command, *arguments, "--format", "json", "--quiet"], capture_output=True, text=True).stdout)


def scaled(percent):
    """The task set with the CPU loaded to that share of its capacity, in whole percent, rounded down by less than a nanosecond per node."""
    text = TASK_SET.read_text()
    period = int(re.search(r"T: (\d+) ms", text)[1]) * 1_000_000
    copies = int(re.search(r"copies: (\d+)", text)[1])
    work = copies * sum(int(C) for C in re.findall(r"on: cpu, C: (\d+) ns", text))
    return re.sub(r"on: cpu, C: (\d+) ns", lambda match: f"on: cpu, C: {int(match[1]) * percent * PROCESSORS * period // (100 * work)} ns", text)


def largest(result, key):
    bounds = [dag[key] for dag in result["dags"]]
    return None if None in bounds else max(bounds) / 1e6


def curves(program):
    points = {name: [] for name in [*POLICIES, SIMULATED]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "scaled.yaml")
        for percent in PERCENT:
            path.write_text(scaled(percent))
            for name, options in POLICIES.items():
                points[name].append(largest(run(program, "analyze", path, *options), "response_bound_ns"))
            seen = run(program, "simulate", path, "--release", "completion", "--search-runs", "40")
            points[SIMULATED].append(largest(seen, "observed_max_ns"))
            print(percent, {name: values[-1] for name, values in points.items()}, flush=True)
    return points


def draw(points):
    script = [
        "set terminal svg noenhanced size 820,640 dynamic font 'sans,13' background '#ffffff'",
        f"set output '{HERE / 'policies.svg'}'",
        "set logscale y", "set xlabel 'load of the 16 CPUs (%)'", "set ylabel 'largest end-to-end bound (ms)'",
        "set xrange [10:100]", "set yrange [3:3000]", "set grid lc rgb '#dddddd'", "set key below maxcols 2",
        "plot " + ", ".join(
            f"'-' using 1:2 with linespoints pt {i + 1} ps 0.6 lw 2 lc rgb '{colour}' title '{name}'"
            for i, (name, colour) in enumerate(zip(points, COLOURS, strict=True))
        ),
    ]
    for values in points.values():
        script += [f"{percent} {value}" for percent, value in zip(PERCENT, values) if value is not None] + ["e"]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)


if __name__ == "__main__":
    draw(curves(sys.argv[1]))
