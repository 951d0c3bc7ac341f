"""Bounds that `rta analyze` proves, checked by the program that is extracted from the proofs (build/proofs/rta-proved).

Random task sets on processors with and without preemption, copy engines, workers and GPUs of one block shape. Every printed bound must be verified,
but for sets with a bound by T10a, T10v, T10c or T10d, which rta-proved does not judge (docs/theory/machine-checked.md).
Where T10n gives them all they are its least solution: with any one 1 ns lower T10n must not hold at all nodes (T10j or T10g may at some: the tool
takes these where T10n has no solution). At offsets every node is a DAG of its own; T1, T1c, T6 and T8 then follow from T10n, T10j and T10g.
RTA_PROOF_SETS: how many task sets (200).
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
from program import rta  # noqa: E402

CHECKER = ROOT / "build/proofs/rta-proved"
SETS = int(os.environ.get("RTA_PROOF_SETS", 200))
MS = 1_000_000  # ns
GPU = {"sms": 4, "threads": 1024, "blocks": 8}
THREADS_OF_BLOCK = 256
PROVED = {"T10", "T10n", "T10j", "T10g", "T11", "T15"}  # on completion
RESIDENT = min(GPU["threads"] // THREADS_OF_BLOCK, GPU["blocks"])  # blocks on an SM; each weighs 1/RESIDENT


class TaskSet:
    """A random task set: whole ms, and capacities that divide them, so that no bound is rounded."""

    def __init__(self, number):
        draw = random.Random(number)
        self.fifo = draw.random() < 0.4
        self.preemptive = draw.random() < 0.5
        self.processors = draw.choice([1, 2, 4])
        self.pools = {
            "cpu": {"processors": self.processors, "scheduler": "FIFO" if self.fifo else draw.choice(["G-EDF", "G-FL", "LP"]),
                    "preemptive": self.preemptive},
            "copy": {"engines": 1},
            "worker": {"workers": draw.choice([2, 4])},
            "gpu": GPU,
        }
        self.options = ["--priorities", "node"] if self.preemptive and not self.fifo and draw.random() < 0.3 else []
        self.dags = []
        for dag in range(draw.randint(1, 4)):
            period = draw.choice([20, 30, 40, 60, 100])
            nodes = [self.node(draw, index) for index in range(draw.randint(1, 5))]
            edges = [(a, b) for b in range(len(nodes)) for a in range(b) if draw.random() < 0.5]
            self.dags.append({"name": f"dag{dag}", "T": period, "D": draw.choice([period, 2 * period, 10]), "nodes": nodes, "edges": edges})

    def node(self, draw, index):
        pool = draw.choices(list(self.pools), [5, 1, 1, 1])[0]
        node = {"name": f"n{index}", "on": pool}
        if pool in ("cpu", "copy"):
            return node | {"C": draw.randint(1, 8)}
        node |= {"B": draw.randint(1, 8), "L": draw.randint(1, 4)}
        return node | {"H": THREADS_OF_BLOCK} if pool == "gpu" else node

    def yaml(self):
        text = "platform:\n" + "".join(f"  {name}: {json.dumps(pool)}\n" for name, pool in self.pools.items()) + "dags:\n"
        for dag in self.dags:
            text += f"  - name: {dag['name']}\n    T: {dag['T']} ms\n    D: {dag['D']} ms\n    nodes:\n"
            for node in dag["nodes"]:
                fields = ", ".join(f"{key}: {value} ms" if key in "CL" else f"{key}: {value}" for key, value in node.items() if key != "name")
                text += f"      {node['name']}: {{{fields}}}\n"
            if dag["edges"]:
                text += "    edges:\n" + "".join(f"      - n{a} -> n{b}\n" for a, b in dag["edges"])
        return text

    def statements(self, result, every_node_alone=False):
        """The lines of rta-proved's file; those of nodes with {bound} in place of their bounds, which follow."""
        pools = {name: number for number, name in enumerate(self.pools)}
        order = "fifo" if self.fifo else "gel" if self.preemptive else "gel-np"
        lines = [f"pool 0 {order} {self.processors} 1", "pool 1 fifo 1 1", f"pool 2 fifo {self.pools['worker']['workers']} 1",
                 f"pool 3 fifo {GPU['sms'] * RESIDENT} 1"]
        gpus = [f"gpu 2 {self.pools['worker']['workers']} 1", "resource 2 1", f"gpu 3 {GPU['sms']} {RESIDENT}",
                f"resource 3 {GPU['threads']}"]
        nodes, bounds = [], []
        for number, dag in enumerate(self.dags):
            first = len(nodes)
            alone = range(first, first + len(dag["nodes"]))
            lines += [f"dag {released} {dag['T'] * MS}" for released in (alone if every_node_alone else [number])]
            for index, (node, proven) in enumerate(zip(dag["nodes"], result["dags"][number]["nodes"], strict=True)):
                key = proven.get("priority_point_ns") or 0
                execution = node.get("C", node.get("L")) * MS
                blocks = node.get("B", 1)
                preds = "" if every_node_alone else " ".join(str(first + a) for a, b in dag["edges"] if b == index)
                released = len(nodes) if every_node_alone else number
                nodes.append(f"node {len(nodes)} {released} {pools[node['on']]} {execution} {execution} {execution * blocks} {key} {{bound}} {preds}")
                if "B" in node:
                    demand = THREADS_OF_BLOCK if node["on"] == "gpu" else 1
                    gpus.append(f"kernel {len(nodes) - 1} {execution} {blocks} 1 {demand}")
                bounds.append(proven["response_bound_ns"])
        return lines, nodes, bounds, gpus


class Bounds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CHECKER.exists():
            raise unittest.SkipTest("needs build/proofs/rta-proved, which proofs/check builds")

    def theorems(self, lines, nodes, bounds, gpus):
        """Those that the checker finds for the nodes; none where it does not verify all."""
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join([*lines, *(node.format(bound=bound) for node, bound in zip(nodes, bounds)), *gpus, ""]))
            file.flush()
            run = subprocess.run([CHECKER, file.name], capture_output=True, text=True, timeout=300)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return re.findall(r"(?m)^node \d+: (\w+)$", run.stdout) if run.returncode == 0 else []

    def analyzed(self, tasks, *options):
        """What the tool proves, or None where a node has no bound, or kernels are taken by their durations, one after another."""
        with tempfile.NamedTemporaryFile() as certificate:
            run = rta("analyze", "-", "--format", "json", "--verbose", "--certificate", certificate.name, *options, stdin=tasks.yaml())
            self.assertIn(run.returncode, (0, 1), run.stderr)
            if re.search(r"(?m)^turn ", pathlib.Path(certificate.name).read_text()):
                return None
        result = json.loads(run.stdout)
        return None if any(node["response_bound_ns"] is None for dag in result["dags"] for node in dag["nodes"]) else result

    def test_bounds_at_offsets_are_verified(self):
        verified = 0
        for number in range(SETS):
            tasks = TaskSet(number)
            result = self.analyzed(tasks, "--release", "offsets", "--refine", "carry")
            if result and not any(node["theorem"] in ("T1b", "T27") for dag in result["dags"] for node in dag["nodes"]):  # not machine-checked
                with self.subTest(number):
                    self.assertTrue(self.theorems(*tasks.statements(result, every_node_alone=True)), f"not verified:\n{tasks.yaml()}{result}")
                verified += 1
        print(f"{SETS} task sets, {verified} with bounds at offsets, all verified")
        self.assertGreater(verified, SETS // 4)

    def test_bounds_on_completion_are_verified_and_least(self):
        bounded = left_out = least = refused = otherwise = 0
        for number in range(SETS):
            tasks = TaskSet(number)
            result = self.analyzed(tasks, "--release", "completion", "--path-bound", "T10n" if number % 2 else "T10g", *tasks.options)
            if not result:
                continue
            theorems = {node["theorem"] for dag in result["dags"] for node in dag["nodes"]}
            if theorems - PROVED:
                left_out += 1
                continue
            lines, nodes, bounds, gpus = tasks.statements(result)
            with self.subTest(number):
                self.assertTrue(self.theorems(lines, nodes, bounds, gpus), f"not verified:\n{tasks.yaml()}{result}")
            bounded += 1
            if theorems != {"T10n"}:
                continue
            least += 1
            for index in range(len(bounds)):
                lowered = self.theorems(lines, nodes, [bound - (i == index) for i, bound in enumerate(bounds)], gpus)
                with self.subTest(number, lowered=index):
                    self.assertNotEqual(set(lowered), {"T10n"}, f"node {index} is verified with a bound 1 ns lower:\n{tasks.yaml()}")
                refused += not lowered
                otherwise += bool(lowered)
        print(f"{SETS} task sets, {bounded} with bounds, all verified, {left_out} left out by theorems that rta-proved does not judge; {least} with T10n alone, of whose bounds 1 ns lower {refused} were refused "
              f"and {otherwise} hold by T10j or T10g")
        self.assertGreater(least, SETS // 4)


if __name__ == "__main__":
    unittest.main()
