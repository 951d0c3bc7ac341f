"""The two checkers against each other, on random claims: `rta-check`, and `rta-proved`, which is extracted from a function that is proved sound.

The task sets are those of test_bounds.py, where neither checker rounds. Claims are the bounds that `rta analyze` proves on completion, all or some of
them moved; of every node both have to say the same: that T10n holds, or that it does not. Where rta-proved finds T10j or T10g instead,
rta-check has to verify that rule, but for bounds below the longest path to the node, which it never accepts, and on GPUs, where rta-proved counts the
carry of T10j in whole blocks and so proves a little more.
RTA_PROOF_SETS: how many task sets (200).
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

from test_bounds import CHECKER, MS, SETS, TaskSet
from program import PROGRAM, rta

RTA_CHECK = PROGRAM.with_name("rta-check")
CLAIMS = 6  # of each task set


def moved(draw, bounds):
    """Bounds near those that are proven: a step off, a few percent, or far below and above."""
    kind = draw.randrange(4)
    if kind == 0:
        at = draw.randrange(len(bounds))
        return [bound - (i == at) for i, bound in enumerate(bounds)]
    if kind == 1:
        return [max(0, bound + draw.choice([-1, 0, 0, 1])) for bound in bounds]
    spread = 0.05 if kind == 2 else 0.8
    return [max(0, int(bound * draw.uniform(1 - spread, 1 + spread))) for bound in bounds]


def longest_paths(tasks):
    """Of every node of every DAG, ns."""
    lengths = []
    for dag in tasks.dags:
        of_dag = []
        for index, node in enumerate(dag["nodes"]):
            before = [of_dag[a] for a, b in dag["edges"] if b == index]
            of_dag.append(max(before, default=0) + node.get("C", node.get("L")) * MS)
        lengths += of_dag
    return lengths


class Checkers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CHECKER.exists():
            raise unittest.SkipTest("needs build/proofs/rta-proved, which proofs/check builds")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def proved(self, lines, nodes, bounds, gpus):
        """Per node: T10n, T10j, T10g or `not shown`."""
        path = self.folder / "claims.txt"
        path.write_text("\n".join([*lines, *(node.format(bound=bound) for node, bound in zip(nodes, bounds)), *gpus, ""]))
        run = subprocess.run([CHECKER, path], capture_output=True, text=True, timeout=300)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return re.findall(r"(?m)^node \d+: (T10\w|not shown)$", run.stdout)

    def verified(self, task_set, statements, bounds, rules):
        """Per node, whether rta-check verifies its bound by the rule."""
        claims = iter(zip(bounds, rules, strict=True))
        lines, at = [], []
        for line in statements:
            words = line.split(" ")
            if words[0] == "bound":
                bound, rule = next(claims)
                at.append(len(lines) + 1)
                line = " ".join([*words[:4], str(bound), words[5], rule])
            lines.append(line)
        path = self.folder / "claims.cert"
        path.write_text("\n".join([*lines, ""]))
        run = subprocess.run([RTA_CHECK, "-v", task_set, path], capture_output=True, text=True, timeout=300)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return [f"\n{line}: verified: " in run.stdout for line in at]

    def test_they_agree_on_random_claims(self):
        said = collections.Counter()
        for number in range(SETS):
            tasks, draw = TaskSet(number), random.Random(number)
            task_set, certificate = self.folder / "set.yaml", self.folder / "set.cert"
            task_set.write_text(tasks.yaml())
            run = rta("analyze", task_set, "--release", "completion", "--certificate", certificate, "--format", "json", "--verbose", *tasks.options)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            # rta-proved knows kernels by their blocks alone, not one after another (T27).
            statements = [line for line in certificate.read_text().splitlines() if not line.startswith("turn")]
            proven = [int(line.split(" ")[4]) for line in statements if line.startswith("bound ")]
            lines, nodes, _, gpus = tasks.statements(json.loads(run.stdout))
            if len(proven) < len(nodes):
                continue
            for claim in range(CLAIMS):
                bounds = proven if claim == 0 else moved(draw, proven)
                theorems = self.proved(lines, nodes, bounds, gpus)
                if not theorems:
                    said["no system"] += 1
                    continue
                self.assertEqual(len(nodes), len(theorems))
                with self.subTest(number, claim=claim):
                    by_T10n = self.verified(task_set, statements, bounds, ["T10n"] * len(nodes))
                    self.assertEqual([theorem == "T10n" for theorem in theorems], by_T10n, f"{bounds}\n{tasks.yaml()}")
                    rules = [theorem if theorem != "not shown" else "T10n" for theorem in theorems]
                    by_rules = self.verified(task_set, statements, bounds, rules)
                    on_gpu = [node["on"] == "gpu" for dag in tasks.dags for node in dag["nodes"]]
                    for theorem, bound, longest, gpu, holds in zip(theorems, bounds, longest_paths(tasks), on_gpu, by_rules, strict=True):
                        if theorem in ("T10j", "T10g") and not gpu:
                            self.assertEqual(bound >= longest, holds, f"{theorem} {rules} {bounds}\n{tasks.yaml()}")
                said.update(theorems)
        print(f"{SETS} task sets, on all of whose claims both agree: {dict(said)}")
        self.assertGreater(min(said["T10n"], said["not shown"]), SETS)


if __name__ == "__main__":
    unittest.main()
