"""The command line itself: help, usage errors, formats, output files."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TASK_SETS, TIME_LIMIT, one_test_each, rta, rta_as_ordinary_user, without_evidence

USAGE_ERRORS = {
    # arguments -> what the message must name
    (): "Usage",
    ("analyse",): "analyse",
    ("analyze",): "FILE",
    ("analyze", "{example}", "--set", "cpu.processors"): "is no setting: PLACE=VALUE",
    ("simulate", "{example}", "{example}"): "unexpected argument",
    ("analyze", "{example}", "--colour"): "colour",
    ("analyze", "{example}", "--form", "json"): "--form",  # no prefixes
    ("analyze", "{example}", "--verb"): "--verb",
    ("analyze", "{example}", "-x"): "-x",
    ("analyze", "{example}", "--format", "yaml"): "yaml",
    ("analyze", "{example}", "--format"): "--format",
    ("analyze", "{example}", "--format", "json", "--format", "csv"): "format",
    ("analyze", "{example}", "--scheduler", "EDF"): "G-EDF",
    ("analyze", "{example}", "--scheduler", "g-edf"): "G-EDF",
    ("analyze", "{example}", "--objective", "min"): "max-lateness",
    ("analyze", "{example}", "--granularity", "medium"): "monolithic",
    ("analyze", "{example}", "--release", "never"): "no such value (allowed: offsets, early, completion, segments, best, static)",
    ("simulate", "{example}", "--granularity", "medium"): "monolithic",
    ("simulate", "{example}", "--granularity", "coarse", "--release", "completion"): "are released at offsets",
    ("analyze", "{example}", "--explain", "no-such-node"): "no-such-node",
    ("convert", "{example}", "--format", "json"): "unrecognised option '--format': --to FORMAT says what it writes (yaml, json, dot, sag, stm or callback-isolated)",
    ("convert", "{example}", "--evidence"): "the first lines of what it writes say what that was made of",
    ("calibrate", "t.jsonl", "{example}", "--format", "json"): "it writes the task set, schedule or graph that it has read",
    ("calibrate", "t.jsonl", "{example}", "--evidence"): "the first lines of what it writes say",
    ("generate", "{example}", "--format", "json"): "it writes task sets (YAML)",
    ("generate", "{example}", "--evidence"): "the first lines of what it writes say",
    ("plot", "folder", "--format", "svg"): "the name of -o FILE says what it writes (.pdf, .svg, .png, .gp or .html)",
    ("plot", "folder", "--evidence"): "its pages (.html) always have it",
    ("analyze", "{example}", "--output", "result"): "result",
    ("analyze", "{example}", "--output", "result.svg"): "result.svg",
    ("analyze", "{example}", "--release", "completion", "--cpu-bound", "T1"): "--release completion and --cpu-bound do not go together",
    ("analyze", "{example}", "--release", "segments", "--gpu-bound", "T5"): "--release segments and --gpu-bound do not go together",
    ("analyze", "{example}", "--release", "completion", "--shared-weights"): "--shared-weights do not go together",
    ("analyze", "{example}", "--path-bound", "T10d"): "--path-bound 'T10d': no such value (allowed: best, T10n, T10v, T10g)",
    ("analyze", "{example}", "--path-bound", "T10n", "--fitting"): "--fitting and --path-bound T10n do not go together",
    ("analyze", "{example}", "--path-bound", "T10n", "--refine", "all"): "(--granularity, --cpu-bound, --gpu-bound, ...) and --path-bound do not go together",
    ("analyze", "{example}", "--release", "segments", "--path-bound", "T10n"): "--release segments and --path-bound do not go together",
    ("analyze", "{example}", "--release", "offsets", "--optimize", "priorities"): "--release offsets and --optimize do not go together",
    ("analyze", "{example}", "--release", "offsets", "--priorities", "node"): "--release offsets and --priorities do not go together",
    ("analyze", "{example}", "--cpu-bound", "T1", "--optimize", "priorities"): "and --optimize do not go together",
    ("analyze", "{example}", "--objective", "sum", "--optimize", "priorities"): "and --objective sum do not go together",
    ("sweep", "none.yaml", "-o", "out", "--no-submit"): "go with --slurm",
    ("sweep", "none.yaml", "-o", "out", "--slurm-option=--partition=long"): "go with --slurm",
    ("workload", "--doctor", "-o", "out"): "takes no --output",
    ("workload", "--doctor", "--release", "early"): "takes no --release",
    ("workload", "{example}", "-o", "out", "--format", "json"): "--format goes with --doctor",
    ("examine", "--write", "out", "--device", "orin", "--time-limit", "nan"): "--write runs nothing here; it takes no --time-limit",
    ("examine", "--write", "out", "--device", "orin", "--keep"): "--write runs nothing here; it takes no --keep",
    ("examine", "--write", "out", "--device", "orin", "-o", "results"): "--write judges nothing; it takes no --output",
    ("examine", "--traces", "in", "--gpu", "1"): "--traces runs nothing here; it takes no --gpu",
    ("run", "{example}", "--scheduling", "x"): "--scheduling 'x': no such value (allowed: auto, deadline, fifo, other)",
    ("run", "{example}", "--tasks", "x"): "--tasks 'x': no such value (allowed: threads, processes)",
    ("run", "{example}", "--streams", "x"): "--streams 'x': no such value (allowed: per-job, per-task)",
    ("run", "{example}", "--trace-level", "x"): "--trace-level 'x': no such value (allowed: dag, job, block)",
    ("run", "{example}", "--duration", "0s"): "--duration '0s': must be a time above 0",
    ("run", "{example}", "--duration", "1e30s"): "--duration '1e30s': must be a time above 0",
    ("run", "{example}", "--warmup=-1s"): "--warmup '-1s': must be a time of at least 0",
    ("run", "{example}", "--overhead", "cpu"): "--overhead 'cpu': expected POOL=..., with a pool of the task set",
    ("run", "{example}", "--overhead", "none=1us"): "--overhead 'none=1us': expected POOL=..., with a pool of the task set",
    ("run", "{example}", "--overhead", "cpu=1s"): "--overhead 'cpu=1s': leaves nothing of node 'camera/",
    ("run", "{example}", "--overhead", "cpu=1"): "--overhead 'cpu=1': expected POOL=TIME with a time of at least 0, e.g. gpu=100us",
    ("run", "{example}", "-o", "none/r.json"): "none/r.json: No such file or directory",
    ("plot", "none", "-o", "a.xyz"): "--output 'a.xyz': a figure's name ends in .pdf, .svg, .png, .gp or .html",
    ("convert", "{example}", "--from", "pdf"): "--from 'pdf': no such kind (allowed: kineto, nsys, nsys-stats, trtexec, sched, ros2, amalthea, sag, dag-scheduling, stg, tgff, dot, openvx, stm, examiner, trace, recording, task-set)",
    ("convert", "{example}", "--to", "pdf"): "--to 'pdf': no such format (allowed: yaml, json, dot, sag, stm",
    ("convert", "{example}", "-o", "result.pdf"): "the name 'result.pdf' tells no format; add --to",
    ("convert", "{example}", "--fuse", "1us"): "--fuse: says nothing of a task set or an experiment of rta (it goes with kineto, nsys, nsys-stats, recording)",
    ("convert", "{example}", "--period", "0s"): "--period '0s': must be a time above 0",
    ("convert", "{example}", "--time-unit", "h"): "--time-unit 'h': no such value (allowed: ns, us, ms, s)",
    ("convert", "{example}", "--processors", "cpu="): "--processors 'cpu=': must be N or POOL=N, N within 1 .. 1000000",
    ("convert", "{example}", "--processors", "0"): "--processors '0': must be N or POOL=N",
    ("convert", "{example}", "--percentile", "0"): "--percentile '0': must be above 0 and at most 100",
    ("convert", "{example}", "--waits", "x"): "--waits 'x': no such value (allowed: active, passive)",
    ("convert", "{example}", "--scheduler", "EDF"): "--scheduler 'EDF': no such value",
    ("convert", "{example}", "--allocate", "a="): "--allocate 'a=': must be TASK=UNIT, or TASK=UNIT,UNIT",
    ("convert", "{example}", "--allocate", "a=b"): "--allocate: says nothing of a task set or an experiment of rta (it goes with amalthea)",
    ("convert",): "convert needs FILE",
    ("convert", "{example}", "--readers"): "--readers looks at no file; it takes no FILE",
    ("convert", "{example}", "--to", "sag"): "no job set: node 'camera/gradient' runs on 'gpu'",
    ("help", "analyse"): "analyse",
    ("help", "analyze", "extra"): "unexpected argument 'extra'",
    ("--help", "extra"): "unexpected argument 'extra'",
    ("--version", "extra"): "unexpected argument 'extra'",
    ("calibrate", ".", "{example}"): ".: cannot be read: Is a directory",
    ("compare", ".", "{example}"): ".: cannot be read: Is a directory",
    ("--nonsense",): "--nonsense",
}


@one_test_each(USAGE_ERRORS.items(), lambda case: "_".join(case[0]) or "nothing")
class UsageErrors(unittest.TestCase):
    def check(self, case):
        arguments, named = case
        with tempfile.TemporaryDirectory() as folder:
            run = rta(*(a.format(example=EXAMPLE) for a in arguments), cwd=folder)
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(named, run.stderr)


SPEC = ROOT / "tasksets/sweeps/schedulers.yaml"
# What takes a number, and the least and the largest one that it takes.
NUMBERS = {
    ("analyze", EXAMPLE, "--most-periods"): (1, 2**63 - 1),
    ("convert", "none.json", "--access-size"): (1, 10**9),
    ("convert", "none.json", "--copy-engines"): (1, 2),
    ("convert", "none.json", "--copy-rate"): (1, 10**9),
    ("convert", "none.json", "--gpu"): (0, 999),
    ("convert", "none.json", "--threads-per-block"): (1, 65536),
    ("examine", "-o", "out", "--gpu"): (0, 999),
    ("generate", SPEC, "--point", "0", "--count"): (1, 2**64 - 1),
    ("generate", SPEC, "--point", "0", "--first"): (0, 2**64 - 2),
    ("generate", SPEC, "--point", "0", "--seed"): (0, 2**64 - 1),
    ("generate", SPEC, "--point"): (0, 8),
    ("generate", SPEC, "--point", "0", "--threads"): (1, 4096),
    ("sweep", SPEC, "-o", "out", "--count"): (1, 10**9),
    ("sweep", SPEC, "-o", "out", "--jobs"): (1, 4096),
    ("sweep", SPEC, "-o", "out", "--seed"): (0, 2**64 - 1),
    ("sweep", SPEC, "-o", "out", "--no-submit", "--slurm"): (1, 10**6),
}


@one_test_each(NUMBERS.items(), lambda case: f"{case[0][0]}_{case[0][-1]}")
class Numbers(unittest.TestCase):
    def check(self, case):
        arguments, (least, most) = case
        for text in ("-1", "1.5", "1e30", "nan", "", "+1", "1x", str(least - 1), str(most + 1)):
            with tempfile.TemporaryDirectory() as folder:
                run = rta(*arguments[:-1], f"{arguments[-1]}={text}", cwd=folder)
                self.assertEqual(os.listdir(folder), [])
            self.assertEqual((run.returncode, run.stdout), (2, ""), text)
            if text:
                self.assertIn(f"{arguments[-1]} '{text}': must be a whole number within {least} .. {most}\n", run.stderr)

    def test_seconds(self):
        for text in ("-1", "nan", "inf", "1s", "1e400"):
            run = rta("analyze", EXAMPLE, "--time-limit", text)
            self.assertEqual((run.returncode, run.stdout), (2, ""), text)
            self.assertIn(f"--time-limit '{text}': must be a number that is not negative, e.g. 0.5\n", run.stderr)


class Help(unittest.TestCase):
    def test_help_goes_to_standard_output(self):
        for arguments in (["--help"], ["-h"], ["help"], ["help", "help"], ["help", "--help"], ["help", "-h"]):
            run = rta(*arguments)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("analyze", run.stdout)

    def test_version(self):
        run = rta("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"\Arta \d+\.\d+\.\d+\n\Z")

    def commands(self):
        overview = rta("--help").stdout
        return re.findall(r"^  (\w+) ", overview.split("\nCommands\n")[1].split("\n\n")[0], re.M)

    def test_each_command_explains_itself_in_both_ways(self):
        self.assertIn("analyze", self.commands())
        for command in self.commands():
            if command in ("help", "version"):
                continue
            run = rta(command, "--help")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual(run.stdout, rta("help", command).stdout)

    def test_manual_page_has_every_command_and_option(self):
        page = rta("help", "--man")
        self.assertEqual(page.returncode, 0)
        plain = page.stdout.replace("\\-", "-")
        for command in self.commands():
            if command in ("help", "version"):
                continue
            self.assertIn(f".B rta {command}", plain)
            for option in re.findall(r"--[a-z][a-z-]+", rta(command, "--help").stdout):
                self.assertIn(option, plain)


class Outputs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_several_at_once(self):
        names = ["a.json", "b.csv", "c.txt"]
        run = rta("analyze", EXAMPLE, *(word for name in names for word in ("-o", self.folder / name)), "-o", "-")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), names)
        for name, kind in zip(names, ("json", "csv", "text")):
            alone = rta("analyze", EXAMPLE, "--format", kind).stdout
            self.assertEqual(without_evidence((self.folder / name).read_bytes().decode(), kind), without_evidence(alone, kind))
        self.assertEqual(run.stdout, (self.folder / "c.txt").read_text())

    def test_nothing_on_standard_output_when_written_to_a_file(self):
        run = rta("analyze", EXAMPLE, "--output", self.folder / "a.json")
        self.assertEqual(run.stdout, "")
        json.loads((self.folder / "a.json").read_text())

    def test_replaces_a_file_in_one_step(self):
        target = self.folder / "a.json"
        target.write_text("old")
        before = target.stat().st_ino
        with open(target) as reader:  # whoever has the old file open keeps all of it
            self.assertIn(rta("analyze", EXAMPLE, "-o", target).returncode, (0, 1))
            self.assertEqual(reader.read(), "old")
        self.assertNotEqual(target.stat().st_ino, before)
        self.assertEqual(os.listdir(self.folder), ["a.json"])

    def test_folder_that_does_not_exist(self):
        run = rta("analyze", EXAMPLE, "-o", self.folder / "none/a.json")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("none/a.json", run.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_target_is_a_folder(self):
        (self.folder / "a.json").mkdir()
        run = rta("analyze", EXAMPLE, "-o", self.folder / "a.json")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(os.listdir(self.folder), ["a.json"])

    def test_folder_without_permission(self):
        results = self.folder / "results"
        results.mkdir()

        def written():
            return rta_as_ordinary_user(results, "analyze", "-", "-o", "a.json", stdin=EXAMPLE.read_bytes())

        self.folder.chmod(0o755)
        results.chmod(0o555)
        run = written()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("a.json", run.stderr)
        self.assertIn("Permission denied", run.stderr)
        self.assertEqual(os.listdir(results), [])
        results.chmod(0o755)
        run = written()
        self.assertEqual((run.returncode, os.listdir(results)), (0, ["a.json"]), run.stderr)

    def test_a_file_that_is_read_is_not_replaced(self):
        task_set = self.folder / "set.json"  # JSON is YAML
        task_set.write_bytes(EXAMPLE.read_bytes())
        before = task_set.read_bytes()
        (self.folder / "link.json").symlink_to(task_set)
        for command in (["analyze", task_set], ["convert", task_set], ["calibrate", "none.jsonl", task_set]):
            for output in (task_set, self.folder / "link.json"):
                run = rta(*command, "-o", output)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(f"--output '{output}': would replace a file that is read\n", run.stderr)
        self.assertEqual(task_set.read_bytes(), before)

    def test_an_interrupt_leaves_no_temporary_file(self):
        for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            folder = self.folder / stop.name
            folder.mkdir()
            process = subprocess.Popen([PROGRAM, "generate", SPEC, "--point", "0", "--count", "1000000", "-o", folder])
            deadline = time.monotonic() + TIME_LIMIT
            while len(os.listdir(folder)) < 20:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            process.send_signal(stop)
            self.assertEqual(process.wait(TIME_LIMIT), -stop)
            self.assertEqual([name for name in os.listdir(folder) if not name.endswith(".yaml")], [])

    def test_no_file_for_a_bad_task_set(self):
        run = rta("analyze", "-", "-o", self.folder / "a.json", stdin="platform: 1\n")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(os.listdir(self.folder), [])

    def test_standard_output_that_cannot_be_written(self):
        spec = self.folder / "spec.yaml"
        spec.write_text(re.sub(r"(?m)^  sets: .*$", "  sets: 1", SPEC.read_text()))
        commands = [
            ["analyze", EXAMPLE],
            ["generate", spec, "--point", "0"],
            ["sweep", spec, "-o", self.folder / "out", "--format", "csv"],
            ["sweep", spec, "-o", self.folder / "scripts", "--slurm", "2", "--no-submit"],
            ["help", "--man"],
            ["help", "analyze"],
            ["analyze", "--help"],
            ["--help"],
            ["--version"],
        ]
        # A closed standard output is not taken for the first file that is opened.
        for redirection, reason in {"> /dev/full": "No space left on device", ">&-": "Bad file descriptor"}.items():
            for command in commands:
                run = subprocess.run(["bash", "-c", f'"$0" "$@" {redirection}', PROGRAM, *command], capture_output=True, text=True,
                                     timeout=TIME_LIMIT)
                self.assertEqual((run.returncode, run.stderr), (2, f"rta: cannot write to standard output: {reason}\n"), command)

    def test_closed_standard_input(self):
        run = subprocess.run(["bash", "-c", '"$0" analyze - <&-', PROGRAM], capture_output=True, text=True, timeout=TIME_LIMIT)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("cannot be read: Bad file descriptor", run.stderr)

    def test_closed_pipe(self):
        largest = max(TASK_SETS, key=lambda path: path.stat().st_size)
        # `head -1` leaves at once: the program may end by SIGPIPE or with an error, but says nothing of a crash.
        script = '"$0" analyze "$1" --verbose | head -n 1; echo "${PIPESTATUS[0]}" >&2'
        run = subprocess.run(["bash", "-c", script, PROGRAM, largest], capture_output=True, text=True, timeout=TIME_LIMIT)
        self.assertEqual(len(run.stdout.splitlines()), 1)
        self.assertNotIn("Sanitizer", run.stderr)
        self.assertIn(int(run.stderr.splitlines()[-1]), (0, 1, 2, 128 + 13), run.stderr)


class Streams(unittest.TestCase):
    def test_standard_input(self):
        text = EXAMPLE.read_bytes()
        from_stdin = rta("analyze", "-", "--format", "csv", stdin=text)
        from_file = rta("analyze", EXAMPLE, "--format", "csv")
        self.assertEqual(without_evidence(from_stdin.stdout, "csv"), without_evidence(from_file.stdout, "csv"))

    def test_quiet_hides_warnings_only(self):
        warns = "platform: {gpu: {sms: 2, threads: 2048, warp: 32}}\ntasks: [{name: t, on: gpu, B: 1, H: 33, L: 1 ms, T: 10 ms}]\n"
        loud, quiet = rta("analyze", "-", stdin=warns), rta("analyze", "-", "--quiet", stdin=warns)
        self.assertIn("warning", loud.stderr)
        self.assertEqual((quiet.stderr, quiet.stdout, quiet.returncode), ("", loud.stdout, loud.returncode))

    def test_no_colour_in_a_pipe(self):
        self.assertNotIn("\x1b", rta("analyze", EXAMPLE).stdout)

    def test_explain_shows_one_node(self):
        result = json.loads(rta("analyze", EXAMPLE, "--format", "json").stdout)
        dag = result["dags"][0]
        node = dag["nodes"][0]["name"]
        for policy, left in [("offsets", "R = "), ("completion", "F = ")]:
            run = rta("analyze", EXAMPLE, "--release", policy, "--explain", f"{dag['name']}/{node}")
            self.assertIn(f"{dag['name']}/{node}", run.stdout)
            self.assertIn(left, run.stdout.split(f"Bound of {dag['name']}/{node}")[1])


if __name__ == "__main__":
    unittest.main()
