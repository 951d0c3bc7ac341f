"""`rta convert`: files of other tools in, task sets out."""

import gzip
import json
import os
import pathlib
import re
import resource
import sqlite3
import tempfile
import threading
import time
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TASK_SETS, on_terminal, one_test_each, rta

THREE_KERNELS = ROOT / "tasksets/imports/three-kernels.json"
SANITIZED = "check" in PROGRAM.parts  # slower, and with memory of its own

BROKEN = {
    # text -> message
    '{"benchmarks": [\n  {"a": 1,}\n]}\n': "<stdin>:2:11: not JSON: syntax error while parsing object key",
    "": "<stdin>:1:1: the file is empty",
    "[1, ]": "<stdin>:1:5: not JSON: syntax error while parsing value",
    '{"benchmarks": [],\n "name": "a': "<stdin>:2:12: not JSON: syntax error while parsing value",
    '{"benchmarks": [\n {"block_count": 1e999}]}': "<stdin>:2:18: not JSON: number overflow parsing '1e999'",
    '{"benchmarks": [], "benchmarks": []}': "<stdin>: the key 'benchmarks' is given twice in one object",
    '{"benchmarks": [{"a": {"b": 1, "b": 2}}]}': "<stdin>: the key 'b' is given twice in one object",
}


def folders_with(path):
    """The folder of that path beside the sources or above them, if there is one: files that are no part of the project."""
    return next((folder / path for folder in ROOT.parents if (folder / path).is_dir()), None)


def spent():
    """Seconds of processor time of the programs that were run: what a busy machine does not change."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


IMPORTS = folders_with("shared/data/imports")
EXAMINER = folders_with("shared/data/examiner")


class Examiner(unittest.TestCase):
    def test_broken_json(self):
        for text, message in BROKEN.items():
            run = rta("convert", "-", stdin=text)
            self.assertEqual((run.returncode, run.stdout), (2, ""), text)
            self.assertTrue(run.stderr.startswith(message), run.stderr)

    def test_equal_keys_of_different_objects(self):
        run = rta("convert", "-", stdin='{"a": {"b": 1}, "c": {"b": 1}, "benchmarks": []}')
        self.assertNotIn("twice", run.stderr)

    def test_comments_of_several_lines(self):
        text = """{"comment": "first", "comment": "second", "max_iterations": 1, "benchmarks": [
          {"filename": "timer_spin.so", "label": "K", "thread_count": [16, 16], "block_count": 2, "additional_info": 1000}]}"""
        run = rta("convert", "-", stdin=text)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("{kernel: K, on: gpu, stream: S1, at: 0 ns, B: 2, H: 256, L: 1 us}", run.stdout)
        self.assertIn("assumed: the GPU is 'tx2' (--device)\n", run.stderr)

    @unittest.skipUnless(EXAMINER, "no shared/data/examiner beside the sources")
    @unittest.skipIf(SANITIZED, "many files: once is enough, with the optimised rta")
    def test_its_own_configurations_are_converted_or_refused_for_what_they_do(self):
        converted = 0
        for path in sorted(EXAMINER.glob("*.json")):
            run = rta("convert", path, "--device", "titan-v" if path.name.startswith("titan") else "tx2")
            converted += run.returncode == 0
            for line in run.stderr.splitlines() if run.returncode else []:
                self.assertRegex(line, "has no fixed duration|time slices|only some SMs|do not fit|additional_info is not|duration is missing", path.name)
        self.assertGreaterEqual(converted, 20)


class Profiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_what_was_assumed_is_in_the_file_and_on_standard_error(self):
        path = self.folder / "set.yaml"
        run = rta("convert", THREE_KERNELS, "--processors", "2", "--period", "10ms", "-o", path)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        text = path.read_text()
        self.assertTrue(text.startswith("# From three-kernels.json, a profile of PyTorch (Kineto).\n# Found:\n"))
        assumed = [line.removeprefix("assumed: ") for line in run.stderr.splitlines()]
        self.assertGreater(len(assumed), 5)
        for sentence in assumed:
            self.assertIn(f"\n# - {sentence}\n", text)
        quiet = rta("convert", THREE_KERNELS, "--processors", "2", "--period", "10ms", "-q")
        self.assertEqual((quiet.stderr, quiet.stdout), ("", text))

    def test_a_converted_profile_shows_at_least_what_was_recorded(self):
        for waits, recorded in (("active", 2500), ("passive", 2500)):
            path, trace = self.folder / "set.yaml", self.folder / "trace.jsonl"
            rta("convert", THREE_KERNELS, "--processors", "2", "--period", "10ms", "--waits", waits, "-q", "-o", path)
            run = rta("simulate", path, "--release", "completion", "--duration", "10ms", "--trace", trace, "-q")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            records = [json.loads(line) for line in trace.read_text().splitlines()]
            jobs = [r for r in records if r.get("t") == "dag"]
            self.assertGreaterEqual(jobs[0]["end_ns"] - jobs[0]["release_ns"], recorded * 1000)
            kernels = [r for r in records if r.get("t") == "job" and r["node"].startswith("gemm")]
            self.assertEqual(len(kernels), 3)
            for kernel in kernels:
                self.assertGreaterEqual(kernel["end_ns"] - kernel["start_ns"], 123_000)

    def test_packed_cut_and_from_standard_input(self):
        packed = gzip.compress(THREE_KERNELS.read_bytes())
        arguments = ("convert", "-", "--processors", "2", "--period", "10ms", "-q")
        run = rta(*arguments, stdin=packed)
        self.assertEqual(run.returncode, 0, run.stderr)
        cut = rta(*arguments, "-o", self.folder / "cut.yaml", stdin=packed[: len(packed) // 2])
        self.assertEqual((cut.returncode, cut.stdout), (2, ""))
        self.assertRegex(cut.stderr, r"^<stdin>: the gzip data is cut off at byte \d+\n$")
        self.assertEqual(os.listdir(self.folder), [])

    @unittest.skipIf(SANITIZED, "compiles a program: once is enough, with the optimised rta")
    def test_the_cpu_part_runs(self):
        path = self.folder / "cpu.yaml"
        run = rta("convert", THREE_KERNELS, "--processors", "1", "--period", "20ms", "--cpu-only", "-q", "-o", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        run = rta("run", path, "--duration", "200ms", "--warmup", "0s", "-q")
        self.assertIn(run.returncode, (0, 1), run.stderr)  # on a busy machine some job may be late
        self.assertIn("python3", run.stdout)

    def test_progress_on_a_terminal(self):
        # A pipe whose writer takes more than a second.
        path = self.folder / "slow.json"
        os.mkfifo(path)

        def write_slowly():
            content = THREE_KERNELS.read_bytes()
            with open(path, "wb", buffering=0) as out:
                for half in (content[:1000], content[1000:2000], content[2000:]):
                    out.write(half)
                    time.sleep(1.2)

        writer = threading.Thread(target=write_slowly)
        writer.start()
        status, shown = on_terminal(PROGRAM, ["convert", path, "--processors", "2", "--period", "10ms", "-o", self.folder / "set.yaml"])
        writer.join()
        self.assertEqual(status, 0, shown)
        self.assertRegex(shown, r"slow\.json: \d+ MiB read, \d+ s")


def kineto_job():
    """A job of 400 launches as a text in which every time, and every correlation, is a `%d`, and what to put there for the job `n`."""
    events, values = [], []

    def event(fields, *numbers):
        events.append(json.dumps({"ph": "X"} | fields).replace('"%d"', "%d"))
        values.extend(numbers)

    # In ns from the job's start; correlations are negative.
    event({"cat": "user_annotation", "name": "ProfilerStep#%d", "pid": 5000, "tid": 1, "ts": "%d", "dur": 4500}, 0, 0)
    for k in range(400):
        at = k * 10
        event({"cat": "cpu_op", "name": f"aten::op{k}", "pid": 5000, "tid": 1, "ts": "%d", "dur": 9.5, "args": {"External id": k, "Call stack": "x" * 120}}, at)
        event({"cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5000, "tid": 1, "ts": "%d", "dur": 5.125,
               "args": {"External id": k, "cbid": 211, "correlation": "%d"}}, at + 1, -k - 1)
        event({"cat": "kernel", "name": f"void kernel_{k % 50}<float, {k % 50}>(float*)", "pid": 0, "tid": 7 + k % 3, "ts": "%d", "dur": 7.5 + k % 5,
               "args": {"device": 0, "context": 1, "stream": 7 + k % 3, "correlation": "%d", "registers per thread": 32, "shared memory": 0,
                        "grid": [10 + k % 7, 4, 1], "block": [128, 1, 1], "est. achieved occupancy": 25}}, at + 9, -k - 1)
    return ",\n".join(events), values


DEVICE = {"id": 0, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
          "regsPerMultiprocessor": 65536, "warpSize": 32, "sharedMemPerMultiprocessor": 167936, "numSms": 108}


def write_kineto(path, mebibytes):
    """A Kineto trace of about that size."""
    text, values = kineto_job()
    with open(path, "w") as out:
        out.write('{"schemaVersion": 1, "deviceProperties": [' + json.dumps(DEVICE) + '],\n"traceEvents": [\n')
        for job in range((mebibytes << 20) // len(text) + 1):
            start, first = 1000 + job * 5000, job * 400
            numbers = [first - value if value < 0 else start + value for value in values]
            numbers[0] = job
            out.write((",\n" if job else "") + text % tuple(numbers))
        out.write("\n]}\n")


def write_nsys(path, mebibytes):
    """An export of Nsight Systems of about that size."""
    db = sqlite3.connect(path)
    db.executescript("""
      CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
        streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
        gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
        staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, localMemoryTotal INTEGER);
      CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
        correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
      CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, globalTid INTEGER, text TEXT, textId INTEGER);
      CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, maxBlocksPerSm INTEGER,
        maxThreadsPerBlock INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, asyncEngines INTEGER, computeMajor INTEGER, computeMinor INTEGER);
      INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', 132, 64, 32, 32, 1024, 233472, 65536, 3, 9, 0);
      INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000');""")
    db.executemany("INSERT INTO StringIds VALUES (?, ?)", [(k + 2, f"void kernel_{k}<float>(float*)") for k in range(50)])
    # One job of 400 launches takes about 35 KiB; the others follow it 5 ms apart.
    db.executescript(f"""
      CREATE TEMP TABLE launches AS WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 399) SELECT k, k * 10000 AS at FROM n;
      CREATE TEMP TABLE jobs AS WITH RECURSIVE n(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM n WHERE j < {mebibytes * 30 - 1}) SELECT j, j * 5000000 AS begin FROM n;
      INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT begin + at, begin + at + 5000, 0, {(7 << 24) + 9}, j * 400 + k + 1, 1, 0 FROM jobs, launches;
      INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT begin + at + 9000, begin + at + 16000 + (j + k) % 5 * 100, 0, 1, 7 + k % 3, j * 400 + k + 1, {7 << 24},
        2 + k % 50, 32, 10, 4, 1, 128, 1, 1, 0, 0, 250871808 FROM jobs, launches;
      INSERT INTO NVTX_EVENTS SELECT begin, begin + 4500000, 59, {(7 << 24) + 9}, 'frame', NULL FROM jobs;""")
    db.commit()
    db.close()


@unittest.skipIf(SANITIZED, "timed with the optimised program only")
class LargeProfiles(unittest.TestCase):
    """100 MB in under 30 s and 1 GiB."""

    def converted(self, path, *arguments):
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        begin = spent()
        run = rta("convert", path, "--processors", "8", *arguments, "-o", path.with_suffix(".yaml"), preexec_fn=limited)
        took = spent() - begin
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(path.stat().st_size, 95 << 20)
        self.assertLess(took, 30)
        return path.with_suffix(".yaml").read_text()

    def test_kineto(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "large.json")
            write_kineto(path, 100)
            self.assertEqual(self.converted(path).count("{on: gpu,"), 400)

    def test_nsys(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "large.sqlite")
            write_nsys(path, 100)
            self.assertEqual(self.converted(path, "--job-marker", "frame").count("{on: gpu,"), 400)


# What the real files need besides, or the reason for which their README says that they are refused.
REAL = {
    "hta-alexnet.json.gz": ("--processors", "2"),
    "hta-amd-mi250.json.gz": "has no grid and block",
    "hta-multistream-event.json.gz": ("--processors", "2", "--period", "100ms"),
    "hta-triton.json.gz": ("--processors", "2", "--period", "20s"),
    "kineto-resnet50-workers0.json.gz": ("--processors", "8", "--period", "1s"),
    "nsys-h100-2gpu-1s.sqlite": ("--processors", "8", "--device", "h100", "--period", "10s"),
    "mobstr.amxmi": (),
    "mobstr-mapped.amxmi": (),
}


@unittest.skipUnless(IMPORTS, "no shared/data/imports beside the sources")
class RealFiles(unittest.TestCase):
    def test_all_are_known(self):
        self.assertEqual({path.name for path in IMPORTS.iterdir()}, set(REAL))

    def test_they_convert_analyse_and_simulate_or_are_refused(self):
        for name, how in REAL.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                begin = spent()
                arguments = ("--processors", "1", "--period", "1s") if isinstance(how, str) else how
                run = rta("convert", IMPORTS / name, *arguments, "-o", f"{folder}/set.yaml")
                if not SANITIZED:
                    self.assertLess(spent() - begin, 5)
                if isinstance(how, str):
                    self.assertEqual((run.returncode, os.listdir(folder)), (2, []))
                    self.assertRegex(run.stderr, rf"{name}:\d+:\d+: .*{how}")
                    continue
                self.assertEqual(run.returncode, 0, run.stderr)
                for line in pathlib.Path(folder, "set.yaml").read_text().splitlines():
                    if ": a job took " in line:  # the model is as long and as busy as what was recorded
                        length, busy = re.search(r"here [^(]*\(([\d.]+) times\).* here [^(]*\(([\d.]+) times\); kernels keep their order", line).groups()
                        self.assertTrue(1 <= float(length) <= 1.2 and 0.95 <= float(busy) <= 1.05, line)
                if SANITIZED:
                    continue  # the optimised program goes on
                analysis = rta("analyze", f"{folder}/set.yaml", "--format", "json", "-q", "--time-limit", "20",
                               "--release", "completion")
                self.assertIn(analysis.returncode, (0, 1), analysis.stderr)
                simulation = rta("simulate", f"{folder}/set.yaml", "--release", "completion", "--duration", "1s", "-q")
                self.assertIn("is within its bound" if analysis.returncode == 0 and "T10" in analysis.stdout else "", simulation.stdout)
                self.assertNotIn("above", simulation.stdout.splitlines()[0])

    def test_the_three_kernel_trace(self):
        run = rta("convert", IMPORTS / "hta-multistream-event.json.gz", "--processors", "2", "--period", "100ms", "-q")
        self.assertEqual(run.stdout.count("B: 640, H: 128, time: 123 us, shared_memory: 12544 B, registers: 122"), 3)
        self.assertIn("\n      - ampere_sgemm_128x64_nn -> memset-3\n", run.stdout)


@one_test_each(TASK_SETS, lambda path: path.stem)
class OutAndInAgain(unittest.TestCase):
    def check(self, path):
        with tempfile.TemporaryDirectory() as folder:
            plain, middle = f"{folder}/plain.yaml", [f"{folder}/set.{extension}" for extension in ("json", "dot")]
            run = rta("convert", path, "-q", "-o", plain, "-o", middle[0], "-o", middle[1])
            self.assertEqual(run.returncode, 0, run.stderr)
            without_comment = re.compile(r"^#.*\n", re.MULTILINE)
            for written in middle:
                again = rta("convert", written, "-q")
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertEqual(without_comment.sub("", again.stdout), without_comment.sub("", pathlib.Path(plain).read_text()))


class Readers(unittest.TestCase):
    def test_the_documents_show_the_tables_that_the_readers_ask(self):
        tables = rta("convert", "--readers").stdout
        self.assertIn(tables, (ROOT / "docs/guide-convert.md").read_text(), "rta convert --readers prints what belongs there")

    def test_an_option_does_not_change_what_a_file_says(self):
        jobs = "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n" + "".join(
            f"1, {k + 1}, {10 * k}, {10 * k}, 12, 12, {10 * k + 20}, {10 * k + 20}\n" for k in range(6)
        )
        run = rta("convert", "-", "--processors", "1", "--time-unit", "ms", "--period", "60ms", "-q", stdin=jobs + "2, 1, 0, 0, 1, 1, 60, 60\n")
        self.assertIn("name: T1\n    T: 10 ms", run.stdout)
        self.assertIn("name: T2\n    T: 60 ms", run.stdout)


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_several_at_once(self):
        run = rta("convert", EXAMPLE, "-o", self.folder / "a.json", "-o", self.folder / "a.dot", "-o", self.folder / "a.yaml")
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.dot", "a.json", "a.yaml"])
        json.loads((self.folder / "a.json").read_text())
        self.assertEqual(rta("analyze", self.folder / "a.json").stdout, rta("analyze", self.folder / "a.yaml").stdout)

    def test_a_job_set_and_its_precedence(self):
        path = self.folder / "set.yaml"
        path.write_text("platform: {cpu: {processors: 2, preemptive: false}}\ndags:\n  - {name: d, T: 10 ms, D: 9 ms, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}, "
                        "edges: [a -> b]}\n  - {name: e, T: 20 ms, D: 20 ms, nodes: {c: {on: cpu, C: {max: 3 ms, min: 1 ms}}}}\n")
        run = rta("convert", path, "-o", self.folder / "jobs.csv")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.folder / "jobs.prec.csv").read_text(),
                         "Predecessor TID, Predecessor JID, Successor TID, Successor JID\n1, 1, 2, 1\n1, 2, 2, 2\n")
        again = rta("convert", self.folder / "jobs.csv", "--precedence", self.folder / "jobs.prec.csv", "--to", "json", "-q")
        self.assertEqual(again.stdout, rta("convert", path, "--to", "json").stdout)
        self.assertIn("a second file: give -o FILE.csv", rta("convert", path, "--to", "sag").stderr)

    def test_an_input_is_not_replaced(self):
        path = self.folder / "jobs.csv"
        path.write_text("Task ID, Job ID\n")
        run = rta("convert", EXAMPLE, "--precedence", path, "-o", path)
        self.assertIn("would replace a file that is read", run.stderr)

    def test_a_trace_of_a_simulation_gives_the_task_set_back(self):
        text = """platform:
  cpu: {processors: 2}
  gpu: {device: tx2}
  copy: {engines: 1}
dags:
  - name: camera
    T: 10 ms
    nodes:
      capture: {on: cpu, C: 1 ms}
      detect: {on: gpu, B: 3, H: 64, L: 200 us}
      back: {on: copy, C: 50 us}
    edges:
      - capture -> detect -> back
"""
        (self.folder / "set.yaml").write_text(text)
        for trace in ("trace.json", "trace.jsonl"):
            run = rta("simulate", self.folder / "set.yaml", "--release", "completion", "--duration", "50ms", "--trace", self.folder / trace, "-q")
            self.assertEqual(run.returncode, 0, run.stderr)
            run = rta("convert", self.folder / trace, "--processors", "2", "--device", "tx2", "--threads-per-block", "64", "--copy-engines", "1", "--to", "json", "-q")
            self.assertEqual(run.returncode, 0, run.stderr)
            again, original = json.loads(run.stdout), json.loads(rta("convert", self.folder / "set.yaml", "--to", "json").stdout)
            self.assertEqual(again["dags"], original["dags"])
            self.assertEqual(again["platform"], original["platform"])


if __name__ == "__main__":
    unittest.main()
