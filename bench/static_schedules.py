#!/usr/bin/env python3
"""How good are the schedules of `rta compile`, and how soon: static_schedules.py PROGRAM [NAME]... [--time-limit TIME] [--write DIR]

Prints a table: job shops of the literature (job_shops.txt) written as graphs, beside the best known lengths, and random graphs of driving
software (five processes, four cores, a GPU with streams, mutexes), beside the lower bound. `first` is the time of `--effort 0`, which ends
with the list schedules; it includes starting the program and reading the file. `cpu` is what the search took of all cores.
"""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

SHOPS = pathlib.Path(__file__).with_name("job_shops.txt")
DRIVING = {"driving200": (200, 1), "driving350": (350, 2), "driving500": (500, 3), "driving500b": (500, 4)}


def job_shops():
    """Name -> (best known length in ms, text of the graph): machines are CPUs, operations runnables of a client per job."""
    lines = [line.split() for line in SHOPS.read_text().splitlines() if line and not line.startswith("#")]
    shops = {}
    while lines:
        name, jobs, machines, best = lines[0][0], *map(int, lines[0][1:])
        text = [f"Version: 3.0.0\n{name}:\n  Identifier: 0\n  Resources: {{CPU: [{', '.join(f'M{m}' for m in range(machines))}]}}"]
        text.append("  Hyperepochs: [{shop: {Period: 100s, Epochs: [{all: {Period: 100s}}]}}]\n  Clients:")
        for job, operations in enumerate(lines[1 : jobs + 1]):
            text.append(f"    - job{job}:\n        Epochs:\n          - shop.all:\n              Runnables:")
            for i in range(machines):
                after = f", Dependencies: [job{job}.op{i - 1}]" if i else ""
                text.append(f"                - op{i}: {{WCET: {operations[2 * i + 1]}ms, Resources: [M{operations[2 * i]}]{after}}}")
        shops[name] = (best, "\n".join(text) + "\n")
        lines = lines[jobs + 1 :]
    return shops


def driving(count, seed):
    """A layered graph of `count` runnables: 15 % submitters with their kernels, mutexes on a tenth of the CPU runnables."""
    draw = random.Random(seed)
    clients = ["Sensors", "Perception", "Fusion", "Planning", "Control"]
    lines = {client: [] for client in clients}
    layer, done, made = [], [], 0
    while made < count:
        width = draw.randint(4, 16)
        fresh = []
        for _ in range(width):
            if made >= count:
                break
            client = draw.choice(clients)
            after = sorted({draw.choice(layer or done) for _ in range(draw.randint(1, 3))}) if done else []
            if done and draw.random() < 0.2:
                after = sorted({*after, draw.choice(done)})
            wcet = round(draw.lognormvariate(5.3, 0.9))
            waits = f", Dependencies: [{', '.join(after)}]" if after else ""
            if draw.random() < 0.15 and made + 1 < count:
                stream = draw.randrange(2)
                lines[client].append(f"- s{made}: {{WCET: {draw.randint(20, 120)}us, Resources: [CPU, S{stream}], Submits: {client}.k{made}{waits}}}")
                lines[client].append(f"- k{made}: {{WCET: {round(wcet * 0.9)}us, Resources: [GPU0]}}")
                fresh.append(f"{client}.k{made}")
                made += 2
                continue
            mutex = f", LOCK{draw.randrange(3)}" if draw.random() < 0.1 else ""
            lines[client].append(f"- r{made}: {{WCET: {wcet}us, Resources: [CPU{mutex}]{waits}}}")
            fresh.append(f"{client}.r{made}")
            made += 1
        layer = fresh
        done += fresh
    text = ["Version: 3.0.0\ndriving:\n  Identifier: 1\n  Resources:"]
    text.append("    CPU: [CPU0, CPU1, CPU2, CPU3]\n    GPU: [GPU0]\n    LOCK0: [a]\n    LOCK1: [b]\n    LOCK2: [c]")
    text.append("  Hyperepochs: [{all: {Period: 1s, Epochs: [{frame: {Period: 1s}}]}}]\n  Clients:")
    for client in clients:
        text.append(f"    - {client}:\n        Resources: {{S0: [{{stream0: GPU0}}], S1: [{{stream1: GPU0}}]}}\n        Epochs:\n          - all.frame:\n              Runnables:")
        text += ["                " + line for line in lines[client]]
    return "\n".join(text) + "\n"


def compiled(program, path, *options):
    """The hyperepoch that `rta compile` prints, the seconds that it took, and those of all cores."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    run = subprocess.run([program, "compile", path, "--format", "json", "--quiet", *options], capture_output=True, text=True, check=True)
    took = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(run.stdout)["hyperepochs"][0], took, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", help="of instances; default: all")
    parser.add_argument("--time-limit", default="10s")
    parser.add_argument("--write", type=pathlib.Path, help="write the graphs to this folder, and do nothing else")
    options = parser.parse_args()
    graphs = {name: shop for name, shop in job_shops().items()}
    graphs |= {name: (None, driving(*size)) for name, size in DRIVING.items()}
    unknown = set(options.names) - set(graphs)
    if unknown:
        sys.exit(f"no instance {', '.join(sorted(unknown))}; there are: {', '.join(graphs)}")
    folder = options.write or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    if not options.write:
        print(f"{'instance':12} {'known':>8} {'length':>10} {'above it':>9} {'bound':>10} {'above it':>9} {'proved':>6} {'first':>7} {'above':>8} {'wall':>7} {'cpu':>7}")
    for name in options.names or graphs:
        known, text = graphs[name]
        path = folder / f"{name}.yaml"
        path.write_text(text)
        if options.write:
            continue
        first, first_took, _ = compiled(options.program, path, "--effort", "0")
        best, took, cpu = compiled(options.program, path, "--time-limit", options.time_limit)
        length, bound = best["length_ns"] / 1e6, best["lower_bound_ns"] / 1e6
        print(
            f"{name:12} {known or '':>8} {length:10.3f} {f'{100 * (length / known - 1):.2f} %' if known else '':>9} {bound:10.3f}"
            f" {100 * (length / bound - 1):7.2f} % {'yes' if best['ending'] == 'optimal' else 'no':>6} {first_took:6.3f}s"
            f" {100 * (first['length_ns'] / best['length_ns'] - 1):6.1f} % {took:6.2f}s {cpu:6.2f}s",
            flush=True,
        )


if __name__ == "__main__":
    main()
