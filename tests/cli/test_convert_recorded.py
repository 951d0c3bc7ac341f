"""`rta convert`: the model of a profile is held against the recording, and profiles of many kernels in a job."""

import json
import pathlib
import resource
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

THREE_KERNELS = ROOT / "tasksets/imports/three-kernels.json"
SANITIZED = "check" in PROGRAM.parts
DEVICE = {"id": 0, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
          "regsPerMultiprocessor": 65536, "warpSize": 32, "sharedMemPerMultiprocessor": 167936, "numSms": 108}


def profile(path, jobs):
    """Each job: (start, length in us, kernels); each kernel: (launched, name, start, length, stream, correlation, blocks of 64 threads)."""
    events = []
    for number, (at, length, kernels) in enumerate(jobs):
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "pid": 5000, "tid": 1, "ts": at, "dur": length})
        launches = set()
        for launched, name, start, took, stream, correlation, blocks in kernels:
            if correlation not in launches:
                events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5000, "tid": 1, "ts": launched, "dur": 5,
                               "args": {"correlation": correlation}})
            launches.add(correlation)
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": start, "dur": took,
                           "args": {"device": 0, "context": 1, "stream": stream, "correlation": correlation, "registers per thread": 32,
                                    "shared memory": 0, "grid": [blocks, 1, 1], "block": [64, 1, 1]}})
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [DEVICE], "traceEvents": events}))


class LostRecords(unittest.TestCase):
    def test_a_wait_of_a_stream_that_names_no_call_is_for_all_streams(self):
        whole = json.loads(THREE_KERNELS.read_text())
        waits = [event for event in whole["traceEvents"] if event.get("name") in ("cudaStreamWaitEvent", "Stream Wait Event")]
        self.assertEqual(2, len(waits))
        for wait in waits:
            correlation = wait["args"].pop("correlation")
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "profile.json")
                path.write_text(json.dumps(whole))
                text = rta("convert", path, "--processors", "4", "--period", "40ms").stdout
            wait["args"]["correlation"] = correlation
            self.assertIn("are taken to wait for all streams", text)
            self.assertRegex(text, "gemm_128x64 -> memset-3")


class MissingFields(unittest.TestCase):
    def test_kernels_without_streams_or_resources_are_told(self):
        for field, sentence in (("stream", "3 of 3 kernels say no `stream`: each is taken to be in that of its row (`tid`)"),
                                ("shared memory", "3 of 3 kernels say no `registers per thread` or no `shared memory`: counted as 0")):
            whole = json.loads(THREE_KERNELS.read_text())
            for event in whole["traceEvents"]:
                if event.get("cat") == "kernel":
                    del event["args"][field]
            run = rta("convert", "-", "--processors", "4", "--period", "40ms", stdin=json.dumps(whole))
            self.assertIn("assumed: " + sentence, run.stderr)
        self.assertNotIn("kernels say no", rta("convert", THREE_KERNELS, "--processors", "4", "--period", "40ms").stderr)


class Held(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "profile.json")

    def convert(self, *arguments):
        return rta("convert", self.path, "--processors", "2", *arguments)

    def test_the_figures_stand_in_the_head(self):
        # 1000 us from each job to the next; 10 blocks find room at once, so that the kernel takes 100 us here as well.
        profile(self.path, [(at, 900, [(at + 10, "k", at + 20, 100, 7, at, 10)]) for at in (1000, 2000)])
        run = self.convert()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("# - DAG 'ProfilerStep': a job took 900 us, here 900 us (1.00 times), released as recorded 900 us at most; its kernels kept "
                      "the GPU busy for 100 us, here 100 us (1.00 times); kernels keep their order on streams\n", run.stdout)

    def test_waves_of_blocks_keep_the_gpu_busy_for_as_long_as_recorded(self):
        # An SM holds 32 blocks of 64 threads, the GPU 3456: 7000 are three waves, which take 100 us together.
        profile(self.path, [(at, 130, [(at + 10, "k", at + 20, 100, 7, at, 7000)]) for at in (1000, 2000)])
        run = self.convert()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("a job took 130 us, here 130 us (1.00 times), released as recorded 130 us at most; its kernels kept the GPU busy for 100 us, here "
                      "100 us (1.00 times)", run.stdout)
        self.assertIn("k: {on: gpu, B: 7000, H: 64, time: 100 us, registers: 32, sequential: true}", run.stdout)
        self.assertIn("assumed: time of a kernel is the longest time that was recorded from its first block to its last: what ran beside it made that "
                      "longer, never shorter", run.stderr)

    def test_kernels_of_billions_of_blocks_are_played_in_longer_waves(self):
        profile(self.path, [(at, 900, [(at + 10, "k", at + 20, 100, 7, at, 2_000_000_000), (at + 12, "few", at + 130, 50, 8, at + 1, 10)]) for at in range(1000, 9000, 1000)])
        run = self.convert()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("kept the GPU busy for 150 us, here 150 us (1.00 times); kernels keep their order", run.stdout)
        self.assertIn("k: {on: gpu, B: 2000000000, H: 64, time: 100 us,", run.stdout)

    def kernels_alone_and_not(self):
        """a takes 100 us alone and 150 us beside b, which takes 60 us alone; c and d always overlap, a little."""
        always = [(30, "c", 300, 100, 9, 3, 10), (32, "d", 399, 70, 10, 4, 10)]
        first = [(10, "a", 20, 100, 7, 1, 10), (12, "b", 120, 60, 8, 2, 10), *always]
        second = [(10, "a", 20, 150, 7, 5, 10), (12, "b", 30, 150, 8, 6, 10), *always]
        jobs = []
        for at, kernels in ((1000, first), (2000, second)):
            jobs.append((at, 900, [(at + launched, name, at + start, took, stream, at + number, B) for launched, name, start, took, stream, number, B in kernels]))
        profile(self.path, jobs)

    def test_kernels_that_ran_alone_have_that_time_where_it_is_asked_for(self):
        self.kernels_alone_and_not()
        h200 = ROOT / "validation/profiles/h200.yaml"
        run = self.convert("--alone", h200)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"interference: \{classes: \[L2, DRAM\]")
        self.assertRegex(run.stdout, r" a: \{.* time: \{alone: 100 us[,}]")
        self.assertRegex(run.stdout, r" b: \{.* time: \{alone: 60 us[,}]")
        self.assertRegex(run.stdout, r" c: \{.* time: 100 us,")
        self.assertIn("--alone: of 2 kernels the time is the longest that was seen with no other kernel on the GPU", run.stderr)
        self.assertIn("--alone: 2 kernels were never seen alone, or their blocks may start together ('c' of ProfilerStep, 'd' of ProfilerStep)", run.stderr)
        read = rta("analyze", "-", "--release", "completion", stdin=run.stdout)
        self.assertIn(read.returncode, (0, 1), read.stderr)
        self.assertNotIn("alone:", self.convert("--accept-difference").stdout)

    def test_times_alone_are_refused_where_they_mean_nothing(self):
        self.kernels_alone_and_not()
        h200 = ROOT / "validation/profiles/h200.yaml"
        self.assertIn("do not go together", self.convert("--alone", h200, "--accept-difference").stderr)
        self.assertIn("does not go with --percentile", self.convert("--alone", h200, "--percentile", "99").stderr)
        without = self.path.with_name("without.yaml")
        without.write_text(h200.read_text().split("\n# The largest growth")[0] + "\n")
        run = self.convert("--alone", without)
        self.assertEqual(run.returncode, 2)
        self.assertIn("the profile has no `interference` (rta examine --interference measures it)", run.stderr)

    def test_a_gpu_that_is_busy_for_longer_is_an_error_unless_accepted(self):
        # Two kernels that ran at once for 100 us each fill the GPU in the model, one after the other: 200 us for 110.
        profile(self.path, [(at, 900, [(at + 10, "a", at + 20, 100, 7, at, 3456), (at + 12, "b", at + 30, 100, 8, at + 1, 3456)]) for at in (1000, 2000)])
        run = self.convert()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("DAG 'ProfilerStep': kernels keep the GPU busy for 200 us of a job here, and for 110 us in the recording: kernels ran at once there, 200 us in all, and those "
                      "that do not fit on the GPU together, or whose blocks may start together, take turns here, as how long one lasts without the others is not recorded; bounds count too much then, not too little "
                      "(--accept-difference", run.stderr)
        run = self.convert("--accept-difference")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("warning: ", run.stderr)
        self.assertIn("kept the GPU busy for 110 us, here 200 us (1.82 times)", run.stdout)

    def test_work_beside_jobs_is_an_error_unless_accepted(self):
        # 'alien' is launched between the jobs and runs for 50 of its 60 us beside the second one.
        profile(self.path, [(at, 900, [(at + 10, "k", at + 20, 100, 7, at, 10)] + ([(1950, "alien", 1990, 60, 9, 77, 10)] if at == 1000 else []))
                            for at in (1000, 2000)])
        run = self.convert()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("1 kernels, copies and memsets that no job launched ran beside jobs for 50 us: no DAG stands for them", run.stderr)
        self.assertIn("--accept-difference", run.stderr)
        run = self.convert("--accept-difference")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("warning: ", run.stderr)

    def test_a_job_that_is_much_longer_is_a_warning_with_its_causes(self):
        # A path of two kernels in one stream: 10 + 5 us to the launch, then 400 and 100 us, or 100 and 400: 515 us each time. Longest times make 815 us of it.
        def job(at, first, second):
            return at, 525, [(at + 10, "a", at + 15, first, 7, at, 10), (at + 20, "b", at + 15 + first, second, 7, at + 1, 10)]

        profile(self.path, [job(1000, 400, 100), job(3000, 100, 400)])
        run = self.convert("--accept-difference")
        self.assertEqual(run.returncode, 0, run.stderr)
        said = r"DAG 'ProfilerStep': a job takes 1\.\d+ times as long as recorded: \d+ us because each node takes the longest time that any job showed of it"
        self.assertRegex(run.stderr, f"warning: .*: {said}")
        self.assertRegex(run.stdout, f"(?m)^# - {said}")

    def test_what_was_accepted_stands_in_the_head(self):
        profile(self.path, [(at, 900, [(at + 10, "k", at + 20, 100, 7, at, 10)]) for at in (1000, 2000)])
        run = self.convert("--accept-difference", "--strict")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("# - --accept-difference: there is no difference that needs it\n", run.stdout)
        self.assertIn("# - --strict: the 2 jobs of DAG 'ProfilerStep' do not differ\n", run.stdout)
        # Each second kernel in another context of the process.
        text = json.loads(self.path.read_text())
        [kernel for kernel in text["traceEvents"] if kernel["cat"] == "kernel"][1]["args"]["context"] = 2
        self.path.write_text(json.dumps(text))
        run = self.convert()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        said = "2 contexts of one process took turns on GPU 0, unless they ran under MPS or in green contexts"
        self.assertIn(f"{self.path}: {said}", run.stderr)
        run = self.convert("--accept-difference")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"# - --accept-difference: {said}", run.stdout)
        self.assertEqual(self.convert("--slice", "1ms", "--switch", "100us").returncode, 0)

    def test_a_percentile_is_held_against_all_that_was_seen(self):
        profile(self.path, [(at, 200 + took, [(at + 10, "k", at + 20, took, 7, at, 10)]) for at, took in ((1000, 100), (2000, 300))])
        run = self.convert("--percentile", "50")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("less than the 500 us that were recorded", run.stderr)
        self.assertEqual(self.convert("--percentile", "50", "--accept-difference").returncode, 0)

    def test_the_cpu_part_alone_is_held_against_nothing(self):
        profile(self.path, [(at, 900, [(at + 10, "k", at + 20, 2000, 7, at, 10)]) for at in (1000, 2000)])
        run = self.convert("--cpu-only")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("kept the GPU busy", run.stdout)


class Traces(unittest.TestCase):
    """A trace is held against its model, all DAGs at the recorded releases."""

    def convert(self, release, end, *arguments):
        # a and b in a row on one processor, 5 ns each; the DAG's job lasts from 0 to `end`.
        lines = ['{"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": "%s"}' % release]
        for j in range(2):
            at = 100 * j
            for node, start in (("a", at), ("b", at + 5)):
                lines.append('{"t": "run", "dag": "d", "node": "%s", "job": %d, "cpu": 0, "start_ns": %d, "end_ns": %d}' % (node, j, start, start + 5))
                lines.append('{"t": "job", "dag": "d", "node": "%s", "job": %d, "release_ns": %d, "start_ns": %d, "end_ns": %d}' % (node, j, start, start, start + 5))
            lines.append('{"t": "dag", "dag": "d", "job": %d, "release_ns": %d, "end_ns": %d}' % (j, at, at + end))
        lines.append('{"t": "end", "complete": true, "lost_records": 0}')
        return rta("convert", "-", "--processors", "2", *arguments, stdin="\n".join(lines) + "\n")

    def test_figures_and_faults(self):
        run = self.convert("completion", 10)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("# - DAG 'd': a job took 10 ns at most, here, released as recorded, 10 ns (1.00 times)\n", run.stdout)
        # Released at offsets, edges are not seen: both run at once, 5 ns.
        run = self.convert("offsets", 10)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("DAG 'd': its jobs take 5 ns at most here, less than the 10 ns that were recorded (--accept-difference", run.stderr)
        self.assertEqual(self.convert("offsets", 10, "--accept-difference").returncode, 0)


class GpuOfTraces(unittest.TestCase):
    """How long kernels keep the GPU busy in a trace is compared with the model, at the recorded releases."""

    def convert(self, durations, *arguments):
        # Kernel k of 8 blocks that all run at once on the two SMs of a TX2, for so long in each job.
        lines = ['{"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": "completion"}']
        for j, length in enumerate(durations):
            at = 1000 * j
            for block in range(8):
                lines.append('{"t": "block", "dag": "d", "node": "k", "job": %d, "block": %d, "sm": %d, "start_ns": %d, "end_ns": %d}' % (j, block, block % 2, at, at + length))
            lines.append('{"t": "job", "dag": "d", "node": "k", "job": %d, "release_ns": %d, "start_ns": %d, "end_ns": %d}' % (j, at, at, at + length))
            lines.append('{"t": "dag", "dag": "d", "job": %d, "release_ns": %d, "end_ns": %d}' % (j, at, at + length))
        lines.append('{"t": "end", "complete": true, "lost_records": 0}')
        return rta("convert", "-", "--device", "tx2", *arguments, stdin="\n".join(lines) + "\n")

    def test_figures(self):
        run = self.convert((100, 100), "--threads-per-block", "512")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("# - kernels of all DAGs kept GPUs busy for 200 ns, here 200 ns (1.00 times)\n", run.stdout)

    def test_jobs_that_were_shorter_are_no_difference(self):
        # 100 and 40 ns: the model takes 100 twice, which is what the longest explains.
        run = self.convert((100, 40), "--threads-per-block", "512")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("kept GPUs busy for 140 ns, here 200 ns (1.43 times)\n", run.stdout)

    def test_a_gpu_that_is_busy_for_longer_is_an_error_unless_accepted(self):
        # Of blocks of 1024 threads an SM holds 2: two waves of 100 ns.
        run = self.convert((100, 100), "--threads-per-block", "1024")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("kernels keep GPUs busy for 400 ns here, and for 200 ns in the recording (--accept-difference", run.stderr)
        self.assertEqual(self.convert((100, 100), "--threads-per-block", "1024", "--accept-difference").returncode, 0)


@unittest.skipIf(SANITIZED, "timed with the optimised program only")
class ManyKernelsInAJob(unittest.TestCase):
    """Time and memory are linear in the kernels of a job, launched one by one or as a graph."""

    def check(self, together):
        count = 30_000
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "profile.json")
            kernels = [(1010 + (0 if together else 30 * k), f"k{k % 50}", 1020 + 30 * k, 20, 7 + k % 3, 1 if together else k + 1, 10) for k in range(count)]
            profile(path, [(1000, 30 * count + 100, kernels)])

            def limited():
                resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = rta("convert", path, "--processors", "2", "--period", "10s", "-o", path.with_suffix(".yaml"), "-q", preexec_fn=limited)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 10)
            self.assertEqual(path.with_suffix(".yaml").read_text().count("{on: gpu,"), count)

    def test_such_a_job_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "profile.json")
            profile(path, [(1000, 30 * 8000 + 100, [(1010 + 30 * k, f"k{k % 50}", 1020 + 30 * k, 20, 7 + k % 3, k + 1, 10) for k in range(8000)])])
            run = rta("convert", path, "--processors", "2", "--period", "10s", "-o", path.with_suffix(".yaml"), "-q")
            self.assertEqual(run.returncode, 0, run.stderr)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = rta("draw", path.with_suffix(".yaml"), "-o", path.with_suffix(".svg"))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if "Graphviz cannot draw" in run.stderr:
                self.skipTest("without Graphviz")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 10)
            drawn = path.with_suffix(".svg").read_text()
            self.assertEqual(drawn.count('class="node"'), 16_001 + 2)  # what the thread does at the end, and a node for each pool
            self.assertEqual(drawn.count('class="cluster"'), 2)

    def test_launched_one_by_one(self):
        self.check(False)

    def test_launched_as_a_graph(self):
        self.check(True)


if __name__ == "__main__":
    unittest.main()
