"""rta optimize: what it chooses, writes and says; journals; what it refuses."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, ROOT, TIME_LIMIT, one_test_each, rta

FILES = sorted((ROOT / "tasksets/optimize").glob("*.yaml"))
# Alone on a GPU of two SMs that are full with one block each, a and b have 5 + (4 x 5 - 5)/2 = 12.5 ms; together they load one by more than it has.
SET = """platform:
  gpu0: {sms: 2, threads: 1024}
  gpu1: {sms: 2, threads: 1024}
tasks:
  - {name: a, on: gpu0, B: 4, H: 1024, L: 5 ms, T: 15 ms}
  - {name: b, on: [gpu0, gpu1], B: 4, H: 1024, L: 5 ms, T: 16 ms}
"""

# On m processors in the order of FIFO each has at most 8/m ms of the others before it: 4 + 8, 4 + 4 and 4 + 8/3 ms.
PRICED = """platform: {cpu: {processors: [{value: 3, cost: 50}, 1, {value: 2, cost: 30}], scheduler: FIFO}}
tasks:
  - {name: a, copies: 3, on: cpu, C: 4 ms, T: 20 ms, D: 10 ms}
"""


class InAFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.set = self.folder / "set.yaml"
        self.set.write_text(SET)

    def optimized(self, *options, file=None):
        run = rta("optimize", file or self.set, "--format", "json", *options)
        self.assertLess(run.returncode, 2, run.stderr)
        return run, json.loads(run.stdout)


@one_test_each(FILES, lambda path: path.stem)
class Shipped(InAFolder):
    def check(self, path):
        chosen = self.folder / "chosen.yaml"
        run, result = self.optimized("-o", chosen, file=path)
        self.assertEqual((run.returncode, result["verdict"]), (0, "schedulable"))
        self.assertNotEqual(result["before"]["verdict"], "schedulable")
        self.assertTrue(result["complete"])
        again = json.loads(rta("analyze", chosen, "--format", "json").stdout)
        self.assertEqual([dag["response_bound_ns"] for dag in again["dags"]], [dag["response_bound_ns"] for dag in result["after"]["dags"]])


class Optimize(InAFolder):
    def test_the_second_gpu_is_taken(self):
        chosen = self.folder / "chosen.yaml"
        run, result = self.optimized("-o", chosen)
        self.assertEqual(run.returncode, 0)
        self.assertEqual([(one["value"], one["chosen"]) for one in result["choices"][0]["alternatives"]], [("gpu0", False), ("gpu1", True)])
        self.assertEqual((result["combinations"], result["judged"]), (2, 2))
        self.assertEqual([dag["response_bound_ns"] for dag in result["after"]["dags"]], [10_000_000, 10_000_000])
        self.assertIn("gpu1", chosen.read_text())
        self.assertEqual(rta("optimize", self.set).stdout.count("*"), 1)

    def test_cameras_in_turn(self):
        # In phase a frame waits for three others: 1 + 4 x 9 ms for cluster, and 1 more to publish. In turn none waits: 11, and 10 of the lidar.
        # `left` at 0, with `front`: both 11 + 9. At 30, with the lidar: 20 and 19, until 49, so that `front` of 40 ends at 58 + 1: 19. At 20, with
        # `right`: both 20, until 39, the lidar ends at 48, 18, and `front` at 57 + 1, 18. The lidar alone at 17/24 of 40 ms scans until 29.333333,
        # and waits for the frame before until 30: 39 - 28.333333.
        _, result = self.optimized(file=ROOT / "tasksets/optimize/camera-phases.yaml")
        ms = lambda outcome: [dag["response_bound_ns"] / 1e6 for dag in result[outcome]["dags"]]
        self.assertEqual((ms("before"), ms("after")), ([38, 38, 38, 37], [11, 11, 11, 10]))
        self.assertEqual((384, 384), (result["combinations"], result["judged"]))
        left, right, lidar = ([(one["value"], one["missed"], one["sum_of_bounds_ns"]) for one in choice["alternatives"]] for choice in result["choices"])
        self.assertEqual([("0 ms", 2, 61_000_000), ("10 ms", 0, 43_000_000), ("20 ms", 4, 76_000_000), ("30 ms", 3, 69_000_000)], left)
        self.assertEqual([(3, 69), (2, 61), (0, 43), (4, 76)], [(missed, total / 1e6) for _, missed, total in right])
        self.assertEqual(("30 ms", 0, 43_000_000), lidar[18])
        self.assertEqual(("28333333 ns", 0, 43_666_667), lidar[17])
        text = rta("optimize", ROOT / "tasksets/optimize/camera-phases.yaml", "--objective", "max-lateness").stdout
        self.assertRegex(text, r"\* +10 ms +chosen +largest lateness -4 ms\n")

    def test_copies_in_turn(self):
        self.set.write_text("platform: {cpu: {processors: 1, scheduler: FIFO}}\ntasks:\n"
                            "  - {name: cam, copies: 2, T: 24 ms, D: 9 ms, phase: any, periodic: true, on: cpu, C: 5 ms}\n")
        chosen = self.folder / "chosen.yaml"
        _, result = self.optimized("-o", chosen)
        # Of all that are 5 ms or more apart cam[0] at 0 and cam[1] at 5 ms are the first.
        self.assertEqual(["0 ns", "5 ms"], [one["value"] for choice in result["choices"] for one in choice["alternatives"] if one["chosen"]])
        self.assertEqual([10_000_000, 10_000_000], [dag["response_bound_ns"] for dag in result["before"]["dags"]])
        self.assertEqual([5_000_000, 5_000_000], [dag["response_bound_ns"] for dag in result["after"]["dags"]])
        self.assertIn("phase: 5 ms", chosen.read_text())

    def test_the_cheapest_that_meets_everything(self):
        self.set.write_text(PRICED)
        chosen, page = self.folder / "chosen.yaml", self.folder / "page.html"
        run, result = self.optimized("-o", chosen)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(30, result["cost"])
        self.assertEqual([{"cost": 30, "largest_lateness_ns": -2_000_000, "instead": []},
                          {"cost": 50, "largest_lateness_ns": -3_333_333, "instead": [{"what": "pool 'cpu': processors", "value": "3"}]}], result["frontier"])
        self.assertEqual([("3", 50, -3_333_333), ("1", 0, 2_000_000), ("2", 30, -2_000_000)],
                         [(one["value"], one["cost"], one["largest_lateness_ns"]) for one in result["choices"][0]["alternatives"]])
        self.assertIn("processors: 2", chosen.read_text())
        self.assertNotIn("cost", chosen.read_text())
        text = rta("optimize", self.set).stdout
        self.assertIn("\ncost 30\n", text)
        self.assertRegex(text, r"\n    \*  2  chosen +largest lateness -2 ms +cost 30\n")
        self.assertRegex(text, r"\nCost against lateness, of what was judged and meets everything\n  cost  largest lateness  combination\n"
                               r"  30    -2 ms             chosen\n  50    -3.33 ms          pool 'cpu': processors 3\n")
        self.assertEqual(("", 0), (rta("optimize", self.set, "-o", page, "-q").stdout, 0))
        self.assertIn("Cost against lateness", page.read_text())
        self.assertIn("pool &#39;cpu&#39;: processors 3", page.read_text().replace("&apos;", "&#39;").replace("pool 'cpu'", "pool &#39;cpu&#39;"))
        self.assertNotIn("cost", rta("optimize", ROOT / "tasksets/optimize/orin-partitions.yaml").stdout)

    def test_a_journal_knows_costs(self):
        self.set.write_text(PRICED)
        journal = self.folder / "j"
        first, again = (self.optimized("--journal", journal)[1] for _ in range(2))
        self.assertEqual({**first, "evidence": 0}, {**again, "evidence": 0})

    def test_a_name_says_what_is_written(self):
        page, chosen = self.folder / "x.html", self.folder / "chosen.yml"
        run = rta("optimize", self.set, "-o", page, "-o", chosen)
        self.assertEqual((run.returncode, run.stdout), (0, ""))
        self.assertTrue(page.read_text().startswith("<!DOCTYPE html>"))
        self.assertIn("chosen.yml", page.read_text())
        self.assertEqual(0, rta("analyze", chosen).returncode)
        rta("optimize", self.set, "-o", self.folder / "x.json")
        self.assertEqual("schedulable", json.loads((self.folder / "x.json").read_text())["verdict"])
        for name in ("chosen", "chosen.csv", "chosen.svg"):
            run = rta("optimize", self.set, "-o", self.folder / name)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("tells neither the chosen task set (.yaml, .yml) nor a format (.txt, .json, .html, .pdf)", run.stderr)
            self.assertFalse((self.folder / name).exists())
        self.assertIn("the chosen task set goes to one file", rta("optimize", self.set, "-o", chosen, "-o", self.folder / "b.yaml").stderr)

    def test_other_commands_name_optimize(self):
        for command in ("analyze", "simulate", "draw", "compile"):
            run = rta(command, "set.yaml", cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertEqual("set.yaml:1:1: leaves 1 choice open, the first of task 'b': on; rta optimize set.yaml makes one task set of it\n", run.stderr)
        for file in sorted((ROOT / "tasksets/optimize").glob("*.yaml")):
            self.assertIn(f"rta optimize {file} makes one task set of it", rta("analyze", file).stderr)
        self.set.write_text(SET.replace("T: 15 ms", "T: 15 mm"))
        run = rta("analyze", "set.yaml", cwd=self.folder)
        self.assertNotIn("optimize", run.stderr)
        self.assertIn("15 mm", run.stderr)

    def test_a_plain_file_stays_as_it_is(self):
        self.set.write_text(SET.replace("[gpu0, gpu1]", "gpu1"))
        run, result = self.optimized("-o", self.folder / "chosen.yaml")
        self.assertIn("has no choice", run.stderr)
        self.assertEqual(result["choices"], [])
        self.assertEqual(result["before"], result["after"])

    def test_a_journal_is_not_proven_again(self):
        journal = self.folder / "j"
        _, first = self.optimized("--journal", journal)
        lines = journal.read_text().splitlines()
        self.assertEqual(len(lines), 3)
        journal.write_text("\n".join(lines[:2]) + "\n" + lines[2][:10])  # killed while it wrote
        _, again = self.optimized("--journal", journal)
        self.assertEqual(journal.read_text().splitlines(), lines)
        self.assertEqual(first["after"], again["after"])

    def test_a_number_that_is_no_count_is_proven_again(self):
        journal = self.folder / "j"
        _, first = self.optimized("--journal", journal)
        lines = journal.read_text().splitlines()
        for selection in ("[1.5]", "[18446744073709551616]", "[-1]", "{}"):
            damaged = re.sub(r'"selection": ?\[[0-9, ]*\]', '"selection":' + selection, lines[1])
            self.assertIn(selection, damaged)
            journal.write_text("\n".join([lines[0], damaged, lines[2]]) + "\n")
            _, again = self.optimized("--journal", journal)
            self.assertEqual(journal.read_text().splitlines(), lines)
            self.assertEqual(first["after"], again["after"])

    def test_a_first_line_without_its_end_is_written_anew(self):
        journal = self.folder / "j"
        _, first = self.optimized("--journal", journal)
        lines = journal.read_text()
        journal.write_text(lines.splitlines()[0])
        self.assertEqual(self.optimized("--journal", journal)[1]["after"], first["after"])
        self.assertEqual(journal.read_text(), lines)

    def test_another_search_is_refused_with_what_differs(self):
        journal = self.folder / "j"
        self.optimized("--journal", journal)
        run = rta("optimize", self.set, "--journal", journal, "--scheduler", "FIFO")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("analysis is '' there and '--scheduler FIFO' here", run.stderr)
        self.set.write_text(SET + "# changed\n")
        self.assertIn("input_sha256 is", rta("optimize", self.set, "--journal", journal).stderr)
        # Keys of a foreign file may be anything.
        for header in ('{"kind": 1}', '{"kind": "optimize journal", "version": []}', '[{"kind": "optimize journal"}]'):
            journal.write_text(header + "\n")
            run = rta("optimize", self.set, "--journal", journal)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertRegex(run.stderr, "is no journal|belongs to another search")
        journal.write_text("nothing\n")
        self.assertIn("is no journal", rta("optimize", self.set, "--journal", journal).stderr)

    def test_a_stopped_search_goes_on(self):
        self.set.write_text(SET + "".join(
            f"  - {{name: k{i}, on: [gpu0, gpu1], B: [1, 2], H: [32, 64], L: 10 us, T: [{50 + i} ms, {80 + i} ms]}}\n" for i in range(6)))
        journal = self.folder / "j"
        arguments = [PROGRAM, "optimize", self.set, "--effort", "300", "--journal", journal, "--format", "json", "-q"]
        stopped = subprocess.Popen(arguments, stdout=subprocess.PIPE)
        end = time.monotonic() + TIME_LIMIT
        while time.monotonic() < end and (not journal.exists() or journal.read_text().count("\n") < 20):
            time.sleep(0.01)
        stopped.send_signal(signal.SIGINT)
        result = json.loads(stopped.communicate(timeout=TIME_LIMIT)[0])
        self.assertLess(result["judged"], 300)
        whole = json.loads(rta(*arguments[1:]).stdout)
        self.assertEqual(whole["judged"], 300)
        journal.unlink()
        afresh = json.loads(rta(*arguments[1:]).stdout)
        self.assertEqual({**afresh, "evidence": 0}, {**whole, "evidence": 0})

    def test_what_is_wrong_is_named_and_nothing_is_written(self):
        cases = {
            "processors: []": "set.yaml:1:30: processors: a choice has at least one alternative",
            "processors: [x, y]": "set.yaml:1:31: ",
        }
        for wrong, message in cases.items():
            self.set.write_text(f"platform: {{cpu: {{{wrong}}}}}\ntasks: [{{name: a, on: cpu, C: 1 ms, T: 2 ms}}]\n")
            run = rta("optimize", "set.yaml", "-o", "chosen.yaml", cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(message, run.stderr)
            self.assertEqual(os.listdir(self.folder), ["set.yaml"])
        for options in (("-o", "set.yaml"), ("--journal", "set.yaml"), ("--format", "csv"), ("--effort", "0"), ("--time-limit", "x")):
            self.assertEqual(rta("optimize", "set.yaml", *options, cwd=self.folder).returncode, 2, options)


if __name__ == "__main__":
    unittest.main()
