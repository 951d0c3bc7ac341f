#!/usr/bin/env python3
"""Which theorem carries each bound that `rta analyze` prints, and whether a machine has checked it: proved_shares.py PROGRAM [--sets N] [--kinds K...] [--files F...]

Analyses every task set of tasksets/ that is one, and N random ones of each kind (24): processors under FIFO, G-EDF, G-FL and FP, with and without
preemption, alone and beside a GPU and a copy engine, loaded to 30 and 60 %, with and without release jitter. Prints the table of
docs/theory/machine-checked.md: of every theorem the share of the nodes' bounds that are printed with its name, and where in proofs/ it is.
A bound rests on those that its inequality reads, too: so the last lines say of how many task sets all bounds are by machine-checked theorems.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Theorem as it is printed -> the theorem of proofs/headlines that says it holds.
PROVED = {
    "T10": "T10_in_every_schedule", "T10n": "T10n_in_every_schedule", "T11": "T10n_in_every_schedule", "T1n": "fed_back", "T6n": "fed_back",
    "T10p": "T10n_in_every_schedule", "T10a": "T10a_in_every_schedule", "T10v": "T10v_in_every_schedule", "T10c": "T10c_in_every_schedule", "T23 (a)": "T23_safe", "T23 (b)": "T23_bc_safe", "T23 (c)": "T23_bc_safe", "T10f": "T10f_safe", "T24": "T24_safe", "T10w": "T10w_safe", "T10m": "T10m_safe", "T10d": "waits_by_wholes", "T10d, by age": "T10d_by_age_safe", "T10d, not preemptive": "waits_by_started", "T12": "T12_safe", "T12w": "T12w_safe", "T12m": "T12m_safe", "T12d": "late_waits_by_wholes", "T12d, by age": "T12d_by_age_safe", "T12j": "T12j_safe", "T11j, at its release": "urgent_safe", "T10j": "T10j_safe", "T10g": "T10g_safe", "T1": "T1", "T1c": "carry_counted", "T1e": "T1e", "T1re": "T1re_any_carry", "T1r": "T10g_safe", "T1b": "T1b", "T1be": "T1be", "T1bn": "T1bn",
    "T5": "T5", "T6a": "T6_a", "T6b": "T6_b", "T6c": "T6c", "T8": "T8", "T15": "T15_worst_finish", "T19": "executors_safe", "T20": "executors_safe", "T19j": "T19j_safe",
}
# What the model of proofs/ does not have: nodes that wait for their job before, switches between kernels, time slices.
OUTSIDE = re.compile(r"sequential: true|\b(switch|slice|after|stream|in_flight):")
JITTER = re.compile(r"(?m)^\s*jitter: [1-9]")
# Of those for nodes released by themselves, at offsets: in proofs/ without jitter, or with T - J for T alone. (The others are of whole DAGs, with
# T - J or nominal periods, and a node at its offset is one, as late as its DAG: segments_jittered.)
WITHOUT_JITTER = {"T1", "T1c", "T1e", "T1re", "T1r", "T1n", "T6c", "T6n"}
FORMS = {"T23", "T10d", "T12d", "T12j", "T11j", "T19", "T19j", "T20"}
KINDS = list(itertools.product(["FIFO", "G-EDF", "G-FL", "FP"], [True, False], [False, True], [30, 60], [0, 10]))
COPIES = 0.2  # of the processors' nodes beside a GPU


def specification(scheduler, preemptive, gpu, load, jitter):
    text = f"platform:\n  cpu: {{processors: 4, scheduler: {scheduler}, preemptive: {str(preemptive).lower()}}}\n"
    text += "  gpu: {sms: 8, threads: 2048, blocks: 32}\n" if gpu else ""
    text += "random:\n  dags: 1 .. 5\n  nodes: 1 .. 8\n  periods: 10 ms .. 100 ms\n  deadline: 1\n"
    text += f"  jitter: {jitter} %\n" if jitter else ""
    text += "  shape:\n    - {layers: 2 .. 4, p: 50 %}\n    - {fork-join: 2 .. 4, depth: 2, nesting: 50 %}\n"
    text += f"  cpu: {{utilization: {load} %}}\n"
    return text + (f"  gpu: {{share: 25 %, utilization: {load} %, split: proportional, L: 50 us .. 1 ms, B: 4 .. 32, H: [128, 256, 512]}}\n" if gpu else "")


def with_copies(text, number):
    """Some nodes of the processors are copies."""
    draw = random.Random(number)
    text = text.replace("dags:\n", "  copy: {engines: 2}\ndags:\n", 1)
    return re.sub(r"on: cpu", lambda node: "on: copy" if draw.random() < COPIES else node[0], text)


def drawn(program, folder, sets, kinds):
    """Files of random task sets, `sets` of each of these kinds."""
    files = []
    for number in kinds:
        kind = KINDS[number]
        specified = folder / f"{number}.spec.yaml"
        specified.write_text(specification(*kind))
        subprocess.run([program, "generate", specified, "--seed", str(number), "--count", str(sets), "-o", folder / str(number)], check=True, capture_output=True)
        for index, file in enumerate(sorted((folder / str(number)).glob("*.yaml"))):
            if kind[2]:
                file.write_text(with_copies(file.read_text(), 1000 * number + index))
            files.append(file)
    return files


def is_proved(theorem, release, text):
    """Whether a bound by the theorem, in the task set of that text, is one of proofs/."""
    if theorem not in PROVED or OUTSIDE.search(text):
        return False
    return release != "offsets" or theorem not in WITHOUT_JITTER or not JITTER.search(text)


def analyzed(program, file, *options):
    return subprocess.run([program, "analyze", file, *options], capture_output=True, text=True, timeout=600)


def form(theorem, lines):
    """The form of a theorem that carries a bound, where it has several, by what --explain says: T23 waits in one of three (no more pieces than
    processors is (a), too); T10d may know what is left of a job by its age, or pools without preemption;
    T11j and T12j have a form for one processor, and T11j counts v's own jobs as its equals', as T12j does, where it is ready at its release."""
    if theorem == "T23":
        return "T23 (b)" if "pieces that may be ready" in lines else "T23 (c)" if "each of these nodes alone" in lines else "T23 (a)"
    if theorem in ("T11j", "T12j") and theorem + ": F = A + (carry + work" not in lines:
        return theorem + ", one processor"
    if theorem in ("T11j", "T12j"):
        return theorem + (", at its release" if theorem == "T11j" and "A = 0 ns" in lines else "")
    if theorem in ("T19", "T19j", "T20"):
        return theorem + (", of a node that follows" if "it ends before '" in lines else "")
    by_age = ", by age" if "as far as on infinitely many processors" in lines else ""
    return theorem + (", not preemptive" if "that have started before" in lines else "") + by_age


def forms(program, file, theorems):
    """The forms of these nodes' theorems (DAG/NODE -> theorem)."""
    text = analyzed(program, file, *[word for node in sorted(theorems) for word in ("--explain", node)]).stdout
    explained = re.findall(r"(?m)^Bound of (\S+)\n((?:  .*\n)+)", text)
    return {name: form(theorems[name], lines) for name, lines in explained if theorems[name] + ":" in lines}


def bounds_of(program, file):
    """Of every node's bound its theorem and whether that is proved; nothing where the file is no task set or has no bounds."""
    run = analyzed(program, file, "--format", "json")
    if run.returncode not in (0, 1):
        return []
    bounds = {f"{dag['name']}/{node['name']}": (node["theorem"], dag["release"])
              for dag in json.loads(run.stdout)["dags"] for node in dag["nodes"] if node["response_bound_ns"] is not None}
    several = {name: theorem for name, (theorem, _) in bounds.items() if theorem in FORMS}
    found = forms(program, file, several) if several else {}
    return [(found.get(name, theorem), is_proved(found.get(name, theorem), release, file.read_text())) for name, (theorem, release) in bounds.items()]


class Count:
    """Bounds by theorem, and task sets by whether all of theirs are proved."""

    def __init__(self, results):
        self.proved, self.otherwise, self.sets, self.whole = collections.Counter(), collections.Counter(), 0, 0
        for bounds in filter(None, results):
            for theorem, proved in bounds:
                (self.proved if proved else self.otherwise)[theorem] += 1
            self.sets += 1
            self.whole += all(proved for _, proved in bounds)

    def bounds(self):
        return self.proved.total() + self.otherwise.total()

    def share(self, theorem):
        return (self.proved[theorem] + self.otherwise[theorem]) / self.bounds() if self.bounds() else 0


def per_cent(share):
    return f"{100 * share:.1f} %" if share else ""


def table(files, sets):
    """Lines of Markdown; the first Count is of the task sets of files, the second of random ones."""
    lines = [f"| theorem | tasksets/ ({files.bounds()} bounds of {files.sets}) | random ({sets.bounds()} of {sets.sets}) | machine-checked |", "|---|---|---|---|"]
    names = set(files.proved) | set(files.otherwise) | set(sets.proved) | set(sets.otherwise)
    for name in sorted(names, key=lambda name: (-sets.share(name) - files.share(name), name)):
        counted, left_out = files.proved[name] + sets.proved[name], files.otherwise[name] + sets.otherwise[name]
        how = f"`{PROVED[name]}`" + (f", {counted} of {counted + left_out}" if left_out else "") if name in PROVED else "no"
        lines.append(f"| {name} | {per_cent(files.share(name))} | {per_cent(sets.share(name))} | {how} |")
    lines.append("| **machine-checked** | " + " | ".join(f"**{per_cent(count.proved.total() / max(1, count.bounds())) or '0 %'}**" for count in (files, sets)) + " | |")
    lines.append("| task sets all of whose bounds are | " + " | ".join(f"{count.whole} of {count.sets}" for count in (files, sets)) + " | |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sets", type=int, default=24, metavar="N", help="random task sets of each of the %d kinds (default: 24)" % len(KINDS))
    parser.add_argument("--kinds", type=int, nargs="+", default=range(len(KINDS)), metavar="K", help="only these kinds, by number (default: all)")
    parser.add_argument("--files", type=pathlib.Path, nargs="+", metavar="F", help="in place of all of tasksets/")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = arguments.files or sorted((ROOT / "tasksets").rglob("*.yaml"))
        sets = drawn(program, pathlib.Path(folder), arguments.sets, arguments.kinds)
        counts = [Count(pool.map(lambda file: bounds_of(program, file), those)) for those in (files, sets)]
    print("\n".join(table(*counts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
