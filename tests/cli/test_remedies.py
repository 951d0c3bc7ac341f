"""What helps is found by a budget of work: the same input gives the same bytes, on a busy machine, too."""

import json
import os
import random
import subprocess
import sys
import unittest

from program import rta, without_evidence

SETS = int(os.environ.get("RTA_REMEDY_SETS", "6"))

# Of its changes a busy machine tried fewer when a second was what ended them.
LARGE = """platform:
  gpu0: {device: orin}
  gpu1: {device: tx2}
  cpu2: {processors: 2, scheduler: G-FL, partitioned: true}
  work3: {workers: 160}
dags:
  - name: d0
    T: 50000 us
    D: 100000 us
    T_max: 96700 us
    copies: 2
    priority: 18
    nodes:
      n0: {on: gpu0, B: 1000, H: 64, L: 391 us, registers: 64, D: 67511 us}
      n1: {on: gpu1, B: 8, H: 32, L: 398 us}
      n2: {on: cpu21, C: 119 us, sequential: true}
      n3: {on: work3, B: 200, L: 61 us, sequential: true}
      n4: {on: cpu21, C: 44 us}
      n5: {on: work3, B: 200, L: 21 us}
    edges: [n1 -> n2, n1 -> n5, n3 -> n4, n4 -> n5]
  - name: d1
    T: 1000000 us
    copies: 3
    priority: 25
    nodes:
      n0: {on: gpu0, B: 120, H: 32, L: 271 us}
      n1: {on: gpu0, B: 8, H: 256, C: 84736 us, per: block, D: 2942 us}
      n2: {on: gpu1, B: 120, H: 512, time: 216 us}
      n3: {on: cpu21, C: 180 us, D: 33808 us}
      n4: {on: work3, B: 1, L: 47 us}
    edges: [n0 -> n4, n1 -> n3, n1 -> n4, n2 -> n3]
tasks:
  - {name: d2, T: 10000 us, on: cpu20, C: {max: 293 us, min: 9 us, mode: 138 us}, phase: 13831 us}
  - {name: d3, T: 20000 us, on: cpu20, C: 1451 us, D: 40000 us}
"""


def random_set(seed):
    """That misses: one of its deadlines is half of what its nodes take one after another."""
    draw = random.Random(seed)
    text = f"platform:\n  cpu: {{processors: {draw.choice((1, 2, 4))}, scheduler: {draw.choice(('FIFO', 'G-EDF', 'G-FL'))}}}\n"
    text += "  gpu: {sms: 4, threads: 2048, blocks: 16}\ndags:\n"
    for dag in range(draw.randint(2, 6)):
        T = draw.choice((5, 10, 20, 40)) * 1000
        times = [draw.randint(2, T // 20) for _ in range(draw.randint(1, 5))]
        text += f"  - name: d{dag}\n    T: {T} us\n    D: {sum(times) // 2 if dag == 0 else T} us\n    nodes:\n"
        for v, time in enumerate(times):
            text += f"      n{v}: " + (f"{{on: cpu, C: {time} us}}\n" if draw.random() < 0.7 else f"{{on: gpu, B: 8, H: 256, L: {time} us}}\n")
        text += "    edges: [" + ", ".join(f"n{v - 1} -> n{v}" for v in range(1, len(times))) + "]\n" if len(times) > 1 else ""
    return text


class Load:
    """Twice as many busy processes as there are processors."""

    def __enter__(self):
        busy = [sys.executable, "-c", "while True: pass"]
        self.processes = [subprocess.Popen(busy) for _ in range(2 * (os.cpu_count() or 1))]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


class SameBytes(unittest.TestCase):
    def outcomes(self, sets):
        outcomes = []
        for text in sets:
            run = rta("analyze", "-", "-q", "--objective", "max-lateness", "--format", "json", stdin=text)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            outcomes.append(without_evidence(run.stdout, "json"))
        return outcomes

    def test_beside_load_as_alone(self):
        sets = [LARGE, *(random_set(seed) for seed in range(SETS))]
        alone = self.outcomes(sets)
        with Load():
            self.assertEqual(self.outcomes(sets), alone)
        self.assertTrue(all("remedies" in outcome for outcome in alone))

    def test_what_ended_them_is_said(self):
        large = "platform: {cpu: {processors: 2}}\ntasks:\n" + "".join(
            f"  - {{name: t{i}, on: cpu, T: {1000 + i} ms, C: 1 ms, D: {1 if i == 0 else 1000} ms}}\n" for i in range(7000))
        found = without_evidence(rta("analyze", "-", "-q", "--format", "json", stdin=large).stdout, "json")["remedies"]
        self.assertEqual((found["complete"], found["ended_by"], found["tried"]), (False, "effort", 0))
        self.assertIn("no change was tried with the work that is spent on it unasked: --time-limit SECONDS gives it that time",
                      rta("analyze", "-", "-q", stdin=large).stdout)
        found = without_evidence(rta("analyze", "-", "-q", "--format", "json", "--time-limit", "0", stdin=LARGE).stdout, "json")["remedies"]
        self.assertEqual((found["complete"], found["ended_by"]), (False, "time"))


class Phases(unittest.TestCase):
    def test_dags_in_phase_are_told_to_come_in_turn(self):
        # Two of 6 ms each, at one instant: 12 ms. Half of T apart: 6 ms.
        tasks = "".join(f"  - {{name: {name}, T: 20 ms, D: 8 ms, phase: 0 ms, periodic: true, on: cpu, C: 6 ms}}\n" for name in "ab")
        text = "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntasks:\n" + tasks
        found = json.loads(rta("analyze", "-", "--format", "json", stdin=text).stdout)["remedies"]["list"]
        spread = [one for one in found if one["change"] == "in the file, phase: 10 ms for b"]
        self.assertEqual(1, len(spread))
        self.assertEqual(("schedulable", [6_000_000, 6_000_000]), (spread[0]["verdict"], [dag["response_bound_ns"] for dag in spread[0]["dags"]]))
        self.assertIn("in the file, phase: 6 ms for b", [one["change"] for one in found])

    def test_nothing_is_said_of_phases_where_none_is_known(self):
        text = "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntasks:\n" + "".join(
            f"  - {{name: {name}, T: 20 ms, D: 8 ms, on: cpu, C: 6 ms}}\n" for name in "ab")
        self.assertNotIn("phase", rta("analyze", "-", stdin=text).stdout)


if __name__ == "__main__":
    unittest.main()
