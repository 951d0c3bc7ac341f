"""rta help --completion: what shells offer is what commands take."""

import re
import shutil
import subprocess
import tempfile
import unittest

from program import one_test_each, rta

COMMANDS = re.findall(r"^  ([a-z]+) +[A-Z]", rta("--help").stdout, re.M)
BASH = rta("help", "--completion", "bash").stdout
ZSH = rta("help", "--completion", "zsh").stdout


def in_bash(*words):
    """What bash offers for the last of the words; nothing: names of files."""
    script = 'eval "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _rta; printf "%s\\n" "${COMPREPLY[@]}"'
    run = subprocess.run(["bash", "-euc", script, "bash", BASH, *words], capture_output=True, text=True, check=True, timeout=60)
    return run.stdout.split()


def options_of(command):
    """Of its help: every name of an option."""
    lines = [line for line in rta(command, "--help").stdout.splitlines() if re.match(r"  -", line)]
    return [name for line in lines for name in re.findall(r"(?:^|[ ,])(--?[A-Za-z][a-z0-9-]*)", line.strip().split(" arg")[0])]


class Completion(unittest.TestCase):
    def test_commands_are_offered(self):
        self.assertEqual(sorted(in_bash("rta", "")), sorted([*COMMANDS, "--help", "--version"]))
        self.assertEqual(in_bash("rta", "ana"), ["analyze"])
        self.assertEqual(sorted(in_bash("rta", "help", "")), sorted(COMMANDS))

    def test_words_of_an_option_are_offered_in_both_ways_to_write_them(self):
        self.assertEqual(in_bash("rta", "analyze", "--scheduler", "G-"), ["G-EDF", "G-FL"])
        self.assertEqual(in_bash("rta", "analyze", "x.yaml", "--scheduler", "=", "F"), ["FIFO", "FP"])
        self.assertEqual(in_bash("rta", "analyze", "--scheduler", "="), ["G-EDF", "G-FL", "FIFO", "LP", "FP"])
        self.assertEqual(in_bash("rta", "diff", "--format", ""), ["text", "json", "csv", "html", "pdf", "md"])

    def test_where_a_file_is_meant_bash_completes_names_of_files(self):
        for words in (("rta", "analyze", "tas"), ("rta", "analyze", "-o", ""), ("rta", "analyze", "--profile", "")):
            self.assertEqual(in_bash(*words), [])

    def test_every_word_that_is_offered_is_taken(self):
        for word in in_bash("rta", "analyze", "--release", ""):
            run = rta("analyze", "-", "--release", word, stdin="platform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ms, T: 9 ms}]\n")
            self.assertEqual(run.returncode, 0, f"{word}: {run.stderr}")

    def test_other_shells_are_refused(self):
        for words in (("fish",), ()):
            run = rta("help", "--completion", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("allowed: bash, zsh", run.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_its_script(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(ZSH)
            file.flush()
            run = subprocess.run(["zsh", "-n", file.name], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


@one_test_each([command for command in COMMANDS if command not in ("help", "version")], str)
class Options(unittest.TestCase):
    def check(self, command):
        options = options_of(command)
        self.assertGreater(len(options), 2)
        self.assertEqual(sorted(in_bash("rta", command, "-")), sorted(options))
        part = ZSH.split(f"\n    {command})\n")[1].split("\n      ;;")[0]
        for option in options:
            self.assertRegex(part, rf"'(\*|\([^)]*\))?{re.escape(option)}=?\[")


if __name__ == "__main__":
    unittest.main()
