"""Help: examples that work, words that are explained, and places in files as they stand there."""

import fcntl
import os
import pathlib
import pty
import re
import shlex
import struct
import subprocess
import tempfile
import termios
import unittest

from program import EXAMPLE, PROGRAM, ROOT, TASK_SETS, TIME_LIMIT, rta

COMMANDS = re.findall(r"^  (\w+) ", rta("--help").stdout.split("\nCommands\n")[1].split("\n\n")[0], re.M)
# Others need a GPU, take long, or read what these do not write.
NOT_RUN = ("rta run", "rta record", "rta examine -o", "rta convert recording.jsonl", "rta sweep")


def sections(command):
    """The titles and lines of its help."""
    found, title = {}, ""
    for line in rta(command, "--help").stdout.splitlines():
        if line and not line.startswith(" ") and line in ("Examples", "Options", "How it is analysed", "What is written", "Of every command"):
            title = line
        found.setdefault(title, []).append(line)
    return found


def examples(command):
    return [line.strip() for line in sections(command)["Examples"] if line.startswith("  rta ")]


class Examples(unittest.TestCase):
    def test_each_command_has_two_or_more(self):
        for command in COMMANDS:
            if command not in ("help", "version"):
                self.assertGreaterEqual(len(examples(command)), 2, command)

    def test_all_are_command_lines(self):
        for command in COMMANDS:
            if command in ("help", "version"):
                continue
            for line in examples(command):
                with self.subTest(line):
                    words = shlex.split(line)[1:]
                    before = words[: words.index("--")] if "--" in words else words
                    run = rta(*before, "--help")
                    self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_those_that_need_no_gpu_do_what_they_say(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "tasksets", os.path.join(folder, "tasksets"))
            lines = [line for command in COMMANDS if command not in ("help", "version") for line in examples(command)]
            lines = [line for line in lines if not line.startswith(NOT_RUN)]
            before = [  # what earlier examples leave behind for later ones
                "rta simulate tasksets/examples/pedestrian.yaml --duration 2s --trace-level block --trace trace.jsonl",
                "rta compile tasksets/static/cpu_gpu.yaml --effort 1 -o schedule.yaml",
                "rta analyze tasksets/examples/pedestrian.yaml -o accepted.json -o now.json",
                "rta sweep tasksets/sweeps/schedulers.yaml --count 1 -o evaluation",
            ]
            for line in before + lines:
                if line.startswith("rta simulate") and line not in before:
                    line = line.replace("trace.jsonl", "other.jsonl")
                with self.subTest(line):
                    run = rta(*shlex.split(line)[1:], cwd=folder)
                    self.assertIn(run.returncode, (0, 1) if " lint " in line else (0,), run.stderr)


class Groups(unittest.TestCase):
    def test_own_options_come_first(self):
        of_analyze = sections("analyze")
        self.assertEqual(list(of_analyze), ["", "Examples", "Options", "How it is analysed", "What is written", "Of every command"])
        self.assertTrue(any(line.startswith("  --slack") for line in of_analyze["Options"]))
        self.assertTrue(any(line.startswith("  --scheduler") for line in of_analyze["How it is analysed"]))
        self.assertTrue(any(line.startswith("  -o, --output") for line in of_analyze["What is written"]))
        for command in COMMANDS:
            if command not in ("help", "version"):
                self.assertEqual(sum(line.startswith("  --memory-limit") for line in sections(command)["Of every command"]), 1)

    def test_as_wide_as_the_terminal(self):
        for columns in (60, 90):
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            process = subprocess.Popen([PROGRAM, "analyze", "--help"], stdout=slave, stdin=subprocess.DEVNULL)
            os.close(slave)
            text = b""
            while True:
                try:
                    piece = os.read(master, 4096)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
            os.close(master)
            self.assertEqual(process.wait(TIME_LIMIT), 0)
            lines = [line for line in text.decode().replace("\r", "").split("\n") if not re.match("  (rta |-)|Usage", line)]
            self.assertGreater(max(map(len, lines)), columns - 12)
            self.assertLessEqual(max(map(len, lines)), columns)


class Words(unittest.TestCase):
    def test_of_the_glossary(self):
        run = rta("help", "JITTER")
        self.assertEqual(run.returncode, 0)
        self.assertIn("jitter\n      how much later than its nominal instant a release may come\n", run.stdout)
        self.assertEqual(rta("help", "h").returncode, 2)  # H is the symbol
        self.assertEqual(rta("help", "H").stdout, "H\n      threads of a block\n")
        self.assertIn("maximum reaction time (MRT)", rta("help", "chain").stdout)  # without Markdown
        for row in re.findall(r"(?m)^\| \*\*(.*?)\*\* \|", (ROOT / "docs/glossary.md").read_text()):
            self.assertEqual(rta("help", row.split(", ")[0].strip("`")).returncode, 0, row)

    def test_theorems(self):
        self.assertIn("T27, T28, T29, T33 theorems about kernels of which the duration is known, one after another: docs/theory/serial.md",
                      " ".join(rta("help", "T29").stdout.split()))
        written = set(re.findall(r"\bT\d+[a-z]*\b", "".join(rta("analyze", path, "--verbose").stdout for path in TASK_SETS)))
        self.assertGreater(len(written), 8)
        for theorem in written - {"T1"}:
            self.assertEqual(rta("help", theorem).returncode, 0, theorem)

    def test_of_options(self):
        for word in ("--search-runs", "search-runs"):
            run = rta("help", word)
            self.assertEqual(run.returncode, 0)
            self.assertIn("--search-runs N\n", run.stdout)
            self.assertIn("Option of rta simulate.", run.stdout)

    def test_of_topics(self):
        overview = " ".join(rta("--help").stdout.split())
        topics = re.search(r"Topics: (.*?)\.", overview)[1].split(", ")
        self.assertLessEqual({"release", "formats", "units", "exit-status"}, set(topics))
        for topic in topics:
            run = rta("help", topic)
            self.assertEqual((run.returncode, run.stderr), (0, ""), topic)
            page = re.search(r"\nFrom (\S+)\.\n\Z", run.stdout)[1]
            self.assertTrue((ROOT / page).is_file(), page)
            self.assertNotRegex(run.stdout, r"\*\*|\]\(|^\|", topic)
            self.assertGreater(len(run.stdout), 100, topic)
        self.assertIn("  1\n      not: some deadline is not proven to be met, or some node has no bound\n", rta("help", "exit-status").stdout)
        self.assertIn("A period may be a rate, T: 30 Hz;", " ".join(rta("help", "units").stdout.split()))
        self.assertIn("a -> b -> c is a chain; a -> [b, c] -> d stands for an edge", rta("help", "edges").stdout)
        for said in ("--release NAME\n", "  completion\n      a node starts: when its last predecessor has ended\n"):
            self.assertIn(said, rta("help", "release").stdout)

    def test_unknown_words(self):
        run = rta("help", "shedule")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no command, option, word of the glossary or topic is called 'shedule'; did you mean 'schedule", run.stderr)

    def test_version(self):
        self.assertEqual(rta("-V").stdout, rta("--version").stdout)
        self.assertRegex(rta("version").stdout, r"\Arta \d+\.\d+\.\d+( \(commit [0-9a-f]{40}(-dirty)?\))?\n\Z")
        self.assertEqual(rta("version", "more").returncode, 2)
        for words in (("version", "--help"), ("help", "version")):
            self.assertEqual(rta(*words).stdout, rta("--help").stdout)


class Places(unittest.TestCase):
    def message(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "set.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
            run = rta("analyze", "set.yaml", cwd=folder)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        return run.stderr

    def test_the_line_and_a_mark_below_the_column(self):
        text = EXAMPLE.read_text().replace("G-EDF", "EDF")
        place = next(i for i, line in enumerate(text.splitlines(), 1) if "EDF" in line)
        line = text.splitlines()[place - 1]
        self.assertIn(f"did you mean 'G-EDF'? (allowed: G-EDF, G-FL, FIFO, LP, FP, wait-set, multi-threaded)\n{place:6} | {line}\n       | {' ' * line.index('EDF')}^\n",
                      self.message(text))

    def test_of_a_long_line_the_part_around_it(self):
        dags = ", ".join(f"{{name: d{i}, T: 10 ms, nodes: {{a: {{on: cpu, C: 1 ms}}}}}}" for i in range(9))
        message = self.message(f"{{platform: {{cpu: {{processors: 1}}}}, dags: [{dags.replace('name: d8', 'nam: d8')}]}}")
        shown, mark = message.splitlines()[-2:]
        self.assertLess(len(shown), 110)
        self.assertTrue(shown.startswith("     1 | …"))
        self.assertEqual(shown[mark.index("^"):][:3], "nam")

    def test_what_commands_a_terminal_is_shown_and_counted(self):
        message = self.message("platform: {cpu: {processors: 1}}  \ndags: [{name: \"\u202ea\", nam: 1}]\n")
        self.assertNotIn("\u202e", message)
        shown, mark = next(pair for pair in zip(message.splitlines(), message.splitlines()[1:]) if pair[1].endswith("^"))
        self.assertIn("\\u202ea", shown)

    def test_nothing_of_what_cannot_be_read_again(self):
        run = rta("analyze", "-", stdin="platform: 1\n")
        self.assertEqual(run.stderr.count("\n"), len([line for line in run.stderr.splitlines() if line.startswith("<stdin>")]))
        for text in ("\n" * 5, b"\xff\xfe", b"a\0b", "platform: {", ""):
            self.assertIn("set.yaml", self.message(text))

    def test_pools_and_keys_by_other_names(self):
        self.assertIn("its kind is missing: one of processors (CPU), device or sms (GPU), engines, workers; did you mean 'processors'?", self.message("platform: {cpu: {cores: 4}}\ndags: []\n"))
        message = self.message(EXAMPLE.read_text().replace("B: 120, H: 256", "grid: 120, block: 256"))
        self.assertIn("unknown key 'grid'; did you mean 'B'?", message)
        self.assertIn("unknown key 'block'; did you mean 'H'?", message)
        for name, meant in (("RM", "FP"), ("DM", "FP"), ("edf", "G-EDF")):
            self.assertIn(f"'{name}' is not known; did you mean '{meant}'?", self.message(EXAMPLE.read_text().replace("G-EDF", name)))


class Colour(unittest.TestCase):
    def test_when_it_is_wanted(self):
        self.assertIn("\x1b[", rta("analyze", EXAMPLE, "--color", "always").stdout)
        self.assertNotIn("\x1b[", rta("analyze", EXAMPLE, "--color", "auto").stdout)
        run = rta("analyze", EXAMPLE, "--color", "blue")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--color: 'blue' is not known (allowed: auto, always, never)", run.stderr)


if __name__ == "__main__":
    unittest.main()
