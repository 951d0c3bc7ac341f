"""rta diff: what changed between two results, and the exit status that a project's continuous integration goes by."""

import csv
import io
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from program import ROOT, one_test_each, opened_in_chromium, rta

# On one processor under FIFO both DAGs wait for each other: completion and offsets bound both.
SET = """platform:
  cpu: {processors: 1, scheduler: FIFO}
dags:
  - {name: a, T: 100 ns, D: 100 ns, nodes: {u: {on: cpu, C: 10 ns}, v: {on: cpu, C: 10 ns}}, edges: [u -> v]}
  - {name: b, T: 100 ns, D: 100 ns, nodes: {w: {on: cpu, C: 20 ns}}}
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def result(self, name, text=SET, command="analyze", *options):
        set_ = self.folder / "set.yaml"
        set_.write_text(text)
        run = rta(command, "set.yaml", "--quiet", "-o", name, *options, cwd=self.folder)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return json.loads((self.folder / name).read_text())

    def edited(self, name, result):
        (self.folder / name).write_text(json.dumps(result))

    def diff(self, *arguments, **options):
        return rta("diff", "a.json", "b.json", *arguments, cwd=self.folder, **options)

    def changes(self):
        run = self.diff("--format", "json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        found = json.loads(run.stdout)
        self.assertEqual(run.returncode, int(found["verdict"] == "worse"))
        return found, {(entry["subject"], entry.get("dag", ""), entry.get("name", ""), change["key"]): change["trend"]
                       for entry in found["differences"] for change in entry["changes"]}


class Differences(Folder):
    def test_a_result_is_the_same_as_itself(self):
        self.result("a.json")
        self.result("b.json")
        run = self.diff()
        self.assertEqual((run.returncode, run.stdout.splitlines()[0], run.stderr), (0, "the same: nothing differs", ""))
        found, _ = self.changes()
        self.assertEqual((found["verdict"], found["differences"]), ("same", []))

    def test_an_operation_that_waits_for_another_says_so(self):
        text = """platform: {gpu: {sms: 1, threads: 1024}}
experiment:
  - {kernel: K1, stream: A, at: 0 ns, B: 1, H: 1024, L: 10 ns}
  - {kernel: K2, stream: B, at: 0 ns, B: 1, H: 512, L: 10 ns}
"""
        before = self.result("a.json", text, "simulate")
        self.result("b.json", text.replace("H: 1024", "H: 512"), "simulate")
        self.assertEqual([each["waits"] for each in before["operations"]][1][0]["cause"], "room")
        found, changes = self.changes()
        # Beside one of 512 threads there is room.
        self.assertEqual(changes["operation", "", "K2", "waits"], "changed")
        (change,) = [change for entry in found["differences"] if entry.get("name") == "K2" for change in entry["changes"] if change["key"] == "waits"]
        self.assertEqual((change["before"], change["after"]), ("room (K1) from 0 ns to 10 ns", ""))

    def test_a_bound_that_grows_is_worse_and_one_that_shrinks_is_not(self):
        self.result("a.json")
        self.result("b.json", SET.replace("C: 20 ns", "C: 30 ns"))
        found, changes = self.changes()
        self.assertEqual(changes["dag", "", "b", "response_bound_ns"], "grew")
        self.assertEqual(changes["evidence", "", "", "input 1 sha256"], "changed")
        self.assertGreater(found["counts"]["grew"], 0)
        (self.folder / "a.json").rename(self.folder / "c.json")
        (self.folder / "b.json").rename(self.folder / "a.json")
        (self.folder / "c.json").rename(self.folder / "b.json")
        found, changes = self.changes()
        self.assertEqual((found["verdict"], changes["dag", "", "b", "response_bound_ns"]), ("not-worse", "shrank"))

    def test_a_bound_that_vanishes_and_one_that_appears(self):
        self.result("a.json")
        self.result("b.json", SET.replace("C: 20 ns", "C: 90 ns"))  # 110 of 100
        found, changes = self.changes()
        self.assertEqual((changes["dag", "", "a", "response_bound_ns"], changes["result", "", "", "verdict"]), ("vanished", "fell"))
        self.assertEqual(found["verdict"], "worse")
        self.edited("a.json", json.loads((self.folder / "b.json").read_text()))
        self.result("b.json")
        found, changes = self.changes()
        self.assertEqual((changes["dag", "", "a", "response_bound_ns"], changes["result", "", "", "verdict"]), ("appeared", "rose"))
        self.assertEqual(found["verdict"], "not-worse")

    def test_a_deadline_that_is_not_met_any_more_is_worse_although_every_bound_is_the_same(self):
        before = self.result("a.json")
        bound = before["dags"][1]["response_bound_ns"]
        self.result("b.json", SET.replace("name: b, T: 100 ns, D: 100 ns", f"name: b, T: 100 ns, D: {bound - 1} ns"), "analyze",
                    "--release", before["dags"][1]["release"])
        found, changes = self.changes()
        self.assertEqual((changes["dag", "", "b", "meets_deadline"], changes["dag", "", "b", "deadline_ns"]), ("fell", "changed"))
        self.assertEqual((found["verdict"], found["counts"]["grew"]), ("worse", 0))

    def test_bounds_are_compared_to_the_nanosecond(self):
        before = self.result("a.json")
        after = json.loads(json.dumps(before))
        after["dags"][0]["nodes"][1]["response_bound_ns"] += 1
        self.edited("b.json", after)
        run = self.diff("--format", "csv")
        self.assertEqual(run.returncode, 1)
        rows = list(csv.reader(io.StringIO(run.stdout, newline="")))
        n = before["dags"][0]["nodes"][1]["response_bound_ns"]
        self.assertEqual(rows[1][:8], ["node", "a", "v", "changed", "response_bound_ns", str(n), str(n + 1), "grew"])

    def test_a_node_that_starts_earlier_and_ends_as_early_has_not_grown(self):
        before = self.result("a.json")
        node = before["dags"][0]["nodes"][1]
        node["offset_ns"], node["response_bound_ns"] = 40, 10
        self.edited("a.json", before)
        for offset, bound, status in ((30, 20, 0), (30, 21, 1), (40, 11, 1), (50, 10, 1), (None, 50, 0), (None, 51, 1)):
            node["offset_ns"], node["response_bound_ns"] = offset, bound
            self.edited("b.json", before)
            self.assertEqual(self.diff().returncode, status, (offset, bound))

    def test_what_went_is_said_and_what_came_counts_when_it_misses_its_deadline(self):
        self.result("a.json")
        without = SET[: SET.index("  - {name: b")]
        self.result("b.json", without)
        run = self.diff()
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertIn("b (went)", run.stdout)
        self.assertIn("b/w (went)", run.stdout)
        self.edited("a.json", json.loads((self.folder / "b.json").read_text()))
        self.result("b.json", without + "  - {name: c, T: 100 ns, D: 5 ns, nodes: {w: {on: cpu, C: 10 ns}}}\n")
        found, changes = self.changes()
        self.assertEqual((changes["dag", "", "c", "meets_deadline"], found["verdict"]), ("fell", "worse"))

    def test_options_and_inputs_are_told_apart_and_where_results_are_written_is_no_difference(self):
        self.result("a.json")
        self.result("b.json", SET, "analyze", "--release", "offsets")
        found, changes = self.changes()
        self.assertEqual({key[3] for key in changes if key[0] == "evidence"}, {"options"})
        entry = next(entry for entry in found["differences"] if entry["subject"] == "evidence")
        self.assertEqual((entry["changes"][0]["before"], entry["changes"][0]["after"]), ("", "--release offsets"))

    def test_results_of_simulations_are_compared_and_a_miss_that_was_not_there_is_worse(self):
        self.result("a.json", SET, "simulate", "--duration", "1us")
        self.result("b.json", SET.replace("D: 100 ns", "D: 1 ns", 1), "simulate", "--duration", "1us")
        found, changes = self.changes()
        self.assertEqual((found["kind"], found["verdict"], changes["dag", "", "a", "missed_deadline"]), ("simulation", "worse", "fell"))

    def test_chains_are_compared(self):
        text = SET.replace("D: 100 ns, nodes: {u", "nodes: {u") + "chains:\n  - {name: x, stages: [a, b], reaction: 10 us}\n"
        self.result("a.json", text)
        self.result("b.json", text.replace("C: 20 ns", "C: 30 ns").replace("10 us", "10 ns"))
        _, changes = self.changes()
        self.assertEqual((changes["chain", "", "x", "reaction_time_ns"], changes["chain", "", "x", "meets_limits"]), ("grew", "fell"))

    # v ends behind u and w: after 40 ns; with a w of 30 ns, after 50 ns.
    def test_requirements_come_go_and_change_what_they_are(self):
        text = SET.replace("v: {on: cpu, C: 10 ns}", "v: {on: cpu, C: 10 ns, D: 45 ns, requirement: REQ-1}").replace(
            "D: 100 ns, nodes: {w", "D: 100 ns, requirement: [REQ-1, REQ-2], nodes: {w")
        self.result("a.json", text)
        self.result("b.json", text.replace("C: 20 ns", "C: 30 ns").replace("[REQ-1, REQ-2]", "[REQ-1, REQ-3]"))
        found, changes = self.changes()
        one = ("requirement", "", "REQ-1 of a/v")
        self.assertEqual((changes[*one, "holds"], changes[*one, "bound_ns"], found["verdict"]), ("fell", "changed", "worse"))
        self.assertEqual({key[3] for key in changes if key[2] == "REQ-1 of b"}, {"bound_ns"})
        presence = {entry["name"]: entry["presence"] for entry in found["differences"] if entry["subject"] == "requirement"}
        self.assertEqual(presence, {"REQ-1 of a/v": "changed", "REQ-1 of b": "changed", "REQ-3 of b": "came", "REQ-2 of b": "went"})
        run = self.diff("-o", "diff.md", "-o", "diff.csv", "-o", "diff.html", "-o", "-")
        table = run.stdout[run.stdout.index("\nRequirements\n"):run.stdout.index("\nDAGs\n")]
        self.assertIn(["REQ-1", "of", "a/v", "holds", "true", "false", "FELL"], [line.split() for line in table.splitlines()])
        self.assertIn("REQ-2 of b (went)", table)
        self.assertIn("| REQ-3 of b (came) | holds | - | true |", (self.folder / "diff.md").read_text())
        self.assertIn("requirement,,REQ-1 of a/v,changed,holds,true,false,fell,", (self.folder / "diff.csv").read_bytes().decode())
        self.assertIn("REQ-2 of b (went)", (self.folder / "diff.html").read_text())

    def test_a_requirement_that_is_taken_away_is_not_worse_and_one_that_comes_and_does_not_hold_is(self):
        text = SET.replace("v: {on: cpu, C: 10 ns}", "v: {on: cpu, C: 10 ns, D: 5 ns, requirement: REQ-1}")
        self.result("a.json", text)
        self.result("b.json", text.replace(", requirement: REQ-1", ""))
        self.assertEqual(self.diff().returncode, 0)
        self.result("a.json", text.replace(", requirement: REQ-1", ""))
        self.result("b.json", text)
        found, changes = self.changes()
        self.assertEqual((changes["requirement", "", "REQ-1 of a/v", "holds"], found["verdict"]), ("fell", "worse"))
        self.assertEqual({key[0] for key in changes} - {"evidence"}, {"requirement"})

    def test_text_says_what_is_worse_first_and_by_how_much(self):
        before = self.result("a.json")
        after = json.loads(json.dumps(before))
        before["dags"][1]["response_bound_ns"], after["dags"][1]["response_bound_ns"] = 40, 50
        before["dags"][0]["response_bound_ns"], after["dags"][0]["response_bound_ns"] = 40, 39
        self.edited("a.json", before)
        self.edited("b.json", after)
        lines = self.diff().stdout.splitlines()
        self.assertEqual(lines[0], "worse: 1 bound grew, 1 bound shrank")
        rows = [line.split() for line in lines if "response bound" in line]
        self.assertEqual(rows, [["b", "response", "bound", "40", "ns", "50", "ns", "+10", "ns", "(+25", "%)", "GREW"],
                                ["a", "response", "bound", "40", "ns", "39", "ns", "-1", "ns", "(-2.5", "%)", "shrank"]])

    # a waits for b's node, which takes 20 ns longer: 40 ns become 60.
    def test_a_page_and_markdown_say_the_same_as_the_text(self):
        before = self.result("a.json")
        self.result("b.json", SET.replace("C: 20 ns", "C: 40 ns"))
        run = self.diff("-o", "diff.html", "-o", "diff.md", "-o", "-")
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        page, paper = (self.folder / "diff.html").read_text(), (self.folder / "diff.md").read_text()
        self.assertEqual(paper.splitlines()[0], "# " + run.stdout.splitlines()[0])
        self.assertIn("| a | response bound |", paper)
        chart = json.loads(re.search(r'data-chart="[^"]*">(.*?)</script>', page)[1])
        bars = {bar["name"]: bar for bar in chart["data"][0]["values"]}
        self.assertEqual(bars["a"]["before"] * 1e6, before["dags"][0]["response_bound_ns"])
        self.assertEqual({bar["trend"] for bar in bars.values()}, {"worse"})
        for row in ("response bound", "GREW"):
            self.assertIn(f"<td>{row}</td>", page)
        if shutil.which("chromium"):
            opened_in_chromium(page)

    def test_one_side_may_come_from_standard_input(self):
        self.result("a.json")
        text = (self.folder / "a.json").read_text()
        self.assertEqual(rta("diff", "-", "a.json", stdin=text, cwd=self.folder).returncode, 0)
        run = rta("diff", "-", "-", stdin=text, cwd=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("only one of the two", run.stderr)

    def test_the_order_of_dags_and_nodes_is_no_difference(self):
        before = self.result("a.json")
        before["dags"].reverse()
        before["dags"][1]["nodes"].reverse()
        self.edited("b.json", before)
        self.assertEqual(self.diff().stdout.splitlines()[0], "the same: nothing differs")


@one_test_each(sorted((ROOT / "tasksets/examples").glob("*.yaml")) + sorted((ROOT / "tasksets/literature").glob("*.yaml")),
               lambda path: path.stem)
class EveryTaskSet(Folder):
    def check(self, path):
        run = rta("analyze", path, "--quiet", "-o", self.folder / "a.json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        (self.folder / "b.json").write_bytes((self.folder / "a.json").read_bytes())
        run = self.diff()
        self.assertEqual((run.returncode, run.stdout.splitlines()[0]), (0, "the same: nothing differs"), run.stderr)


REFUSED = {
    # what the file holds -> what the message must say
    "": "the file is empty",
    "platform: {cpu: {processors: 1}}\n": "this is a task set, no result",
    "<!doctype html><html></html>": "this is a page",
    "dag,node,pool\r\na,b,c\r\n": "this is a table in CSV",
    '{"schema": 1, "kind": "trace", "source": "simulation"}\n{"t": "end"}\n': "this is a trace",
    '{"traceEvents": []}': "this is a file of Chrome trace events",
    '{"evidence": {"command": "compare"}, "comparisons": []}': "this is a result of rta 'compare'",
    "[]": "this is a list in JSON",
    "5": "is expected",
    '{"verdict": "schedulable"': "b.json:2:1: not YAML",
    '{"verdict": "fine", "pools": [], "dags": []}': "b.json:1:13: verdict",
    '{"schema": 2, "verdict": "schedulable", "pools": [], "dags": []}': "schema: 2 is not known here",
    '{"verdict": "schedulable", "pools": [],\n "dags": [{"name": "a"}]}': "b.json:2:11: 'response_bound_ns' is missing",
    '{"verdict": "schedulable", "pools": [],\n "dags": {}}': "b.json:2:10: dags: a list is expected",
    '{"verdict": "schedulable", "pools": [{"name": "p"}, {"name": "p"}], "dags": []}': "pool 'p' is given twice",
    '{"verdict": "schedulable", "pools": [], "dags": [{"name": "a", "response_bound_ns": -1, "meets_deadline": true, "nodes": []}]}':
        "response_bound_ns",
    '{"verdict": "schedulable", "pools": [], "dags": [{"name": "a", "response_bound_ns": 1.5, "meets_deadline": true, "nodes": []}]}':
        "response_bound_ns",
    '{"verdict": "schedulable", "pools": [], "dags": [{"name": "a", "response_bound_ns": 1, "meets_deadline": 7, "nodes": []}]}':
        "meets_deadline",
    '{"verdict": "x", "simulation": {}, "dags": []}': "is a result of rta analyze, b.json one of rta simulate",
}


@one_test_each(list(REFUSED), lambda text: f"{list(REFUSED).index(text):02}_{REFUSED[text]}")
class RefusedFiles(Folder):
    def check(self, text):
        self.result("a.json")
        (self.folder / "b.json").write_text(text)
        run = self.diff("-o", "out.json")
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(REFUSED[text], run.stderr)
        self.assertIn("b.json", run.stderr)
        self.assertFalse((self.folder / "out.json").exists())


if __name__ == "__main__":
    unittest.main()
