"""`rta analyze --suggest`: what is promised for a change of block sizes is what an analysis of the changed task set finds."""

import json
import re
import unittest

from program import ROOT, one_test_each, rta

YOLO = (ROOT / "tasksets/literature/tiny-yolo-parallel.yaml").read_text()
# Copies of a DAG, shared memory, which goes with H, and blocks that not every H divides.
MIXED = """
platform: {gpu: {sms: 4, threads: 2048, blocks: 32, shared_memory: 96 KiB}}
dags:
  - name: camera
    copies: 2
    T: 10 ms
    nodes:
      scale: {on: gpu, B: 40, H: 768, L: 100 us, shared_memory: 24 KiB}
      sobel: {on: gpu, B: 20, H: 768, L: 100 us, shared_memory: 24 KiB}
    edges: [scale -> sobel]
tasks:
  - {name: left, on: gpu, B: 8, H: 640, L: 200 us, T: 20 ms}
  - {name: right, on: gpu, B: 8, H: 640, L: 200 us, T: 20 ms}
  - {name: odd, on: gpu, B: 3, H: 640, L: 300 us, T: 20 ms}
"""
TASK_SETS = {"yolo": YOLO, "mixed": MIXED}


def in_file(nodes):
    return [node.split("/")[-1] for node in nodes]


def analysis(text):
    run = rta("analyze", "-", "--suggest", "--release", "offsets", "--quiet", "--format", "json", stdin=text)
    return json.loads(run.stdout)


def capacity(result):
    return next(pool["capacity"] for pool in result["pools"] if pool["kind"] == "gpu")


def changed(text, nodes, H):
    """The task set with these nodes cut into blocks of H, their G-threads in all, L and shared memory per G-thread as they were."""
    for name in nodes:
        name = re.escape(name)
        line = re.search(rf"^ +({name}: \{{|- \{{name: {name},).*$", text, re.M)[0]
        B, old = (int(re.search(rf"\b{key}: (\d+)", line)[1]) for key in "BH")
        new = re.sub(r"\bB: \d+", f"B: {B * old // H}", re.sub(r"\bH: \d+", f"H: {H}", line))
        shared = re.search(r"shared_memory: (\d+) KiB", line)
        if shared:
            new = new.replace(shared[0], f"shared_memory: {int(shared[1]) * 1024 * H // old} B")
        text = text.replace(line, new)
    return text


@one_test_each(TASK_SETS, lambda name: name)
class Promises(unittest.TestCase):
    def check(self, name):
        text = TASK_SETS[name]
        before = analysis(text)
        nodes_of = {group["group"]: group["nodes"] for group in before["suggestion_groups"]}
        seen = set()
        for suggestion in before["suggestions"]:
            group = nodes_of[suggestion["group"]]
            self.assertIn(suggestion["node"], group)
            for what, gain, nodes in (("capacity_alone", "gain_alone", [suggestion["node"]]), ("capacity", "gain", group)):
                self.assertAlmostEqual(suggestion[what] - suggestion[gain], capacity(before), delta=1e-3)
                change = (*in_file(nodes), suggestion["H"])
                if change in seen:
                    continue
                seen.add(change)
                with self.subTest(suggestion=suggestion, what=what):
                    after = analysis(changed(text, in_file(nodes), suggestion["H"]))
                    self.assertAlmostEqual(capacity(after), suggestion[what], delta=1e-3)
        self.assertGreater(len(seen), 4)


class Text(unittest.TestCase):
    def test_says_what_changes(self):
        # Each of pool1 to pool6 alone leaves blocks of 512 beside those of 256; all six at once do not.
        text = rta("analyze", "-", "--suggest", stdin=YOLO).stdout.split("\nBlock sizes")[1]
        row = re.search(r"^  yolo/pool5 +256 +72 +16128 \(\+0\) +18432 \(\+2304\) +(\d+)$", text, re.M)
        self.assertTrue(row, text)
        self.assertIn(f"  group {row[1]}: " + ", ".join(f"yolo/pool{i}" for i in range(1, 7)) + "\n", text)


if __name__ == "__main__":
    unittest.main()
