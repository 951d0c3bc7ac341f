"""compare: what rta record saw of a program beside the bounds of the task set that rta convert made of it."""

import json
import pathlib
import tempfile
import unittest

from program import rta

OF = {"process": 7}
ON = OF | {"device": 0, "context": 1, "stream": 13}


def frame(number):
    """Launched at 20 us, run from 25 to 125 us, waited for until 130 us; the third frame's kernel takes 40 us longer."""
    start = number * 1_000_000
    more = 40_000 if number == 2 else 0

    def at(us):
        return start + us * 1000

    def call(name, first, last, correlation):
        return {"t": "call", "api": "runtime", "name": name, "thread": 9, "correlation": 10 * number + correlation, "start_ns": at(first),
                "end_ns": at(last) + (more if name == "cudaStreamSynchronize" else 0), "result": 0} | OF
    return [
        call("cudaLaunchKernel", 10, 20, 1),
        {"t": "kernel", "name": "detect", "correlation": 10 * number + 1, "start_ns": at(25), "end_ns": at(125) + more, "grid": [4, 1, 1],
         "block": [128, 1, 1], "registers": 32, "static_shared": 0, "dynamic_shared": 0, "launch": "regular"} | ON,
        call("cudaStreamSynchronize", 30, 130, 2),
        {"t": "sync", "kind": "stream", "context": 1, "stream": 13, "correlation": 10 * number + 2, "start_ns": at(30),
         "end_ns": at(128) + more} | OF,
        {"t": "range", "name": "frame", "domain": "", "thread": 9, "end_thread": 9, "start_ns": at(0), "end_ns": at(200) + more} | OF]


def recording(frames):
    lines = [{"schema": 1, "kind": "trace", "source": "recording", "task_set": ""},
             {"t": "process", "process": 7, "parent": 1, "program": "/opt/camera"},
             {"t": "device", "device": 0, "name": "NVIDIA H100", "uuid": "GPU-1", "compute_capability": "9.0", "sms": 132,
              "threads_per_sm": 2048, "threads_per_block": 1024, "blocks_per_sm": 32, "shared_per_sm": 233472, "shared_per_block": 49152,
              "registers_per_sm": 65536, "copy_engines": 3, "clock_khz": 1980000} | OF,
             {"t": "context", "context": 1, "device": 0, "null_stream": 7} | OF]
    for number in range(frames):
        lines += frame(number)
    lines.append({"t": "end", "complete": True, "lost_records": 0, "valid": True})
    return "".join(json.dumps(line) + "\n" for line in lines)


class Recorded(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.whole = self.folder / "whole.jsonl"
        self.whole.write_text(recording(3))
        self.calm = self.folder / "calm.jsonl"
        self.calm.write_text(recording(2))

    def converted(self, trace, *options):
        path = trace.with_suffix(".yaml")
        run = rta("convert", trace, "--job-marker", "frame", "--processors", "2", *options, "-q", "-o", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        return path

    def test_jobs_that_the_task_set_was_made_of_are_within_its_bounds(self):
        task_set = self.converted(self.whole, "--dispatch-latency", "5 us")  # from the end of the launch to the kernel's start
        run = rta("compare", self.whole, task_set, "--job-marker", "frame", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        dag = json.loads(run.stdout)["comparisons"][0]["dags"][0]
        self.assertEqual((dag["count"], dag["max_ns"]), (3, 240_000))
        self.assertGreaterEqual(dag["bound_ns"], 240_000)
        self.assertIn("not when they should have", run.stderr)

    def test_without_launch_latencies_a_kernel_ends_after_its_bound_but_its_job_does_not(self):
        run = rta("compare", self.whole, self.converted(self.whole), "--job-marker", "frame", "--format", "json")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        violations = json.loads(run.stdout)["comparisons"][0]["violations"]
        self.assertEqual([(violation["dag"], violation["node"]) for violation in violations], [("frame", "detect")])

    def test_a_later_job_that_took_longer_is_above_the_bounds(self):
        run = rta("compare", self.whole, self.converted(self.calm), "--job-marker", "frame", "-v")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("Job 3 of frame/cpu-2, released at 2 ms: 0.165 ms", run.stdout)
        self.assertRegex(run.stdout, "cpu-2 .*145(.000)? us")  # it waited 40 us longer than in the first two frames

    def test_markers_that_find_nothing_and_options_for_other_traces_are_refused(self):
        path = self.converted(self.calm)
        run = rta("compare", self.calm, path, "--job-marker", "nothing")
        self.assertEqual(run.returncode, 2)
        self.assertIn("nothing", run.stderr)
        simulated = self.folder / "simulated.jsonl"
        self.assertEqual(rta("simulate", path, "--duration", "10ms", "--trace", simulated, "-q").returncode, 0)
        run = rta("compare", simulated, path, "--job-marker", "frame")
        self.assertEqual(run.returncode, 2)
        self.assertIn("is no recording", run.stderr)
        other = self.folder / "other.yaml"
        other.write_text(path.read_text().replace("name: frame", "name: image"))
        run = rta("compare", self.calm, other, "--job-marker", "frame")
        self.assertEqual(run.returncode, 2)
        self.assertIn("the task set has no DAG 'frame'", run.stderr)

    def test_a_later_recording_calibrates_the_task_set_of_an_earlier_one(self):
        path = self.converted(self.calm)
        run = rta("calibrate", self.whole, path, "--job-marker", "frame")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("recording", run.stdout.split("\n", 1)[0])
        calm = rta("calibrate", self.calm, path, "--job-marker", "frame").stdout
        longer = {"time: 140 us": "time: 100 us", "C: 145 us": "C: 105 us"}  # the kernel, and the wait for it
        for more, less in longer.items():
            self.assertIn(more, run.stdout)
            self.assertIn(less, calm)
        run = rta("calibrate", self.calm, path, "--job-marker", "nothing")
        self.assertEqual(run.returncode, 2)
        simulated = self.folder / "simulated.jsonl"
        self.assertEqual(rta("simulate", path, "--duration", "10ms", "--trace", simulated, "-q", "--trace-level", "block").returncode, 0)
        run = rta("calibrate", simulated, path, "--job-marker", "frame")
        self.assertEqual(run.returncode, 2)
        self.assertIn("is no recording", run.stderr)


if __name__ == "__main__":
    unittest.main()
