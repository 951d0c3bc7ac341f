"""rta generate, rta sweep: reproducible sets, sweeps that survive kill -9, shards, full disks."""

import os
import random
import resource
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ROOT, on_terminal, one_test_each, rta, rta_as_ordinary_user
from sweep_folder import SPEC, Folder


class Generate(Folder):
    def test_a_refused_number_says_what_can_be_written(self):
        run = rta("generate", self.spec(text=SPEC.replace("dags: 4", "dags: 0")), "--point", 0)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"random\.dags: must be a number or a range `low \.\. high` within 1 \.\. \d+\n")
        self.assertEqual(rta("generate", self.spec(text=SPEC.replace("dags: 4", "dags: 1 .. 2")), "--point", 0).returncode, 0)

    def test_a_set_depends_on_its_number_alone(self):
        one = rta("generate", self.spec(), "--point", 2, "--first", 5)
        self.assertEqual(one.returncode, 0, one.stderr)
        many = rta("generate", self.spec(), "--point", 2, "--count", 8, "-o", self.folder / "sets")
        self.assertEqual(many.returncode, 0, many.stderr)
        self.assertEqual(sorted(p.name for p in (self.folder / "sets").iterdir()), [f"set-{i:06}.yaml" for i in range(8)])
        self.assertEqual((self.folder / "sets/set-000005.yaml").read_text(), one.stdout)
        self.assertNotEqual((self.folder / "sets/set-000004.yaml").read_text(), one.stdout)
        self.assertNotEqual(rta("generate", self.spec(), "--point", 2, "--first", 5, "--seed", 12).stdout, one.stdout)

    def test_generated_sets_can_be_analysed_as_the_sweep_did(self):
        out = self.folder / "out"
        self.assertEqual(rta("sweep", self.spec(5), "-o", out, "--quiet").returncode, 0)
        rows = [line.split(",") for line in (out / "results.csv").read_text().splitlines()[1:]]
        for point, number, name, verdict, *_ in rows:
            text = rta("generate", self.spec(5), "--point", point, "--first", number).stdout
            analysis = rta("analyze", "-", "--cpu-bound", "T1", "--gpu-bound", name, "--refine", "none", "--format", "json", stdin=text)
            self.assertIn(f'"verdict": "{verdict}"', analysis.stdout)

    def test_groups_do_not_pay_for_a_split(self):
        spec = ROOT / "tasksets/sweeps/split.yaml"
        texts = [rta("generate", spec, "--point", 6, "--granularity", grain).stdout for grain in ("fine", "coarse", "monolithic")]
        self.assertEqual(len(set(texts)), 3)  # point 6: 500 us, and a quarter of the groups
        self.assertEqual(rta("generate", spec, "--point", 6).stdout, texts[0])
        run = rta("generate", spec, "--point", 6, "--granularity", "course")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--granularity 'course': no such value (allowed: fine, coarse, monolithic)", run.stderr)

    def test_dags_on_threads_are_those_of_the_sweep(self):
        analyses = "  analyses:\n    - {name: threads, threads: 1}\n    - {name: two, threads: 2}\n"
        text = (ROOT / "tasksets/sweeps/granularity.yaml").read_text()
        spec, out = self.folder / "threads.yaml", self.folder / "on-threads"
        spec.write_text(text[:text.index("  analyses:")] + analyses)
        self.assertEqual(rta("sweep", spec, "--count", 2, "-o", out, "-q").returncode, 0)
        rows = [line.split(",") for line in (out / "results.csv").read_text().splitlines()[1:]]
        self.assertEqual({row[3] for row in rows}, {"schedulable", "unbounded"})
        proof = self.folder / "proof"
        for point, number, name, verdict, *_ in rows[:24]:
            made = self.folder / "made.yaml"
            made.write_text(rta("generate", spec, "--point", point, "--first", number, "--threads", 1 if name == "threads" else 2).stdout)
            run = rta("analyze", made, "--format", "json", "--certificate", proof)
            self.assertIn(f'"verdict": "{verdict}"', run.stdout)
            if verdict != "schedulable": continue
            check = rta(made, proof, program=PROGRAM.with_name("rta-check"))
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_monolithic_programs_carry_a_load(self):
        text = (ROOT / "tasksets/sweeps/granularity.yaml").read_text()
        spec, out = self.folder / "load.yaml", self.folder / "load"
        start = text.index("[0.5 %")
        spec.write_text(text[:start] + "[5 %, 10 %]" + text[text.index("]", start) + 1:])
        self.assertEqual(rta("sweep", spec, "--count", 20, "-o", out, "-q").returncode, 0)
        accepted = dict.fromkeys("01", 0)
        for line in (out / "results.csv").read_text().splitlines()[1:]:
            point, _, name, verdict, *_ = line.split(",")
            accepted[point] += name == "monolithic" and verdict == "schedulable"
        self.assertEqual(accepted, {"0": 20, "1": 19})

    def test_threads_are_refused_beside(self):
        out = self.folder / "refused"
        spec = self.folder / "sequential.yaml"
        text = (ROOT / "tasksets/sweeps/granularity.yaml").read_text()
        spec.write_text(text.replace("cpu: {utilization: 12 %,", "cpu: {utilization: 12 %, sequential: true,"))
        run = rta("sweep", spec, "--count", 1, "-o", out)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"sequential\.yaml:\d+:\d+: threads: nodes of threads are not `sequential`, as those of `random` are\n")
        spec.write_text(spec.read_text()[:spec.read_text().index("  analyses:")])
        run = rta("generate", spec, "--point", 0, "--threads", 1)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--threads: nodes of threads are not `sequential`", run.stderr)
        run = rta("generate", self.spec(), "--point", 0, "--threads", 1, "--granularity", "coarse")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("each thread plays a whole DAG", run.stderr)

    def test_misuse(self):
        for arguments in (["--count", 2], ["--count", 0], ["--point", 4], ["--point", -1], [], ["--first", 2**64 - 1, "--count", 2]):
            with self.subTest(arguments=arguments):
                run = rta("generate", self.spec(), *arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertTrue(run.stderr.startswith("rta: "), run.stderr)


class Sweep(Folder):
    def test_any_number_of_threads_gives_the_same_bytes(self):
        for jobs in (1, 2, 5):
            run = rta("sweep", self.spec(), "-o", self.folder / f"jobs{jobs}", "--jobs", jobs)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("20 %", run.stdout)
            self.assertEqual(run.stderr, "")
            self.assertEqual(self.tables(f"jobs{jobs}"), self.tables("jobs1"))

    def test_killed_20_times_at_random_moments(self):
        spec = self.spec(6000)
        whole = rta("sweep", spec, "-o", self.folder / "whole", "--quiet")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        choose = random.Random(1)
        out = self.folder / "killed"
        part = out / "results.csv.part"
        kills = 0
        # Each process lives until the table has grown by a random number of bytes (or a random time when it is fast).
        for _ in range(20):
            process = subprocess.Popen([PROGRAM, "sweep", spec, "-o", out, "--quiet", "--jobs", str(choose.randint(1, 3))])
            size = part.stat().st_size if part.exists() else 0
            growth = choose.randint(0, 60_000)
            deadline = time.monotonic() + 20
            while process.poll() is None and time.monotonic() < deadline:
                if part.exists() and part.stat().st_size >= size + growth:
                    break
                time.sleep(0.0005)
            time.sleep(choose.random() * 0.002)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.wait()
        self.assertEqual(kills, 20)
        last = rta("sweep", spec, "-o", out, "--quiet")
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertEqual(self.tables("killed"), self.tables("whole"))
        self.assertFalse((out / "journal").exists())

    def test_a_signal_ends_it_cleanly_and_it_goes_on(self):
        spec = self.spec(4000)
        process = subprocess.Popen([PROGRAM, "sweep", spec, "-o", self.folder / "out", "--quiet"], stderr=subprocess.PIPE)
        part = self.folder / "out/results.csv.part"
        while process.poll() is None and not (part.exists() and part.stat().st_size > 5000):
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        stderr = process.communicate()[1].decode()
        self.assertEqual((process.returncode, stderr), (1, "rta: stopped; the same command goes on where it stopped\n"))
        self.assertEqual(rta("sweep", spec, "-o", self.folder / "out", "--quiet").returncode, 0)
        rta("sweep", spec, "-o", self.folder / "whole", "--quiet")
        self.assertEqual(self.tables("out"), self.tables("whole"))

    def test_a_folder_is_extended_by_sets_and_analyses(self):
        added = "    - {name: T1, cpu_bound: T1, scheduler: FIFO, refine: none}\n"
        out = self.folder / "out"
        self.assertEqual(rta("sweep", self.spec(30), "-o", out, "--quiet").returncode, 0)
        for spec, count in ((SPEC, 100), (SPEC.replace("    - {name: T6a", added + "    - {name: T6a"), 130)):
            run = rta("sweep", self.spec(30, spec), "-o", out, "--count", count, "--quiet")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(rta("sweep", self.spec(30, spec), "-o", self.folder / "whole", "--count", 130, "--quiet").returncode, 0)
        self.assertEqual(self.tables("out"), self.tables("whole"))
        self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(self.folder / "whole")))
        refused = rta("sweep", self.spec(130), "-o", out)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("holds another sweep: analysis T1 is there and missing here;", refused.stderr)

    def test_shards_and_merge(self):
        spec = self.spec(150)
        rta("sweep", spec, "-o", self.folder / "whole", "--quiet")
        for i in (2, 3, 1):
            run = rta("sweep", spec, "-o", self.folder / "out", "--shard", f"{i}/3")
            self.assertEqual((run.returncode, run.stdout), (0, ""))
        self.assertEqual(rta("sweep", spec, "-o", self.folder / "out", "--merge").returncode, 0)
        self.assertEqual(self.tables("out"), self.tables("whole"))

    def test_a_full_disk_is_an_error_and_the_sweep_goes_on_later(self):
        spec = self.spec(500)

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

        full = rta("sweep", spec, "-o", self.folder / "out", "--quiet", preexec_fn=small_files)
        self.assertEqual((full.returncode, full.stdout), (2, ""))
        self.assertIn("results.csv.part: File too large", full.stderr)
        self.assertIn("the same command goes on", full.stderr)
        again = rta("sweep", spec, "-o", self.folder / "out", "--quiet")
        self.assertEqual(again.returncode, 0, again.stderr)
        rta("sweep", spec, "-o", self.folder / "whole", "--quiet")
        self.assertEqual(self.tables("out"), self.tables("whole"))

    def test_a_folder_without_permission(self):
        spec = self.spec(2)
        spec.chmod(0o644)
        theirs = self.folder / "theirs"
        theirs.mkdir()
        self.folder.chmod(0o755)
        theirs.chmod(0o555)

        def sweep(*arguments):
            return rta_as_ordinary_user(theirs, "sweep", spec, "-o", *arguments)

        # Nothing was computed that could be kept.
        for arguments, message in (
            (["new"], "rta: filesystem error: cannot create directories: Permission denied [new]\n"),
            (["new", "--slurm", 2], f"rta: filesystem error: cannot create directories: Permission denied [{theirs}/new/slurm]\n"),
            (["."], "rta: ./.lock: Permission denied\n"),
        ):
            with self.subTest(arguments=arguments):
                run = sweep(*arguments)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (2, "", message))
        self.assertEqual(os.listdir(theirs), [])
        theirs.chmod(0o755)
        self.assertEqual(sweep("new", "--quiet").returncode, 0)

    def test_errors(self):
        spec = self.spec(10)
        (self.folder / "file").write_text("")
        rta("sweep", spec, "-o", self.folder / "other", "--quiet")
        cases = {
            "a sweep needs a folder": [],
            "Not a directory": ["-o", self.folder / "file/out"],
            "holds another sweep: sets is 10 there and 9 here;": ["-o", self.folder / "other", "--count", "9"],
            "holds another sweep: seed is": ["-o", self.folder / "other", "--seed", "77"],
            "--shard '0/3'": ["-o", self.folder / "x", "--shard", "0/3"],
            "--shard '1/3x'": ["-o", self.folder / "x", "--shard", "1/3x"],
            "exclude each other": ["-o", self.folder / "x", "--shard", "1/3", "--merge"],
            "has no shards": ["-o", self.folder / "x", "--merge"],
            "--jobs '0': must be": ["-o", self.folder / "x", "--jobs", "0"],
            "--count '0': must be": ["-o", self.folder / "x", "--count", "0"],
        }
        for message, arguments in cases.items():
            with self.subTest(arguments=arguments):
                run = rta("sweep", spec, *arguments)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(message, run.stderr)

    def test_an_unreachable_point_is_named_before_any_work(self):
        text = SPEC.replace("cpu: {utilization: 30 %}", "cpu: {utilization: 30 %, largest: 0.25}").replace(
            "random.gpu.utilization: {from", "random.cpu.utilization: [10 %, 90 %]\n    random.gpu.utilization: {from")
        run = rta("sweep", self.spec(10, text), "-o", self.folder / "out")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertRegex(run.stderr, r"spec\.yaml:17:36: random\.cpu\.utilization: out of reach: 7\.2 asked")
        self.assertFalse((self.folder / "out").exists())

    def test_a_terminal_shows_progress_rate_and_time_left(self):
        endless = ["sweep", self.spec(1_000_000), "-o", self.folder / "out"]
        line = r"\[#*\.+\] +\d+ %  [1-9]\d* of 4000000 sets  [1-9]\d*/s  \d+:\d\d:\d\d left"
        _, shown = on_terminal(PROGRAM, endless, until=line)
        self.assertIn(f"[{'.' * 30}]   0 %  0 of 4000000 sets", shown)
        self.assertRegex(shown, line)
        self.assertTrue(shown.endswith(" left\r\x1b[Krta: stopped; the same command goes on where it stopped\r\n"), shown[-300:])  # the line goes
        quiet = ["sweep", self.spec(10), "-o", self.folder / "quiet", "--quiet"]
        self.assertEqual(on_terminal(PROGRAM, quiet), (0, ""))

    def test_damaged_results_are_told_by_their_line(self):
        out = self.folder / "out"
        self.assertEqual(rta("sweep", self.spec(3), "-o", out, "--quiet").returncode, 0)
        results = out / "results.csv"
        lines = results.read_text().splitlines(keepends=True)
        results.write_text("".join([*lines[:2], "nonsense\n", *lines[3:]]))
        run = rta("sweep", self.spec(3), "-o", out, "--quiet")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("results.csv:3: no row of results: 'nonsense'; remove the file and run the sweep again\n", run.stderr)

    def test_timing_adds_a_column(self):
        run = rta("sweep", self.spec(3), "-o", self.folder / "out", "--timing", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = (self.folder / "out/results.csv").read_text().splitlines()
        self.assertTrue(lines[0].endswith(",time_ns"))
        self.assertGreater(int(lines[1].split(",")[-1]), 0)

    def test_slurm_scripts_run_shards_and_merge(self):
        spec = self.spec(100)
        out = self.folder / "100 %a folder"
        written = rta("sweep", spec, "-o", out, "--slurm", 3, "--slurm-option=--partition=long run", "--no-submit", "--quiet")
        self.assertEqual(written.returncode, 0, written.stderr)
        submit = (out / "slurm/submit.sh").read_text()
        self.assertIn("--array=1-3 '--partition=long run'", submit)
        self.assertIn("--output='" + str(out).replace("%", "%%") + "/slurm/shard-%a.log'", submit)
        # A stand-in for sbatch runs each job at once; tests/slurm.sh has the real one.
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "sbatch").write_text(
            '#!/bin/sh\nfor last; do :; done\ncase "$*" in\n  *--array=1-3*) for i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i sh "$last" >&2 || exit 1; done;'
            '\n    echo "17;cluster" ;;\n  *--dependency=afterok:17\\ *) sh "$last" >&2 || exit 1; echo 18 ;;\n  *) exit 1 ;;\nesac\n')
        (tools / "sbatch").chmod(0o755)
        run = subprocess.run(["sh", out / "slurm/submit.sh"], capture_output=True, text=True,
                             env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        self.assertEqual((run.returncode, run.stdout), (0, "shards: job 17, merge: job 18\n"), run.stderr)
        rta("sweep", spec, "-o", self.folder / "whole", "--quiet")
        refused = rta("sweep", spec, "-o", self.folder / "back\\slash", "--slurm", 3, "--no-submit", "--quiet")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("Slurm numbers no logs in a folder whose name has a backslash", refused.stderr)
        self.assertEqual(self.tables("100 %a folder"), self.tables("whole"))


@one_test_each(sorted((ROOT / "tasksets/sweeps").glob("*.yaml")), lambda path: path.stem)
class ReadyMade(Folder):
    def check(self, path):
        # Of a large grid a shard will do.
        large = path.stem == "hard-deadlines"
        run = rta("sweep", path, "-o", self.folder / "out", "--count", 2, *(["--shard", "1/10"] if large else []))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        results = self.folder / "out" / ("shard-1-of-10" if large else "") / "results.csv"
        header, *rows = [line.split(",") for line in results.read_text().splitlines()]
        verdict = header.index("verdict")
        self.assertTrue(any(row[verdict] != "unbounded" for row in rows))
        self.assertEqual(sum(row[verdict] == "none" for row in rows), 0)


if __name__ == "__main__":
    unittest.main()
