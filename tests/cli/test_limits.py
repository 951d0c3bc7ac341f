"""Limits of every command: how large a file may be, how much memory and time the program may take, and how many threads."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TIME_LIMIT, rta, rta_as_ordinary_user

HOG = ROOT / "tasksets/literature/hog-like.yaml"
SANITIZED = b"__asan_init" in PROGRAM.read_bytes()
MEMORY_SIZES = int(os.environ.get("RTA_MEMORY_SIZES", "5"))  # of 60 with `./check --long`


class Limits(unittest.TestCase):
    def refused(self, *arguments):
        run = rta(*arguments)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr[:2000])
        self.assertNotIn("defect", run.stderr)
        return run.stderr

    def test_sizes(self):
        for text in ("0", "0 MiB", "-1 MiB", " ", "MiB", "2 TB", "1.5 GiB", "1e3", "99999999999999999999", "2000000000 GiB"):
            for option in ("--largest-file", "--memory-limit"):
                with self.subTest(option=option, text=text):
                    self.assertIn("must be a size of at least one byte, e.g. 512 MiB or 2 GiB", self.refused("analyze", HOG, f"{option}={text}"))

    def test_a_file_that_is_larger(self):
        size = HOG.stat().st_size
        self.assertIn(f"the file is larger than {size - 1} bytes (see --largest-file)", self.refused("analyze", HOG, "--largest-file", str(size - 1)))
        for enough in (f"{size}", f"{size} B", f"{size}B", "1MiB", "2 GiB"):
            self.assertEqual(rta("analyze", HOG, "--largest-file", enough).returncode, 0, enough)
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder, "large.yaml")
            line = "# " + 97 * "x" + "\n"
            large.write_text((70 << 20) // len(line) * line + HOG.read_text())
            self.assertIn("the file is larger than 64 MiB (see --largest-file)", self.refused("analyze", large))
            self.assertEqual(rta("analyze", large, "--largest-file", "80 MiB").returncode, 0)

    @unittest.skipIf(SANITIZED, "sanitizers have a memory of their own")
    def test_memory(self):
        self.assertEqual(rta("analyze", HOG, "--memory-limit", "1 GiB").returncode, 0)
        self.assertEqual(
            self.refused("analyze", HOG, "--memory-limit", "1 MiB"), "rta: needs more than the 1048576 bytes of memory that --memory-limit allows\n"
        )

    @unittest.skipIf(SANITIZED, "sanitizers have a memory of their own")
    def test_memory_of_any_size(self):
        """A result, or status 2 and a sentence: no signal, no internal error."""
        with tempfile.TemporaryDirectory() as folder:
            for command in limited_commands(folder):
                for size in sizes(MEMORY_SIZES):
                    with self.subTest(command=command, size=size):
                        check_limited(self, rta(*command, "--memory-limit", str(size)))

    def wait_until_it_simulates(self, started):
        """Returns once the process that the limit is for has used .3 s of processor time: what comes before is some milliseconds."""
        while started.poll() is None:
            children = pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
            if children:
                fields = pathlib.Path(f"/proc/{children[0]}/stat").read_text().rpartition(")")[2].split()
                if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= 0.3:
                    return
            time.sleep(0.01)

    @unittest.skipIf(SANITIZED, "sanitizers have a memory of their own")
    def test_a_child_that_memory_ends_is_no_signal(self):
        # The limit is watched from outside: as where a library ends the program because it finds no memory.
        started = subprocess.Popen([PROGRAM, "simulate", EXAMPLE, "--duration", "1000000s", "--quiet", "--memory-limit", "1 GiB"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        child = None
        while child is None and started.poll() is None:
            children = pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
            child = int(children[0]) if children else None
        os.kill(child, signal.SIGSEGV)
        self.assertEqual((started.wait(TIME_LIMIT), started.stderr.read()), (2, "rta: needs more memory than --memory-limit allows\n"))
        started.stderr.close()

    @unittest.skipIf(SANITIZED, "sanitizers have a memory of their own")
    def test_signals_reach_what_memory_limits(self):
        started = subprocess.Popen([PROGRAM, "simulate", EXAMPLE, "--duration", "1000000s", "--quiet", "--memory-limit", "1 GiB"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.wait_until_it_simulates(started)
        started.send_signal(signal.SIGINT)  # ends the simulation with the statistics so far
        shown, _ = started.communicate(timeout=TIME_LIMIT)
        self.assertIn("camera", shown)
        started = subprocess.Popen([PROGRAM, "simulate", EXAMPLE, "--duration", "1000000s", "--quiet", "--memory-limit", "1 GiB"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_until_it_simulates(started)
        started.send_signal(signal.SIGQUIT)
        self.assertEqual(started.wait(TIME_LIMIT), -signal.SIGQUIT)

    @unittest.skipIf(SANITIZED, "sanitizers start threads of their own")
    def test_few_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = pathlib.Path(folder, EXAMPLE.name)
            copy.write_bytes(EXAMPLE.read_bytes())
            for command in limited_commands(folder):
                command = [copy.name if word == EXAMPLE else word for word in command]
                for processes in (1, 2, 3, 4):
                    with self.subTest(command=command, processes=processes):
                        run = rta_as_ordinary_user(folder, *command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (processes,) * 2))
                        check_limited(self, run)

    @unittest.skipIf(SANITIZED, "sanitizers start a process of their own at the end")
    def test_a_tool_that_cannot_be_started_is_not_called_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            run = rta_as_ordinary_user(folder, "record", "-o", "trace.jsonl", "--", "/bin/true", preexec_fn=alone)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertRegex(run.stderr, r"^rta: 'make' cannot be started: Resource temporarily unavailable\n")


class Times(unittest.TestCase):
    """Limits of time hold wherever a command is; measured in time of the processor, as others use the machine, too."""

    def seconds(self, *arguments, **options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = rta(*arguments, **options)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn(run.returncode, (0, 1, 2), run.stderr)
        return run, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    @unittest.skipIf(SANITIZED, "takes long under sanitizers")
    def test_many_jobs(self):
        # 8,001 jobs in a hyperperiod: first orders took 9 s.
        jobs = """platform: {gpu: {sms: 6, threads: 128, blocks: 1}}
tasks:
  - {name: a, on: gpu, B: 2, H: 64, L: 11 us, T: 1 ms}
  - {name: b, on: gpu, B: 2, H: 64, L: 11 us, T: 8 s}
"""
        for command in (("compile", "-", "--time-limit", "100ms"), ("analyze", "-", "--release", "static", "--time-limit", "0.1")):
            run, seconds = self.seconds(*command, "-o", os.devnull, "--format", "json", stdin=jobs)
            self.assertIn("note: a schedule of 8001 jobs is searched", run.stderr)
            if run.returncode != 0:  # a machine that does something else
                self.assertIn("the time limit was reached before a first order of its 8001 jobs was found", run.stderr)
            self.assertLess(seconds, 3)

    @unittest.skipIf(SANITIZED, "takes long under sanitizers")
    def test_what_helps_and_slack_share_one_limit(self):
        # The search for cuts takes much longer; D is missed, so that what helps would be looked for.
        text = many_dags(300, 20, "G-EDF").replace("D: 40000000 ns", "D: 1 ns", 1)
        run, seconds = self.seconds("analyze", "-", "-q", "--release", "segments", "--slack", "--time-limit", "0.5", "--format", "json", stdin=text)
        result = json.loads(run.stdout)
        self.assertEqual((result["remedies"]["ended_by"], result["remedies"]["tried"]), ("time", 0))
        self.assertEqual((result["slack"]["complete"], result["slack"]["nodes"]), (False, []))
        self.assertLess(seconds, 3)

    @unittest.skipIf(SANITIZED, "takes long under sanitizers")
    def test_more_jobs_than_fit(self):
        # 95,238 jobs that are all ready at once.
        tasks = "".join(f"  - {{name: t{i}, on: cpu, C: 1 us, T: {T} ms, D: 1 s}}\n" for i, T in enumerate([1] * 94 + [1000] * 2))
        run, seconds = self.seconds("compile", "-", "--time-limit", "100ms", "-o", os.devnull, "--format", "csv",
                                    stdin="platform: {cpu: {processors: 4}}\ntasks:\n" + tasks)
        self.assertIn("94002 jobs", run.stderr)
        self.assertLess(seconds, 6)


def many_dags(dags, nodes, scheduler):
    """In chains; 8 processors are half used."""
    text = f"platform: {{cpu: {{processors: 8, scheduler: {scheduler}}}}}\ndags:\n"
    for d in range(dags):
        T = 10_000_000 + 7_919 * d  # ns
        C = T * 4 // (dags * nodes)
        text += f"  - {{name: d{d}, T: {T} ns, D: {4 * T} ns, nodes: {{" + ", ".join(f"n{v}: {{on: cpu, C: {C + v} ns}}" for v in range(nodes))
        text += "}, edges: [" + ", ".join(f"n{v} -> n{v + 1}" for v in range(nodes - 1)) + "]}\n"
    return text


@unittest.skipIf(SANITIZED, "takes long under sanitizers")
class Interrupts(unittest.TestCase):
    """Ctrl-C ends each search within a second of the processor's time, wherever it is."""

    JOBS = "platform: {cpu: {processors: 4}}\ntasks:\n" + "".join(f"  - {{name: t{i}, on: cpu, C: 1 us, T: {1 + i % 4} ms, D: 1 s}}\n" for i in range(2000))

    def interrupted(self, delay, text, *arguments):
        """Status, output and messages after a SIGINT that comes so many seconds after the start."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "set.yaml")
            path.write_text(text)
            words = [PROGRAM, *(path if word == "SET" else word for word in arguments)]
            started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(delay)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if started.poll() is not None:
                self.skipTest("this machine was done before")
            spent = sum(map(int, pathlib.Path(f"/proc/{started.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
            started.send_signal(signal.SIGINT)
            shown, told = started.communicate(timeout=TIME_LIMIT)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - spent
        self.assertLess(seconds, 2 * 1.5, f"{arguments}: {seconds} s of the processor after the signal")  # of two threads, perhaps
        return started.returncode, shown, told

    def test_static_orders(self):
        for command in (("compile", "SET", "--time-limit", "1h"), ("analyze", "SET", "--release", "static", "--time-limit", "3600")):
            stopped = 0
            for delay in (0.3, 1, 3):
                with self.subTest(command=command, delay=delay):
                    status, shown, told = self.interrupted(delay, self.JOBS, *command)
                    if status == -signal.SIGINT:  # the search was over, and its result being written
                        continue
                    stopped += 1
                    if status == 2:
                        self.assertRegex(told, r"rta: hyperepoch '\w+': interrupted before a first order of its \d+ jobs was found\n$")
                    else:  # the best so far
                        self.assertIn(status, (0, 1), told)
                        self.assertTrue(shown)
            self.assertGreater(stopped, 0, command)

    def test_slack(self):
        for delay in (0.3, 2):
            with self.subTest(delay=delay):
                self.assertEqual(self.interrupted(delay, many_dags(300, 20, "G-EDF"), "analyze", "SET", "--slack"), (-signal.SIGINT, "", ""))

    def test_optimize(self):
        for delay in (0.1, 1, 4):
            with self.subTest(delay=delay):
                status, shown, told = self.interrupted(delay, many_dags(300, 20, "[G-EDF, FIFO, G-FL, FP]"), "optimize", "SET")
                if status == -signal.SIGINT:  # before the search began, or after its end
                    continue
                if status == 2:
                    self.assertEqual(told, "rta: interrupted before the best combination was analyzed\n")
                else:
                    self.assertIn(status, (0, 1), told)
                    self.assertIn("judged, then interrupted\n", shown)


def limited_commands(folder):
    """Six commands that need memory and threads of different libraries."""
    picture = pathlib.Path(folder, "p.svg")
    return [["analyze", EXAMPLE, "--format", "html"], ["analyze", EXAMPLE, "--release", "offsets", "--slack"],
            ["simulate", EXAMPLE, "--duration", "100ms", "--search-runs", "8"], ["compile", EXAMPLE, "--effort", "1"],
            ["draw", EXAMPLE, "-o", picture], ["sweep", ROOT / "tasksets/sweeps/fixed-priority.yaml", "--count", "2", "-q", "-o", pathlib.Path(folder, "s")]]


def sizes(count):
    """From 256 KiB up to 2 GiB; all 60 steps are a sixth apart."""
    return [int((256 << 10) * 1.165 ** (i * 60 // count)) for i in range(count)]


def check_limited(test, run):
    test.assertIn(run.returncode, (0, 1, 2), run.stderr)
    test.assertNotIn("internal error", run.stderr)
    if run.returncode == 2:
        test.assertRegex(run.stderr, r"(?m)^rta: ")


if __name__ == "__main__":
    unittest.main()
