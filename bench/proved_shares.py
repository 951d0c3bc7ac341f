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


def analyzed(program, file, *options):
    return subprocess.run([program, "analyze", file, *options], capture_output=True, text=True, timeout=600)


def bounds_of(program, file):
    """Of every node's bound its theorem with its form, and the headline of proofs/ that says it holds or None; nothing where the file is no
    task set or has no bounds."""
    run = analyzed(program, file, "--format", "json")
    if run.returncode not in (0, 1):
        return []
    nodes = [node for dag in json.loads(run.stdout)["dags"] for node in dag["nodes"] if node["response_bound_ns"] is not None]
    return [(node["theorem"] + (f" {node['form']}" if "form" in node else ""), node["headline"]) for node in nodes]


class Count:
    """Bounds by theorem, and task sets by whether all of theirs are proved."""

    def __init__(self, results):
        self.proved, self.otherwise, self.sets, self.whole = collections.Counter(), collections.Counter(), 0, 0
        self.headlines = {}
        for bounds in filter(None, results):
            for theorem, headline in bounds:
                (self.proved if headline else self.otherwise)[theorem] += 1
                if headline:
                    self.headlines[theorem] = headline
            self.sets += 1
            self.whole += all(headline for _, headline in bounds)

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
        headline = files.headlines.get(name) or sets.headlines.get(name)
        how = f"`{headline}`" + (f", {counted} of {counted + left_out}" if left_out else "") if headline else "no"
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
