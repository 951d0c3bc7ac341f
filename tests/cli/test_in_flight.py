"""Limits of jobs under way (`in_flight`): bounded, explained, simulated, certified, written, and refused where nothing is known of them."""

import json
import pathlib
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

BUFFERS = ROOT / "tasksets/examples/two-buffers.yaml"
# The camera and the control task of docs/theory/in-flight.md.
CAMERA = """
platform:
  cpu: {processors: 1, scheduler: FIFO}
dags:
  - name: camera
    T: 3 ms
    in_flight: COUNT
    nodes:
      a: {on: cpu, C: 2 ms}
      b: {on: cpu, C: 2 ms}
    edges: [a -> b]
  - name: control
    T: 20 ms
    nodes:
      c: {on: cpu, C: 1 ms}
"""


def camera(count):
    return CAMERA.replace("COUNT", str(count))


def dags_of(run):
    return {dag["name"]: dag for dag in json.loads(run.stdout)["dags"]}


class InFlight(unittest.TestCase):
    def test_a_limit_that_never_delays(self):
        run = rta("analyze", BUFFERS, "--release", "completion")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"camera +2 .*2, no job ever waits to be admitted")
        limited = dags_of(rta("analyze", BUFFERS, "--release", "completion", "--format", "json"))["camera"]
        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder) / "plain.yaml"
            plain.write_text("".join(line for line in BUFFERS.read_text().splitlines(keepends=True) if "in_flight" not in line))
            without = dags_of(rta("analyze", plain, "--release", "completion", "--format", "json"))["camera"]
        self.assertEqual(limited["in_flight"], 2)
        self.assertIs(limited["may_wait_for_admission"], False)
        self.assertEqual(limited["response_bound_ns"], without["response_bound_ns"])
        self.assertEqual(limited["from_admission_ns"], without["response_bound_ns"])

    def test_jobs_that_may_wait(self):
        run = rta("analyze", "-", "--release", "completion", stdin=camera(2))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("DAG 'camera': a job may take H = 10 ms from its admission (T38), more than 2 x 3 ms (N T): jobs may queue up before "
                      "they are admitted; T = 5 ms would keep up, H/N", " ".join(run.stdout.split()))
        self.assertRegex(run.stdout, r"camera +- +- +2, jobs may wait to be admitted, and end within 10 ms of that")
        self.assertRegex(run.stdout, r"control +5 ms")
        dags = dags_of(rta("analyze", "-", "--release", "completion", "--format", "json", stdin=camera(1)))
        self.assertEqual((dags["camera"]["response_bound_ns"], dags["camera"]["from_admission_ns"], dags["camera"]["may_wait_for_admission"]), (None, 6_000_000, True))
        self.assertEqual((dags["control"]["response_bound_ns"], dags["control"]["theorem"]), (3_000_000, "T38"))
        explained = rta("analyze", "-", "--release", "completion", "--explain", "control", stdin=camera(2)).stdout
        self.assertIn("camera: 2 jobs x 2000000", explained)
        why = rta("analyze", "-", "--release", "completion", "--why", "control", stdin=camera(2)).stdout
        self.assertRegex(why, r"camera")

    def test_at_the_period_that_keeps_up(self):
        for count, period in ((1, "6 ms"), (2, "5 ms")):
            text = camera(count).replace("T: 3 ms", f"T: {period}")
            dags = dags_of(rta("analyze", "-", "--release", "completion", "--format", "json", stdin=text))
            self.assertIsNotNone(dags["camera"]["response_bound_ns"])

    def test_simulated(self):
        run = rta("simulate", "-", "--duration", "300ms", "--format", "json", stdin=camera(1))
        result = json.loads(run.stdout)
        self.assertGreater(result["simulation"]["held_back"], 50)
        self.assertGreater(result["simulation"]["longest_wait_ns"], 10_000_000)
        self.assertEqual([dag["observed_max_ns"] for dag in result["dags"] if dag["dag"] == "control"], [3_000_000])
        self.assertRegex(rta("simulate", BUFFERS).stdout, r"waited to begin +no job")
        searched = rta("simulate", BUFFERS, "--search-runs", "50")
        self.assertEqual(searched.returncode, 0, searched.stdout)

    def test_certified(self):
        with tempfile.TemporaryDirectory() as folder:
            file, certificate = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "f.cert"
            for text, other in ((camera(2), camera(3)), (BUFFERS.read_text(), BUFFERS.read_text().replace("in_flight: 2 ", "in_flight: 1 "))):
                file.write_text(text)
                rta("analyze", file, "--certificate", certificate)
                self.assertIn("in_flight 2", certificate.read_text())
                check = rta(file, certificate, program=PROGRAM.with_name("rta-check"))
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
                file.write_text(other)
                self.assertNotEqual(rta(file, certificate, program=PROGRAM.with_name("rta-check")).returncode, 0)

    def test_written_and_read_back(self):
        once = rta("convert", "-", "--to", "yaml", stdin=camera(3))
        self.assertRegex(once.stdout, r"(?m)^    in_flight: 3$")
        dot = rta("convert", "-", "--to", "dot", stdin=camera(3)).stdout
        self.assertRegex(rta("convert", "-", "--from", "dot", stdin=dot).stdout, r"(?m)^    in_flight: 3$")

    def test_refused(self):
        for arguments, why in ((("analyze", "--granularity", "monolithic"), "--granularity is for DAGs without `in_flight`"),
                               (("analyze", "--release", "static"), "has a limit of jobs under way (`in_flight`)"),
                               (("compile",), "has a limit of jobs under way (`in_flight`)"),
                               (("convert", "--to", "sag"), "which schedule_abstraction does not know")):
            with self.subTest(arguments), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "f.yaml"
                file.write_text(camera(2))
                run = rta(arguments[0], file, *arguments[1:])
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn(why, " ".join(run.stderr.split()))

    def test_played_on_this_machine_within_the_limit(self):
        # Two nodes of 30 ms each every 40 ms on one processor, one job at once: half of the jobs queue up.
        text = ("platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n"
                "  - {name: f, T: 40 ms, in_flight: 1, nodes: {a: {on: cpu, C: 30 ms}, b: {on: cpu, C: 30 ms}}, edges: [a -> b]}\n")
        with tempfile.TemporaryDirectory() as folder:
            file, kept = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "kept"
            file.write_text(text)
            run = rta("run", file, "--duration", "400ms", "--warmup", "0s", "--keep", kept)
            self.assertIn(run.returncode, (0, 1), run.stderr)  # a loaded machine
            lines = [json.loads(line) for line in (kept / "trace.jsonl").read_text().splitlines()[1:]]
        starts = {line["job"]: line["start_ns"] for line in lines if line["t"] == "job" and line["node"] == "a"}
        ends = {line["job"]: line["end_ns"] for line in lines if line["t"] == "dag"}
        self.assertEqual(len(ends), 10)
        for job in range(1, 10):
            self.assertGreaterEqual(starts[job], ends[job - 1])
        self.assertGreater(ends[9] - starts[0], 590_000_000)


if __name__ == "__main__":
    unittest.main()
