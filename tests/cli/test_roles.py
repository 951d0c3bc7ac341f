"""Seven people with a question each: their command lines one after another, and what must be in the output for them to go on."""

import pathlib
import re
import shlex
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

CHECKER = PROGRAM.parent / "rta-check"

DRONE = """platform:
  cpu: {processors: 2, preemptive: false}
  gpu: {device: orin}
dags:
  - name: vision
    T: 20 ms
    D: 9 ms
    requirement: REQ-7
    nodes:
      grab:   {on: cpu, C: 1 ms}
      detect: {on: gpu, B: 64, H: 256, L: 400 us}
      track:  {on: cpu, C: 2 ms}
    edges: [grab -> detect -> track]
  - name: plan
    T: 50 ms
    D: 50 ms
    nodes:
      map:  {on: cpu, C: 6 ms}
      path: {on: cpu, C: 14 ms}
    edges: [map -> path]
  - name: log
    T: 100 ms
    nodes: {write: {on: cpu, C: 5 ms}}
"""
# A chain of two DAGs that samples: 20 + 30 + 1 + 5 ms and what they wait.
CHAIN = """platform:
  cpu: {processors: 1, scheduler: FP}
dags:
  - {name: sensor, T: 20 ms, priority: 2, nodes: {read: {on: cpu, C: 1 ms}}}
  - {name: control, T: 30 ms, priority: 1, nodes: {act: {on: cpu, C: 5 ms}}}
chains:
  - {name: brake, stages: [sensor, control], reaction: 50 ms}
"""
CHOICES = """platform:
  cpu: {processors: 2, scheduler: [G-EDF, FIFO]}
dags:
  - {name: vision, T: 20 ms, D: 12 ms, nodes: {a: {on: cpu, C: [4 ms, 6 ms]}}}
  - {name: plan, T: 50 ms, D: 50 ms, nodes: {b: {on: cpu, C: 9 ms}}}
"""


class Role(unittest.TestCase):
    """Commands run in a folder of their own, with `tasksets` where the documents have it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "tasksets").symlink_to(ROOT / "tasksets")

    def put(self, name, text):
        (self.folder / name).write_text(text)

    def does(self, line, *shown, status=0, said=()):
        """`rta` or `rta-check` with these words: its exit status, what standard output shows, and what standard error says."""
        program, *words = shlex.split(line)
        with self.subTest(line):
            run = rta(*words, program=PROGRAM if program == "rta" else CHECKER, cwd=self.folder)
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
            for expression in shown:
                self.assertRegex(run.stdout, re.compile(expression, re.MULTILINE))
            for expression in said:
                self.assertRegex(run.stderr, re.compile(expression, re.MULTILINE))
        return run.stdout

    def has(self, name, *parts):
        text = (self.folder / name).read_text()
        for part in parts:
            self.assertIn(part, text)
        return text


class Newcomer(Role):
    """Has never seen it: what do I type?"""

    def test_ten_minutes(self):
        self.does("rta", said=["^Commands$", "^  init +Write a file to begin with"], status=2)
        self.does("rta init -o mine.yaml")
        self.has("mine.yaml", "#", "rta analyze")
        self.does("rta analyze mine.yaml", "^schedulable: ", "^End to end")
        self.does("rta analyze --help", "^Examples$", "^Options$", "^How it is analysed$", "^What is written$", "^Of every command$")
        self.does("rta help deadline", "D")
        self.does("rta help T10n", "on completion")
        self.does("rta version", r"^rta [\d.]+ \(commit ")
        self.does("rta analyse mine.yaml", status=2, said=["did you mean 'analyze'"])
        self.put("typo.yaml", DRONE.replace("C: 6 ms", "cost: 6 ms").replace("preemptive: false", "scheduler: EDF"))
        self.does("rta analyze typo.yaml", status=2,
                  said=[r"^typo\.yaml:2:35: .*'EDF'.*did you mean 'G-EDF'", r"^typo\.yaml:18:23: node 'map': unknown key 'cost'; did you mean 'C'", r"^ +18 \|", r"^ +\| +\^$"])

    def test_the_default_output_has_words_for_theorems(self):
        plain = self.does("rta analyze tasksets/examples/pedestrian.yaml", "bounded: other work delays a job once along its path")
        self.assertNotRegex(plain, r"\bT\d+[a-z]*\b")
        self.does("rta analyze tasksets/examples/pedestrian.yaml --verbose", "^    by T10n, T24$", r"^ +capture .* T\d+")


class RobotEngineer(Role):
    """A deadline is missed: why, and what helps?"""

    def test_a_missed_deadline(self):
        self.put("drone.yaml", DRONE)
        self.does("rta analyze drone.yaml", "^deadline-missed: ", "^Why vision: bound .*, D = 9 ms, along grab -> detect -> track$",
                  "blocked on cpu by what has started before", r"^What helps \(each tried and proven\)$", "preemptive: true +all deadlines met",
                  status=1)
        self.put("better.yaml", DRONE.replace(", preemptive: false", ""))
        self.does("rta analyze better.yaml --slack", "^schedulable: ", "^Slack$", r"^  path +C +14 ms|plan/path +C +14 ms")
        self.does("rta draw better.yaml -o better.svg")
        self.has("better.svg", "<svg")

    def test_a_missed_limit_of_a_chain(self):
        self.put("brake.yaml", CHAIN)
        self.does("rta analyze brake.yaml", "^deadline-missed: ", "^Why brake: reaction .* ms, limit 50 ms$", "^  sensor has just read: until its next job does +20 ms$",
                  "^  control, from its release until it has written ", "^    execution of the nodes on the path +\\(5 ms\\)$", "^  in all ", "^What helps", status=1)
        self.does("rta init ros2 -o robot.yaml")
        self.does("rta analyze robot.yaml", "^End to end .*executor")


class Architect(Role):
    """How large must the machine be?"""

    def test_what_if(self):
        self.does("rta analyze tasksets/examples/cameras.yaml --set orin.sms=4,8 --set camera.T='20 ms' -q", "^2 of 2 are schedulable$", r"^ +orin\.sms +camera\.T +verdict")
        self.does("rta analyze tasksets/examples/cameras.yaml --set cpu.processors=1..3 --set camera.D='14 ms' -q",
                  "^cpu.processors: schedulable with 2, not with 1", status=1)
        self.does("rta analyze tasksets/examples/pedestrian.yaml tasksets/examples/cameras.yaml -q", "^2 of 2 are schedulable$", r"pedestrian\.yaml +schedulable")
        self.does("rta analyze tasksets/examples/pedestrian.yaml --largest-rate camera -q", "^Largest rate of camera$", "jobs per second")

    def test_choices(self):
        self.put("open.yaml", CHOICES)
        self.does("rta optimize open.yaml -o chosen.yaml", "^schedulable: ", r"^ +\* +4 ms +chosen +sum of bounds \d", r"^ +6 ms +everything met +sum of bounds \d")
        self.does("rta analyze chosen.yaml", "^schedulable: ")


class SafetyEngineer(Role):
    """What holds, by which proof, and did it get worse?"""

    def test_requirements_and_certificates(self):
        self.put("drone.yaml", DRONE.replace(", preemptive: false", ""))
        self.put("slower.yaml", DRONE)
        self.does("rta analyze drone.yaml --certificate drone.cert -o before.json -o report.html -o report.md -o verdicts.xml")
        self.has("report.md", "| REQ-7", "| met")
        self.has("report.html", "REQ-7")
        self.has("verdicts.xml", "REQ-7", 'failures="0"')
        if CHECKER.exists():
            self.does("rta-check drone.yaml drone.cert", "statements, all verified$")
        self.does("rta analyze slower.yaml -o after.json", status=1)
        self.does("rta diff before.json after.json", "^worse", "REQ-7", status=1)
        self.does("rta diff before.json after.json -q -o diff.html", status=1)
        self.has("diff.html", "<!DOCTYPE html>")
        self.does("rta analyze drone.yaml --format json -o report.html", status=2, said=["--format json and the name 'report.html' tell two formats"])
        self.does("rta analyze drone.yaml --explain vision/track", "^Bound of vision/track$", r"^  T\d+")


class Researcher(Role):
    """How do the analyses compare over random sets?"""

    def test_a_figure(self):
        self.does("rta generate tasksets/sweeps/scaling.yaml --point 0 -q", "^# random task set: seed", status=0)
        self.does("rta generate tasksets/sweeps/scaling.yaml --point 0 -o sets --count 3")
        self.assertEqual(len(list((self.folder / "sets").iterdir())), 3)
        self.does("rta analyze sets -q", r"^\d of 3 (are|is) schedulable$", status=self.any_of("rta analyze sets -q"))

    def any_of(self, line):
        return rta(*shlex.split(line)[1:], cwd=self.folder).returncode


class Tester(Role):
    """Does what runs keep to what is proven?"""

    def test_observed_beside_proven(self):
        self.put("drone.yaml", DRONE.replace("D: 9 ms", "D: 15 ms"))
        self.does("rta simulate drone.yaml --duration 1s --trace seen.jsonl", "^every observed response time is within its bound", "^  release +completion$")
        self.does("rta compare seen.jsonl drone.yaml", "within")
        self.does("rta compare seen.jsonl drone.yaml --format json", '"verdict": "within"', '"requirements": \\[\n +"REQ-7"')
        self.does("rta calibrate seen.jsonl drone.yaml -o measured.yaml -q")
        self.does("rta analyze measured.yaml -q", "^schedulable: ")
        self.does("rta simulate drone.yaml --search-runs 20 -q --format json", '"verdict": "within"', '"summary": "')
        self.does("rta simulate drone.yaml --duration 100ms -o timeline.svg -q")
        self.has("timeline.svg", "<svg")


class Integrator(Role):
    """The order of all jobs is fixed before they run."""

    def test_a_static_schedule(self):
        self.does("rta init static -o graph.yaml")
        self.does("rta compile graph.yaml -o order.json -o order.html")
        self.has("order.json", '"verdict": "in-time"')
        self.has("order.html", "<!DOCTYPE html>")
        self.does("rta analyze tasksets/examples/pedestrian.yaml --release static", "^End to end .*static order of all jobs")


if __name__ == "__main__":
    unittest.main()
