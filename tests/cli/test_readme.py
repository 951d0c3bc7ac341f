"""Every command that README.md and docs/*.md show works, and prints what they show.

```yaml     after a line that has a name and a colon alone (`drone.yaml`:): the file is there for the commands.

```sh       commands, one per line, run in a copy of the sources; `# exit status N` after a command: it ends with N (default 0).
```console  the same after `$ `; the other lines are the command's standard output. A line `...` stands for any lines.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PROGRAM, ROOT, TIME_LIMIT, one_test_each

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Not run from within itself: this test is a part of it.
ELSEWHERE = re.compile(r"\./check\b")


class Command:
    def __init__(self, document, line_number, text):
        self.place = f"{document.name}:{line_number}"
        self.text, _, note = text.partition("  #")
        match = re.search(r"exit status (\d+)", note)
        self.status = int(match[1]) if match else 0
        self.shown = None  # lines of output

    def __repr__(self):
        return f"{self.place}: {self.text}"


def commands(document):
    found, kind = [], None
    for number, line in enumerate(document.read_text().splitlines(), 1):
        if line.startswith("```"):
            kind = line[3:].strip() if kind is None else None
        elif kind == "sh" and line.strip():
            found.append(Command(document, number, line.strip()))
        elif kind == "console":
            if line.startswith("$ "):
                found.append(Command(document, number, line[2:]))
                found[-1].shown = []
            else:
                found[-1].shown.append(line)
    return [command for command in found if not ELSEWHERE.search(command.text)]


def files(document):
    """Name -> content of the files that the document shows."""
    return dict(re.findall(r"^`([\w.-]+)`:\n\n```yaml\n(.*?)^```", document.read_text(), re.MULTILINE | re.DOTALL))


def matches(shown, printed):
    """Whether the printed lines are the shown ones, where `...` stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0].rstrip() == printed[0].rstrip() and matches(shown[1:], printed[1:])


class Documents(unittest.TestCase):
    def test_the_readme_shows_its_two_commands(self):
        text = (ROOT / "README.md").read_text()
        self.assertIn("\n./rta analyze tasksets/examples/pedestrian.yaml\n", text)
        self.assertIn("\n./check\n", text)

    def test_links_lead_somewhere(self):
        for document in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"]:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")


@one_test_each([document for document in DOCUMENTS if commands(document)], lambda document: document.name)
class ShownCommands(unittest.TestCase):
    def check(self, document):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "rta")
            copy.mkdir()
            for name in ("tasksets", "docs", "README.md"):
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, copy / name)
                else:
                    shutil.copy(ROOT / name, copy)
            (copy / "rta").symlink_to(PROGRAM)  # test_launcher.py tests ./rta itself
            (copy / "rta-check").symlink_to(PROGRAM.with_name("rta-check"))
            for name, content in files(document).items():
                (copy / name).write_text(content)
            environment = os.environ | {"PATH": f"{copy}:{os.environ['PATH']}"}
            for command in commands(document):
                run = subprocess.run(
                    ["bash", "-c", command.text], cwd=copy, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT
                )
                with self.subTest(command):
                    self.assertEqual(run.returncode, command.status, run.stdout + run.stderr)
                    if command.shown is not None:
                        shown = "\n".join(command.shown)
                        self.assertTrue(matches(command.shown, run.stdout.splitlines()), f"shown:\n{shown}\nprinted:\n{run.stdout}")


if __name__ == "__main__":
    unittest.main()
