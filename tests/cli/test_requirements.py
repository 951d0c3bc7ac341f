"""requirement: of DAGs, tasks, nodes and chains, and the table from each to what is proven."""

import csv
import json
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import PROGRAM, TIME_LIMIT, rta

SET = """\
platform:
  cpu: {processors: 1, scheduler: FP, preemptive: false}
dags:
  - name: camera
    copies: 2
    T: 20 ms
    D: 20 ms
    priority: 2
    requirement: [REQ-1, REQ-2]
    nodes:
      grab: {on: cpu, C: 1 ms}
      send: {on: cpu, C: 1 ms, D: 3 ms, requirement: REQ-3}
    edges: [grab -> send]
tasks:
  - {name: log, T: 100 ms, on: cpu, C: 5 ms, priority: 1, requirement: REQ-4}
chains:
  - {name: brake, stages: ['camera[0]/send', log], reaction: 300 ms, requirement: REQ-2}
"""


class Requirements(unittest.TestCase):
    def test_each_has_what_is_proven_of_its_things(self):
        # camera[i]: both nodes of both cameras (4 ms) behind a `log` that has started (5 ms); log behind both cameras (4 ms).
        run = rta("analyze", "-", "--release", "completion", "--format", "json", stdin=SET)
        self.assertEqual(run.returncode, 1, run.stderr)
        result = json.loads(run.stdout)
        rows = [(one["requirement"], one["of"], one["limit_ns"], one["holds"]) for one in result["requirements"]]
        ms = 1_000_000
        self.assertEqual(rows, [("REQ-1", "camera[0]", 20 * ms, True), ("REQ-2", "camera[0]", 20 * ms, True),
                                ("REQ-3", "camera[0]/send", 3 * ms, False), ("REQ-1", "camera[1]", 20 * ms, True),
                                ("REQ-2", "camera[1]", 20 * ms, True), ("REQ-3", "camera[1]/send", 3 * ms, False),
                                ("REQ-4", "log", None, True), ("REQ-2", "brake (reaction)", 300 * ms, True)])
        by_dag = {dag["name"]: dag for dag in result["dags"]}
        for one in result["requirements"]:
            if one["of"] in by_dag:
                self.assertEqual((one["bound_ns"], one["theorem"]), (by_dag[one["of"]]["response_bound_ns"], by_dag[one["of"]]["theorem"]))
        self.assertEqual(result["requirements"][-1]["bound_ns"], result["chains"][0]["reaction_time_ns"])
        self.assertEqual(result["requirements"][-1]["theorem"], "T13")

    def test_copies_share_a_row_and_things_of_one_name_stand_together(self):
        text = rta("analyze", "-", "--release", "completion", stdin=SET).stdout
        table = text[text.index("\nRequirements\n"):].split("\n\n")[0].splitlines()[3:]
        self.assertEqual([(row.split()[0], row.split()[-1]) for row in table],
                         [("REQ-1", "met"), ("REQ-2", "met"), ("REQ-2", "met"), ("REQ-3", "MISSED"), ("REQ-4", "bounded")], text)
        self.assertIn("camera[0] ... camera[1]/send", text)
        self.assertIn("## Requirements", rta("analyze", "-", "--format", "md", stdin=SET).stdout)
        self.assertIn("Requirements", rta("analyze", "-", "--format", "html", stdin=SET).stdout)
        plain = "platform:\n  cpu: {processors: 1}\ntasks:\n  - {name: a, T: 9 ms, on: cpu, C: 1 ms}\n"
        self.assertNotIn("Requirements", rta("analyze", "-", stdin=plain).stdout)

    def test_junit_has_a_test_for_each(self):
        suite = xml.fromstring(rta("analyze", "-", "--release", "completion", "--format", "junit", stdin=SET).stdout)
        cases = {case.get("name"): case.find("failure") is None for case in suite.iter("testcase") if case.get("classname") == "requirements"}
        self.assertEqual(cases, {"REQ-1": True, "REQ-2": True, "REQ-3": False, "REQ-4": True})

    def test_nodes_of_groups_have_no_bound_of_their_own(self):
        text = SET.replace("grab: {on: cpu, C: 1 ms}", "grab: {on: cpu, C: 1 ms, group: g}").replace("REQ-3}", "REQ-3, group: g}")
        run = rta("analyze", "-", "--granularity", "coarse", "--format", "json", stdin=text)
        self.assertEqual(run.returncode, 1, run.stderr)
        node = [one for one in json.loads(run.stdout)["requirements"] if one["of"] == "camera[0]/send"]
        self.assertEqual([(one["bound_ns"], one["theorem"], one["holds"]) for one in node], [(None, None, False)])

    def test_what_does_not_hold_makes_the_exit_status(self):
        text = ("platform: {cpu: {processors: 2}}\ndags:\n  - {name: a, T: 20 ms, D: 20 ms, nodes: {x: {on: cpu, C: 2 ms, requirement: R}, y: {on: cpu, C: 1 ms}}, "
                "edges: [x -> y]}\n")
        for options, status in (((), 0), (("--granularity", "monolithic"), 1), (("--granularity", "monolithic", "--set", "a.T=20ms,30ms"), 1)):
            run = rta("analyze", "-", *options, stdin=text)
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
            self.assertIn("schedulable", run.stdout)
        self.assertEqual(rta("analyze", "-", "--granularity", "monolithic", stdin=text.replace(", requirement: R", "")).returncode, 0)

    def test_written_again_they_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("again.yaml", "again.json", "again.dot"):
                path = pathlib.Path(folder, name)
                source = pathlib.Path(folder, "set.yaml")
                source.write_text(SET)
                run = rta("convert", source, "-o", path)
                self.assertEqual(run.returncode, 0, run.stderr)
                if path.suffix == ".dot":
                    path = path.with_name("from-dot.yaml")
                    self.assertEqual(rta("convert", path.with_name("again.dot"), "-o", path).returncode, 0)
                requirements = [json.loads(rta("analyze", file, "--format", "json").stdout)["requirements"] for file in (source, path)]
                self.assertEqual(*requirements)
            self.assertIn("    requirement: [REQ-1, REQ-2]\n", pathlib.Path(folder, "again.yaml").read_text())

    def test_a_job_set_leaves_them_out_and_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            source, jobs = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "jobs.csv")
            source.write_text(SET)
            run = rta("convert", source, "--to", "sag", "-o", jobs)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("assumed: chains are left out\nassumed: requirements are left out\n", run.stderr)

    def test_the_checker_verifies_bounds_beside_them(self):
        with tempfile.TemporaryDirectory() as folder:
            source, certificate = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "certificate")
            source.write_text(SET)
            self.assertEqual(rta("analyze", source, "--release", "completion", "--certificate", certificate).returncode, 1)
            run = subprocess.run([PROGRAM.with_name("rta-check"), source, certificate], capture_output=True, text=True, timeout=TIME_LIMIT)
            self.assertIn("all verified", run.stdout, run.stderr)

    def test_they_are_no_choices(self):
        text = SET.replace("C: 5 ms", "C: [5 ms, 3 ms]").replace("requirement: REQ-4", "requirement: [REQ-4, REQ-5]").replace("D: 3 ms", "D: 10 ms")
        with tempfile.TemporaryDirectory() as folder:
            chosen = pathlib.Path(folder, "chosen.yaml")
            run = rta("optimize", "-", "-o", chosen, stdin=text)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertIn("requirement: [REQ-4, REQ-5]", chosen.read_text())

    def test_bounds_and_traces_do_not_depend_on_them(self):
        without = "\n".join(line for line in SET.replace(", requirement: REQ-3", "").replace(", requirement: REQ-4", "").replace(
            ", requirement: REQ-2", "").splitlines() if "requirement:" not in line) + "\n"
        results = [json.loads(rta("analyze", "-", "--format", "json", stdin=text).stdout) for text in (SET, without)]
        self.assertEqual(results[0]["dags"], results[1]["dags"])
        self.assertNotIn("requirements", results[1])
        with tempfile.TemporaryDirectory() as folder:
            one, other, trace = (pathlib.Path(folder, name) for name in ("one.yaml", "other.yaml", "trace.jsonl"))
            one.write_text(SET)
            other.write_text(without)
            self.assertIn(rta("simulate", one, "--duration", "200ms", "--trace", trace).returncode, (0, 1))
            run = rta("compare", trace, other)
            self.assertIn(run.returncode, (0, 1), run.stderr)

    def test_observed_beside_bounds_they_are_a_column(self):
        with tempfile.TemporaryDirectory() as folder:
            source, trace = pathlib.Path(folder, "set.yaml"), pathlib.Path(folder, "trace.jsonl")
            for text, expected in ((SET, {"camera[0]": "REQ-1 REQ-2", "camera[1]": "REQ-1 REQ-2", "camera[0]/send": "REQ-3", "camera[1]/send": "REQ-3",
                                          "log": "REQ-4", "brake": "REQ-2"}),
                                   (SET[:SET.index("chains:")].replace("[REQ-1, REQ-2]", "REQ-1"), {
                                       "camera[0]": "REQ-1", "camera[1]": "REQ-1", "camera[0]/send": "REQ-3", "camera[1]/send": "REQ-3", "log": "REQ-4"})):
                source.write_text(text)
                self.assertIn(rta("simulate", source, "--duration", "400ms", "--trace", trace).returncode, (0, 1))
                run = rta("compare", trace, source, "--format", "csv")
                self.assertIn(run.returncode, (0, 1), run.stderr)
                rows = list(csv.DictReader(run.stdout.splitlines()))
                self.assertTrue(all(None not in row and None not in row.values() for row in rows), run.stdout)
                found = {row["dag"] + ("/" + row["node"] if row["node"] else "") or row["chain"]: row["requirement"] for row in rows}
                self.assertEqual({name: names for name, names in found.items() if names}, expected)
                self.assertGreater(len(found), len(expected))

    def test_what_is_no_requirement_is_refused(self):
        for wrong, message in (("[]", "requirement: the list is empty"), ("[REQ-1, REQ-1]", "requirement: 'REQ-1' is given twice"),
                               ("two words", "requirement: 'two words' is no name"), ("{a: 1}", "requirement"), ("[[a]]", "requirement: a name is expected"),
                               ("''", "requirement")):
            run = rta("analyze", "-", stdin=SET.replace("[REQ-1, REQ-2]", wrong))
            self.assertEqual((run.returncode, run.stdout), (2, ""), wrong)
            self.assertIn(message, run.stderr)
            self.assertRegex(run.stderr, r"<stdin>:9:\d+:")


if __name__ == "__main__":
    unittest.main()
