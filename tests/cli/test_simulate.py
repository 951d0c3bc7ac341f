"""`rta simulate` as a user meets it."""

import csv
import fcntl
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TASK_SETS, on_terminal, one_test_each, rta

LITERATURE = ROOT / "tasksets" / "literature"
TWO = """platform:
  cpu: {processors: 1, scheduler: FIFO}
tasks:
  - {name: a, on: cpu, T: 50 ns, C: 20 ns}
  - {name: b, on: cpu, T: 100 ns, C: 40 ns}
"""


def simulated(*arguments, **options):
    run = rta("simulate", *arguments, "--format", "json", **options)
    return run, json.loads(run.stdout) if run.stdout else None


@one_test_each(TASK_SETS, lambda path: str(path.relative_to(ROOT / "tasksets")))
class TaskSets(unittest.TestCase):
    def check(self, path):
        """No shipped task set shows a response time above its bound; one whose demand is too high ends and says so."""
        run, result = simulated(path, "--duration", "200ms", "--random-phases", "--ties", "random", "--time-limit", "60s", "--quiet")
        if result is None:
            self.assertEqual(run.returncode, 2)
            self.assertIn("--release completion", run.stderr)
            return
        self.assertFalse([row for row in result["dags"] + result["nodes"] if row["above_bound"]])


class Simulate(unittest.TestCase):
    def test_text_names_the_bound_and_the_observed_maximum(self):
        run = rta("simulate", "-", "--duration", "10us", stdin=TWO)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith("every observed response time is within its bound"), run.stdout)
        for word in ("bound/max", "99 %", "a", "b"):
            self.assertIn(word, run.stdout)

    def test_worked_by_hand(self):
        """Synchronous FIFO: a ends after 20 and, behind b, after 30 of its 50; b after 60."""
        _, result = simulated("-", "--duration", "1us", stdin=TWO)
        self.assertEqual([row["observed_max_ns"] for row in result["dags"]], [30, 60])
        _, result = simulated("-", "--duration", "1us", "--phase", "a=1ns", stdin=TWO)
        self.assertEqual(result["dags"][0]["observed_max_ns"], 59)

    def test_chains_worked_by_hand(self):
        """a runs 0-20, 60-80, 100-120, ...; b runs 20-60, 120-160, ... An event just after 0 waits for a's read at 60 and b's end at 160."""
        chained = TWO + "chains:\n  - {name: c, stages: [a, b], reaction: 200 ns, age: 150 ns}\n"
        run, result = simulated("-", "--duration", "1us", stdin=chained)
        (chain,) = result["chains"]
        seen = {name: chain[f"observed_{name}_ns"] for name in ("reaction_time", "reduced_reaction_time", "data_age", "reduced_data_age")}
        self.assertEqual(seen, {"reaction_time": 160, "reduced_reaction_time": 100, "data_age": 160, "reduced_data_age": 60})
        self.assertEqual((run.returncode, chain["above_bound"], chain["missed_limit"]), (1, False, True))  # an age of 160 above 150
        self.assertEqual(result["verdict"], "deadline-missed")
        self.assertIn("LIMIT MISSED: 1 of 1 chains", result["summary"])
        for name, value in seen.items():
            self.assertLessEqual(value, chain[f"{name}_bound_ns"])
        text = rta("simulate", "-", "--duration", "1us", stdin=chained).stdout
        self.assertRegex(text, r"c +register +age +160 ns .* 150 ns +MISSED")
        rows = list(csv.DictReader(io.StringIO(rta("simulate", "-", "--duration", "1us", "--format", "csv", stdin=chained).stdout)))
        self.assertEqual([row["chain"] for row in rows], ["", "", "", "", "c"])
        self.assertEqual((rows[-1]["observed_data_age_ns"], rows[-1]["above_bound"], rows[-1]["missed_limit"]), ("160", "false", "true"))
        self.assertIn("Chains", rta("simulate", "-", "--duration", "1us", "--format", "html", stdin=chained).stdout)

    def test_late_releases_take_the_bounds_from_chains_without_t_max(self):
        chained = TWO + "chains:\n  - {name: c, stages: [a, b]}\n"
        run, result = simulated("-", "--duration", "1us", "--jitter", "50", stdin=chained)
        self.assertIsNone(result["chains"][0]["data_age_bound_ns"])
        self.assertIn("chain 'c': releases of 'a' are late and it has no T_max", run.stderr)
        apart = chained.replace("T: 50 ns", "T: 50 ns, T_max: 70 ns").replace("T: 100 ns", "T: 100 ns, T_max: 120 ns")
        run, result = simulated("-", "--duration", "1us", "--jitter", "50", stdin=apart)
        self.assertIsNotNone(result["chains"][0]["data_age_bound_ns"])
        self.assertFalse(result["chains"][0]["above_bound"])

    def test_csv_has_the_same_numbers_as_json(self):
        _, result = simulated(EXAMPLE, "--duration", "100ms")
        rows = list(csv.DictReader(io.StringIO(rta("simulate", EXAMPLE, "--duration", "100ms", "--format", "csv").stdout)))
        self.assertEqual([row["observed_max_ns"] for row in rows], [str(row["observed_max_ns"]) for row in result["dags"] + result["nodes"]])

    def test_same_seed_same_output(self):
        arguments = (EXAMPLE, "--duration", "100ms", "--execution", "uniform", "--placement", "random", "--ties", "random", "--random-phases")
        first = rta("simulate", *arguments, "--seed", "7").stdout
        self.assertEqual(first, rta("simulate", *arguments, "--seed", "7").stdout)
        self.assertNotEqual(first, rta("simulate", *arguments, "--seed", "8").stdout)

    def test_search_is_reproducible_and_at_least_as_bad(self):
        _, plain = simulated("-", "--duration", "1us", stdin=TWO)
        _, found = simulated("-", "--duration", "1us", "--search-runs", "200", stdin=TWO)
        _, again = simulated("-", "--duration", "1us", "--search-runs", "200", stdin=TWO)
        self.assertEqual(found, again)
        self.assertGreater(found["dags"][0]["observed_max_ns"], plain["dags"][0]["observed_max_ns"])
        self.assertEqual((found["simulation"]["simulations"], found["simulation"]["seed"]), (200, 1))

    def test_search_for_a_time(self):
        run = rta("simulate", EXAMPLE, "--search", "1s")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(" simulations, long ones of ", run.stdout)
        self.assertEqual(run.stderr, "")

    def test_a_terminal_shows_the_search(self):
        arguments = ["simulate", EXAMPLE, "--search", "2s"]
        status, shown = on_terminal(PROGRAM, arguments)
        self.assertEqual(status, 0, shown)
        self.assertGreater(len(re.findall(r"\r\x1b\[K\d+ simulations, worst end to end [\d.]+ ms", shown)), 1, shown)
        self.assertRegex(shown, r"ms\r\x1b\[Kevery observed")  # the line goes, then the result
        self.assertNotIn("worst end to end", on_terminal(PROGRAM, [*arguments, "--quiet"])[1])

    def test_overload_is_said(self):
        text = TWO.replace("C: 40 ns", "C: 400 ns")
        run, result = simulated("-", "--duration", "1s", "--quiet", stdin=text)
        self.assertEqual(run.returncode, 1)
        self.assertIn("overload", result["simulation"]["end"])

    def largest(self, name, *arguments):
        run, result = simulated(LITERATURE / name, "--quiet", *arguments)
        self.assertIsNotNone(result, run.stderr)
        return {row["dag"]: row["observed_max_ns"] for row in result["dags"]}

    def test_theorems_4_1_and_4_2_grow_without_bound(self):
        for name, arguments in [
            ("theorem-4.1.yaml", ("--phase", "tau2=900us", "--phase", "tau3=900us")),
            ("theorem-4.2.yaml", ("--placement", "most-free")),
            ("theorem-4.2.yaml", ("--placement", "round-robin")),
        ]:
            with self.subTest(name, arguments=arguments):
                short, long = (self.largest(name, "--duration", duration, *arguments)["tau1"] for duration in ("20s", "80s"))
                self.assertGreater(long, 3 * short)

    def test_theorem_4_1_with_a_stream_per_job_stays_bounded(self):
        phases = ("--phase", "tau2=900us", "--phase", "tau3=900us")
        for duration in ("20s", "80s"):
            self.assertEqual(self.largest("theorem-4.1-per-job.yaml", "--duration", duration, *phases)["tau1"], 1_100_000)

    def test_streams_per_job_do_not_undo_sequential(self):
        run = rta("simulate", LITERATURE / "theorem-4.1.yaml", "--duration", "5ms", "--streams", "per-job")
        self.assertIn("warning: --streams per-job: 3 nodes are `sequential` in the file, and each of their jobs still waits for the one before\n",
                      run.stderr)
        for arguments in (("theorem-4.1.yaml",), ("theorem-4.1-per-job.yaml", "--streams", "per-job"), ("theorem-4.1.yaml", "--streams", "per-task")):
            self.assertNotIn("--streams per-job:", rta("simulate", LITERATURE / arguments[0], "--duration", "5ms", *arguments[1:]).stderr)

    def test_theorem_4_2_at_capacity_stays_bounded(self):
        short, long = (self.largest("theorem-4.2-at-capacity.yaml", "--duration", duration) for duration in ("20s", "80s"))
        self.assertEqual(short, long)

    def test_example_4_4_more_threads_make_tau3_slower(self):
        for m, response in (("2016", 2_000), ("2048", 5_000)):
            seen = self.largest(f"example-4.4-m{m}.yaml", "--duration", "3us", "--phase", "tau2=1us", "--phase", "tau3=2us", "--placement", "first-fit")
            self.assertEqual(seen["tau3"], response)

    def test_streams_per_task_have_no_bound(self):
        run, result = simulated(EXAMPLE, "--duration", "100ms", "--streams", "per-task")
        self.assertIn("a stream per job", run.stderr)
        self.assertFalse([row for row in result["dags"] + result["nodes"] if row["response_bound_ns"] is not None])

    def test_ctrl_c_ends_with_the_statistics_so_far(self):
        with subprocess.Popen([PROGRAM, "simulate", EXAMPLE, "--duration", "999999 s", "--format", "json"], stdout=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        result = json.loads(out)
        self.assertIn("interrupted", result["simulation"]["end"])
        self.assertGreater(result["dags"][0]["jobs"], 0)

    def test_wrong_options(self):
        for arguments, message in [
            (("--duration", "5"), "a time is expected"),
            (("--duration", "99999999999999999999999s"), "whole ns, at most 36 years"),
            (("--duration", "9000000000s"), "whole ns, at most 36 years"),
            (("--duration", "0.1ns"), "(ns, us, ms, s, m or h), whole ns"),
            (("--execution", "200"), "--execution '200': worst, uniform, declared, a percentage from 0 to 100"),
            (("--execution", "60-100-110"), "--execution '60-100-110': worst"),
            (("--execution", "-1"), "--execution '-1': worst"),
            (("--execution", "60-"), "--execution '60-': worst"),
            (("--execution", "80-60"), "the lesser first"),
            (("--execution", "fast"), "e.g. 60 or 60-100"),
            (("--jitter", "1001"), "--jitter '1001': a percentage from 0 to 1000 is expected, with at most four places"),
            (("--jitter", "0.00001"), "at most four places"),
            (("--search-runs", "0"), "--search-runs '0': must be a whole number within 1 .. "),
            (("--placement", "best"), "no such value"),
            (("--phase", "zebra=1ms"), "no DAG 'zebra'"),
            (("--phase", "camera=9000000000s"), "--phase 'camera=9000000000s': a time is expected"),
            (("--phase", "camera=1ms", "--phase", "camera=2ms"), "--phase 'camera=2ms': 'camera' already has a phase"),
            (("--node-execution", "camera/zebra=5"), "no node 'camera/zebra'"),
            (("--node-execution", "camera/resize"), "DAG/NODE=PERCENT is expected"),
            (("--node-execution", "camera/resize=80-60"), "DAG/NODE=PERCENT is expected"),
            (("--node-execution", "camera/resize=5", "--execution", "declared"), "do not go together"),
            (("--phase", "camera=1ms", "--random-phases"), "--phase and --random-phases do not go together"),
            (("--trace-level", "job"), "--trace-level needs --trace"),
            (("--seed", "-1"), "whole number"),
            (("--trace", "x.txt"), ".jsonl"),
            (("--window", "5ms"), "FROM-TO"),
            (("--non-preemptive", "--release", "early"), "--release completion"),
        ]:
            with self.subTest(arguments):
                run = rta("simulate", EXAMPLE, *arguments, *(("--format", "html") if "--window" in arguments else ()))
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)
                self.assertEqual(run.stdout, "")

    def test_a_search_refuses_what_it_would_ignore(self):
        for option in ("--execution 10", "--random-phases", "--phase camera=1ms", "--jitter 5", "--placement random", "--ties random",
                       "--node-execution camera/resize=5"):
            for search in (("--search", "1s"), ("--search-runs", "5")):
                with self.subTest(option, search=search):
                    run = rta("simulate", EXAMPLE, *search, *option.split())
                    self.assertEqual((run.returncode, run.stdout), (2, ""))
                    self.assertIn(f"{option.split()[0]} and {search[0]} do not go together", run.stderr)

    def test_a_search_ends_at_the_time_limit(self):
        run = rta("simulate", "-", "--search", "5m", "--time-limit", "0.2s", stdin=TWO)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("time limit: the worst found so far", run.stdout)

    def test_the_worst_run_shows_what_the_search_found(self):
        _, found = simulated("-", "--search-runs", "1", "--duration", "1us", stdin=TWO)
        arguments = found["simulation"]["worst run"].split()
        _, again = simulated("-", *arguments, stdin=TWO)
        self.assertEqual([row["observed_max_ns"] for row in again["dags"]], [row["observed_max_ns"] for row in found["dags"]])

    def test_the_size_of_a_large_trace_is_told(self):
        """28 jobs of each of 6 cameras: about 0.7 MB a job at level block, 0.024 MB at level job."""
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "t.jsonl")
            arguments = ("simulate", LITERATURE / "hog-like.yaml", "--release", "completion", "--duration", "900ms", "--trace", trace)
            told = re.search(r"warning: the trace at level block will have about (\d+) MB; --trace-level job has about (\d+) MB", rta(*arguments).stderr)
            self.assertLess(abs(trace.stat().st_size / 1e6 / int(told[1]) - 1), 0.25)
            less = rta(*arguments, "--trace-level", "job")
            self.assertEqual(less.stderr, "")
            self.assertLess(abs(trace.stat().st_size / 1e6 / int(told[2]) - 1), 0.5)

    def test_a_replay_shows_what_the_search_found(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "two.yaml").write_text(TWO)
            for path, runs, says in ((EXAMPLE, 1, "duration:"), (folder / "two.yaml", 300, "jobs:")):  # a long run, and fixed jobs
                with self.subTest(path):
                    run, found = simulated(path, "--release", "completion", "--search-runs", str(runs), "--search-out", folder / "run.yaml")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertIn(says, (folder / "run.yaml").read_text())
                    again, shown = simulated(path, "--replay", folder / "run.yaml", "--trace", folder / "worst.jsonl")
                    self.assertEqual((again.returncode, again.stderr), (0, ""))
                    self.assertIn("as the file says", shown["simulation"]["replay"])
                    self.assertEqual(shown["simulation"]["release"], "completion")
                    worst = max(row["observed_max_ns"] for row in found["dags"])
                    self.assertEqual(max(row["observed_max_ns"] for row in shown["dags"]), worst)
                    self.assertEqual(rta("compare", folder / "worst.jsonl", path).returncode, 0)
                    page = rta("simulate", path, "--replay", folder / "run.yaml", "--format", "html")
                    self.assertIn("Timeline", page.stdout)

    def test_blocks_share_the_time_of_their_kernel_evenly_or_the_first_are_long(self):
        # Two of k's three blocks fit: [0, 5) and [5, 10), so that q starts at 5 and ends at 6; the first two for 10, and it starts there.
        text = ("platform: {gpu: {sms: 1, threads: 2048, blocks: 32}}\ntasks:\n  - {name: k, on: gpu, B: 3, H: 1024, time: 10 us, T: 1 ms}\n"
                "  - {name: q, on: gpu, B: 1, H: 1024, L: 1 us, T: 1 ms}\n")

        def responses(*arguments, **options):
            run, result = simulated(*arguments, "-q", **options)
            self.assertEqual(run.returncode, 0, run.stderr)
            return {dag["dag"]: dag["observed_max_ns"] for dag in result["dags"]}

        self.assertEqual(responses("-", "--duration", "1ms", stdin=text), {"k": 10_000, "q": 6_000})
        self.assertEqual(responses("-", "--duration", "1ms", "--block-times", "long-first", stdin=text), {"k": 10_000, "q": 11_000})
        with tempfile.TemporaryDirectory() as folder:
            path, run = pathlib.Path(folder, "k.yaml"), pathlib.Path(folder, "run.yaml")
            path.write_text(text)
            self.assertEqual(responses(path, "--search-runs", "400", "--search-out", run)["q"], 11_000)
            self.assertIn("block_times: long-first\n", run.read_text())
            self.assertEqual(max(responses(path, "--replay", run).values()), 11_000)
            refused = rta("simulate", path, "--replay", run, "--block-times", "long-first")
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            self.assertIn("--replay do not go together", refused.stderr)

    def test_a_replay_of_another_task_set_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.yaml")
            rta("simulate", "-", "--search-runs", "50", "--search-out", file, stdin=TWO)
            run, result = simulated("-", "--replay", file, stdin=TWO.replace("C: 40 ns", "C: 39 ns"))
            self.assertEqual(run.returncode, 1)
            self.assertIn("found for another version of the task set", run.stderr)
            self.assertIn("which is not what was seen", result["simulation"]["replay"])

    def test_a_replay_refuses_what_the_file_fixes(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "run.yaml")
            rta("simulate", "-", "--search-runs", "50", "--search-out", file, stdin=TWO)
            for option in ("--seed 2", "--duration 1s", "--release completion", "--search-runs 5", "--placement random"):
                run = rta("simulate", "-", "--replay", file, *option.split(), stdin=TWO)
                self.assertEqual((run.returncode, run.stdout), (2, ""), option)
                self.assertIn("--replay do not go together", run.stderr)
            file.write_text(file.read_text().replace("release: ", "release: never-", 1))
            run = rta("simulate", "-", "--replay", file, stdin=TWO)
            self.assertEqual(run.returncode, 2)
            self.assertIn("never-", run.stderr)
            run = rta("simulate", "-", "--search-out", file, stdin=TWO)
            self.assertEqual(run.returncode, 2)
            self.assertIn("--search-out needs --search", run.stderr)

    def test_nothing_observed_is_said(self):
        for arguments in (("--duration", "0s"), ("--time-limit", "0s"), ("--search", "0h")):
            run = rta("simulate", "-", *arguments, stdin=TWO)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(run.stdout.startswith("nothing was observed: no job ended\n"), run.stdout)

    def test_more_demand_than_the_processor_has_is_said(self):
        run = rta("simulate", "-", "--duration", "1us", stdin=TWO.replace("C: 40 ns", "C: 90 ns"))
        self.assertIn("warning: no bound on offsets: U = ", run.stderr)


class Memory(unittest.TestCase):
    """The memory does not grow with the simulated time."""

    def jobs_and_peak(self, *arguments):
        """The simulated jobs and the largest resident size in bytes, read while the program still writes its result to a pipe that is full."""
        # A sanitizer keeps what was freed.
        environment = {**os.environ, "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:quarantine_size_mb=1"}
        command = [PROGRAM, "simulate", ROOT / "tasksets/examples/cameras.yaml", "--format", "json", *arguments]
        reading, writing = os.pipe()
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)  # less than the result
        with open(reading, "rb", buffering=0) as pipe, subprocess.Popen(command, stdout=writing, env=environment) as process:
            os.close(writing)
            first = pipe.read(1)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            result = json.loads(first + pipe.read())
        self.assertEqual(process.returncode, 0)
        return sum(row["jobs"] for row in result["nodes"]), int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]) * 1024

    def check(self, short, long, *arguments):
        jobs, peak = self.jobs_and_peak("--duration", short, *arguments)
        more_jobs, later_peak = self.jobs_and_peak("--duration", long, *arguments)
        self.assertGreater(more_jobs, 9 * jobs)
        self.assertLess(later_peak - peak, 8 << 20)  # what threads hold at a time differs by some MiB

    def test_of_statistics(self):
        self.check("10s", "3000s")  # 1,600,000 jobs of nodes

    def test_of_traces(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check("500ms", "20s", "--trace", f"{folder}/t.jsonl", "--trace", f"{folder}/t.json")  # 365,000 records


if __name__ == "__main__":
    unittest.main()
