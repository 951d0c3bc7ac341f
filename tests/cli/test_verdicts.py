"""Verdicts for others: JUnit's XML for continuous integration, Markdown for people who read along."""

import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import EXAMPLE, ROOT, rta

LATE = """platform: {cpu: {processors: 1}}
dags:
  - {name: "a|b*c", T: 10 ms, D: 5 ms, nodes: {"<n>": {on: cpu, C: 4 ms}}}
  - {name: "&late", T: 20 ms, D: 6 ms, nodes: {x: {on: cpu, C: 4 ms, D: 3 ms}}}
  - {name: free, T: 50 ms, nodes: {y: {on: cpu, C: 1 ms}}}
chains:
  - {name: way, stages: ["a|b*c", "&late"], reaction: 10 ms}
"""


class JUnit(unittest.TestCase):
    def suites(self, *arguments, status, **options):
        run = rta("analyze", *arguments, "--quiet", "--format", "junit", **options)
        self.assertEqual((run.returncode, run.stderr), (status, ""))
        return ElementTree.fromstring(run.stdout)

    def test_what_is_met_passes(self):
        suites = self.suites(EXAMPLE, status=0)
        self.assertEqual((suites.tag, suites.get("tests"), suites.get("failures")), ("testsuites", "1", "0"))
        case = suites.find("testsuite/testcase")
        self.assertEqual((case.get("classname"), case.get("name"), case.find("failure")), ("end to end", "camera", None))
        self.assertEqual(case.find("system-out").text, "bound 7.3 ms, deadline 100 ms, lateness -92.7 ms, verdict met")

    def test_what_is_missed_fails_with_its_bound(self):
        suites = self.suites("-", status=1, stdin=LATE)
        cases = {(case.get("classname"), case.get("name")): case.find("failure") for case in suites.iter("testcase")}
        self.assertEqual(set(cases), {("end to end", "a|b*c"), ("end to end", "&late"), ("end to end", "free"), ("nodes", "&late/x"), ("chains", "way")})
        failed = {case for case, failure in cases.items() if failure is not None}
        self.assertEqual(failed, {("end to end", "a|b*c"), ("nodes", "&late/x"), ("chains", "way")})
        self.assertEqual(cases["end to end", "a|b*c"].get("message"), "bound 8 ms, deadline 5 ms, lateness 3 ms, verdict MISSED")
        self.assertEqual(suites.get("failures"), "3")
        self.assertEqual(suites.find("testsuite").get("name"), "deadline-missed")

    def test_no_bound_fails_without_a_deadline(self):
        suites = self.suites("-", status=1, stdin="platform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 2 ms, T: 1 ms}]\n")
        self.assertIn("verdict no bound", suites.find("testsuite/testcase/failure").get("message"))

    def test_it_says_how_it_was_made(self):
        properties = {one.get("name"): one.get("value") for one in self.suites(EXAMPLE, status=0).iter("property")}
        self.assertEqual(set(properties), {"command", "input", "made by", "on"})
        self.assertIn("rta analyze", properties["command"])


class Markdown(unittest.TestCase):
    def test_verdict_and_tables(self):
        text = rta("analyze", ROOT / "tasksets/examples/cameras.yaml", "--format", "md").stdout
        self.assertTrue(text.startswith("# schedulable\n\nevery response time is bounded"))
        for title in ("End to end", "Pools", "Evidence"):
            self.assertIn(f"\n## {title}\n\n", text)
        tables = [re.findall(r"(?m)^\|.*\|$", part) for part in text.split("\n## ")[1:]]
        for table in filter(None, tables):
            self.assertEqual({len(re.findall(r"(?<!\\\\)\|", row)) for row in table}, {len(re.findall(r"\|", table[1]))})

    def test_names_are_no_marks(self):
        text = rta("analyze", "-", "--format", "md", stdin=LATE).stdout
        self.assertIn("| a\\|b\\*c | 8 ms | 5 ms |", text)
        self.assertIn("| \\&late |", text)
        self.assertIn("\n|  |  |\n|---|---:|\n| execution of the nodes on the path | 4 ms |\n", text)
        self.assertIn("\n## Why ", text)
        self.assertIn("\n## Chains\n", text)

    def test_kernels_in_turn_need_no_capacity(self):
        gpu = "platform: {gpu: {sms: 2, threads: 1024}}\ntasks: [{name: a, T: 10 ms, on: gpu, time: 2 ms}, {name: b, T: 10 ms, on: gpu, time: 3 ms}]\n"
        sentence = "its kernels, one after another, take no more than all of the time"
        text = rta("analyze", "-", "--release", "offsets", stdin=gpu).stdout
        self.assertIn(f"    one kernel at a time, each alone on the GPU: busy 50 % of the time\n    bounded: {sentence}\n", text)
        self.assertIn(f"| {sentence} | 1024 | - | - |", rta("analyze", "-", "--release", "offsets", "--format", "md", stdin=gpu).stdout)

    def test_written_by_extension(self):
        run = rta("analyze", EXAMPLE, "--quiet", "-o", "/dev/stdout", "--format", "md")
        self.assertIn("# schedulable", run.stdout)


if __name__ == "__main__":
    unittest.main()
