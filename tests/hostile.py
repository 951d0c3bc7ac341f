"""Texts, files, folders and kills that mean harm, at random. Whatever rta is given, it ends with 0, 1 or 2, runs nothing that it was not asked to
run, sends no terminal a command, and leaves no half file.

    tests/hostile.py [--seed N] [--seconds S] [KIND]...

Without KIND all kinds get the same time. A failure names the seed of its trial, which `--seed N KIND` repeats first. tests/cli/test_hostile.py runs some
trials of each kind, `./check --long` minutes of them. A new kind is a function below with `@kind`.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "cli"))
from program import EXAMPLE, PROGRAM, TIME_LIMIT, rta, rta_as_ordinary_user  # noqa: E402
from test_limits import SANITIZED, limited_commands, sizes  # noqa: E402

CANARY = "PWNED"  # the file that a text makes when it is run

# Words of shells, make, gnuplot, Graphviz, spreadsheets, pages and terminals; what breaks lines, names, paths and options.
COMMANDS = [f"`touch {CANARY}`", f"$(touch {CANARY})", f"$(shell touch {CANARY})", f"'.system('touch {CANARY}').'", f'".system("touch {CANARY}")."',
         f"a\nsystem('touch {CANARY}')", f"a; touch {CANARY}", f"|touch {CANARY}", f"<touch {CANARY}"]
TEXTS = [f"=cmd|'/C touch {CANARY}'!A0", "@SUM(1+1)",
         "+1+1", "-1-1", "\t=1", "\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "\u009b31m", "\u202etxt.exe", "\u2067x", "\u2028x", "\x7f", "\r\x1b[K",
         "</script><script>alert(1)</script>", "]]>", "<!--", "'", '"', "\\", "\\\n", "%n%s", "%%", "{}", "{0}", "#", ",", "a,b", "a\nb", "-o", "--help", "-",
         "--", "", " ", ".", "..", "../x", "/dev/null", "con", "\u00e9", "\U0001f600", "e\u0301", "a" * 300, "nan", "inf", "-0", "1e999", "null", "~"]
NUMBERS = ["", "-1", "0", "1", "1e300", "-1e300", "nan", "inf", "18446744073709551616", "9223372036854775807", "1e15", "0x10", "1,5", "1 ", "٣"]

KINDS = {}


def kind(function):
    """A kind of trial, by its name: a function of a `Trial` that raises AssertionError where rta lets harm be done."""
    KINDS[function.__name__] = function
    return function


def commands_a_terminal(character):
    code = ord(character)
    return (code < 0x20 and character not in "\n\t") or 0x7F <= code < 0xA0 or code in (0x61C, 0x200E, 0x200F) or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069


class Trial:
    """A folder of its own, and what must hold of every run in it."""

    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.folder = folder

    def text(self):
        """Mostly one of the texts, above all of those that are commands, else some of them together."""
        return self.random.choice(self.random.choice([TEXTS, COMMANDS])) if self.random.random() < 0.8 else "".join(self.random.choices(TEXTS + COMMANDS, k=3))

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogateescape"))
        return path

    def rta(self, *arguments, faithful=False, **options):
        """Runs rta in the folder and holds it to what every run must be. `faithful`: standard output is no text for people."""
        run = rta(*arguments, cwd=self.folder, **options)
        self.hold(run, arguments, faithful)
        return run

    def hold(self, run, arguments, faithful=False):
        told = f"rta {' '.join(map(repr, map(str, arguments)))}: status {run.returncode}, {run.stderr[-2000:]}"
        assert run.returncode in (0, 1, 2), told
        assert run.returncode != 2 or run.stderr, told + " without a word"
        for text in (run.stderr,) if faithful else (run.stderr, run.stdout):
            assert not any(map(commands_a_terminal, text)), f"commands a terminal: {text[-2000:]!r}; {told}"
        self.hold_folder(told)

    def hold_folder(self, told):
        names = [name for _, folders, files in os.walk(self.folder) for name in folders + files]
        assert CANARY not in names, "a text was run: " + told
        assert not [name for name in names if name.endswith(".tmp")], f"temporary files stay: {names}; {told}"


def damaged(trial, content):
    """Some bytes changed, left out or doubled, or cut off."""
    content = bytearray(content)
    for _ in range(trial.random.choice([1, 1, 2, 5])):
        at = trial.random.randrange(len(content) + 1)
        what = trial.random.random()
        if what < 0.3:
            content[at:at + 1] = bytes([trial.random.randrange(256)])
        elif what < 0.5:
            content[at:at] = trial.random.choice(TEXTS + COMMANDS + NUMBERS).encode(errors="surrogateescape")
        elif what < 0.7:
            del content[at:at + trial.random.choice([1, 2, 10, 100])]
        elif what < 0.9:
            content[at:at] = content[at:at + trial.random.choice([1, 10, 100])]
        else:
            del content[at:]
    return bytes(content)


SET = """platform:
  cpu: {processors: 2, scheduler: G-EDF}
dags:
  - {name: NAME, T: 10 ms, D: 10 ms, nodes: {NODE: {on: cpu, C: 1 ms}, v: {on: cpu, C: 1 ms}}, edges: [NODE -> v]}
"""


@kind
def names(trial):
    """In a task set, through every kind of output."""
    trial.write("set.yaml", SET.replace("NAME", json.dumps(trial.text())).replace("edges: [NODE -> v]", "edges: []").replace("NODE", json.dumps(trial.text())))
    command = trial.random.choice([["analyze"], ["analyze", "--explain"], ["simulate", "--duration", "100ms"], ["draw"], ["convert", "--to", "dot"]])
    form = trial.random.choice(["text", "json", "csv", "html", "svg"])
    trial.rta(command[0], "set.yaml", *command[1:], *([] if command[0] in ("draw", "convert") else ["--format", form]),
              faithful=form != "text" or command[0] in ("draw", "convert"))
    trial.rta("workload", "set.yaml", "-o", "program", "--quiet")


@kind
def arguments(trial):
    """As names of files, values of options, commands."""
    trial.write("set.yaml", SET.replace("NAME", "d").replace("NODE", "u"))
    text = trial.text().replace("\0", "")
    line = trial.random.choice([["analyze", text], [text], ["help", text], ["analyze", "set.yaml", "--format", text], ["analyze", "set.yaml", "-o", text + ".txt"],
                                ["analyze", "set.yaml", "--explain=" + text], ["simulate", "set.yaml", "--duration", text], ["diff", text, "set.yaml"],
                                ["plot", text, "-o", text + ".gp"], ["draw", "set.yaml", "-o", text + ".svg"], ["convert", text]])
    trial.rta(*line, faithful=line[0] == "convert")


SWEEP = """platform:
  cpu: {processors: 2}
random:
  dags: 2
  nodes: 2 .. 3
  periods: [10 ms, 20 ms]
  shape: chain
  cpu: {utilization: 30 %}
sweep:
  seed: 1
  sets: 2
  grid: {random.cpu.utilization: [10 %, 20 %], random.dags: [2, 3]}
  analyses: [{name: A}, {name: G-FL, scheduler: G-FL}]
"""
swept = {}


def sweep_folder(trial):
    """A finished sweep's, made once."""
    if "files" not in swept:
        trial.write("spec.yaml", SWEEP)
        run = trial.rta("sweep", "spec.yaml", "-o", "out", "--quiet")
        assert run.returncode == 0, run.stderr
        swept["files"] = {path.name: path.read_bytes() for path in (trial.folder / "out").iterdir() if path.is_file()}
        shutil.rmtree(trial.folder / "out")
    return dict(swept["files"])


def drawn(trial):
    output = trial.random.choice(["fig.gp", "fig.svg", "fig.svg", "fig.html"])
    chart = trial.random.choice(["acceptance", "bounds", "ratios", "tightness", "heat"])
    run = trial.rta("plot", "out", "-o", output, "--chart", chart, *(["--label", f"A={trial.text()}"] if trial.random.random() < 0.3 else []))
    assert run.returncode == 2 or (trial.folder / output).stat().st_size > 0, "no figure"
    return run


@kind
def sweeps(trial):
    """Folders of sweeps with other names, other numbers, rows and cells too many or too few; drawn."""
    files = sweep_folder(trial)
    name = trial.random.choice(["summary.csv", "summary.csv", "ratios.csv", "weighted.csv"])
    rows = [line.split(",") for line in files[name].decode().splitlines()]
    what = trial.random.random()
    if what < 0.3:  # where most of the commands are tried
        files = {one: content.replace(b"A,", trial.text().encode(errors="surrogateescape") + b",") for one, content in files.items()}
    elif what < 0.6:
        row = trial.random.choice(rows)
        row[trial.random.randrange(len(row))] = trial.random.choice(NUMBERS + TEXTS + COMMANDS)
    elif what < 0.7:
        trial.random.choice(rows).pop()
    elif what < 0.8:
        width = trial.random.randrange(len(rows[0]))
        rows = [row[:width] for row in rows]
    elif what < 0.9:
        del rows[trial.random.randrange(len(rows)):]
    if 0.3 <= what < 0.9:
        files[name] = "".join(",".join(row) + "\n" for row in rows).encode(errors="surrogateescape")
    if what >= 0.9:
        files[name] = damaged(trial, files[name])
    for one, content in files.items():
        trial.write(f"out/{one}", content)
    drawn(trial)


@kind
def results(trial):
    """Results with other names and damage, compared."""
    trial.write("set.yaml", SET.replace("NAME", "dag").replace("NODE", "node"))
    trial.rta("analyze", "set.yaml", "--quiet", "-o", "a.json")
    content = (trial.folder / "a.json").read_bytes()
    if trial.random.random() < 0.5:
        content = content.replace(b'"node"', json.dumps(trial.text()).encode()).replace(b'"dag"', json.dumps(trial.text()).encode())
    else:
        content = damaged(trial, content)
    trial.write("b.json", content)
    form = trial.random.choice(["text", "json", "csv"])
    trial.rta("diff", "a.json", "b.json", "--format", form, faithful=form != "text")


CHOICES = """platform:
  cpu: {processors: 2, scheduler: [G-EDF, FIFO]}
dags:
  - {name: d, T: [10 ms, 20 ms], D: 10 ms, nodes: {u: {on: cpu, C: 1 ms}}}
"""


@kind
def journals(trial):
    """Journals of a search that somebody else left."""
    trial.write("set.yaml", CHOICES)
    command = ["optimize", "set.yaml", "--journal", "journal", "--quiet"]
    first = trial.rta(*command)
    assert first.returncode != 2, first.stderr
    journal = trial.folder / "journal"
    journal.write_bytes(damaged(trial, journal.read_bytes()))
    again = trial.rta(*command)
    assert again.returncode == 2 or again.stdout == first.stdout or journal.stat().st_size > 0, "a damaged journal changes the answer"


@kind
def folders(trial):
    """Folders of programs in which somebody else has been: links, programs that are newer than all, folders that others may write."""
    trial.write("set.yaml", SET.replace("NAME", "d").replace("NODE", "u"))
    kept, victim = trial.folder / "kept", trial.write("victim/mine", "mine")
    assert trial.rta("workload", "set.yaml", "-o", "kept").returncode == 0
    here = [path for path in kept.rglob("*")] + [kept / name for name in ("workload", "master", "GNUmakefile", "makefile", "runtime/common/x.hpp", "trace.jsonl")]
    for path in trial.random.sample(here, trial.random.choice([1, 1, 3])):
        if not path.parent.is_dir() or path.parent.is_symlink():
            continue
        what = trial.random.random()
        if path.is_dir() and not path.is_symlink():
            if what < 0.5:
                path.chmod(trial.random.choice([0o777, 0o775, 0o755]))
                continue
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        if what < 0.3:
            path.symlink_to(victim)
        elif what < 0.5:
            path.symlink_to(victim.parent)
        elif what < 0.6:
            os.mkfifo(path)
        else:
            path.write_text(f"#!/bin/sh\ntouch {CANARY}\n")
            path.chmod(0o755)
            os.utime(path, (2**32, 2**32))
    run = trial.rta("workload", "set.yaml", "-o", "kept")
    assert victim.read_text() == "mine" and os.listdir(victim.parent) == ["mine"], "written through a link"
    if run.returncode == 0:
        assert not (kept / "workload").exists() and not (kept / "GNUmakefile").exists() and not (kept / "makefile").exists(), "a foreign program stays"
        assert not any(path.is_symlink() for path in (kept / "runtime").rglob("*")), "a link stays below runtime"


def alone():
    """What makes a program process 1, as in a container; nothing where the system forbids it."""
    words = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
    try:
        return words if subprocess.run([*words, "true"], capture_output=True).returncode == 0 else []
    except FileNotFoundError:
        return []


@kind
def kills(trial):
    """At any instant: the older file stays or the new one is whole, and what a killed run left is in nobody's way."""
    files = sweep_folder(trial)
    trial.write("set.yaml", SET.replace("NAME", "d").replace("NODE", "u"))
    trial.write("spec.yaml", SWEEP)
    trial.write("out.json", "{}")
    prefix = alone()
    words = trial.random.choice([["analyze", "set.yaml", "-q", "-o", "out.json"], ["sweep", "spec.yaml", "-q", "-o", "out"],
                                 ["simulate", "set.yaml", "--duration", "5s", "-q", "-o", "out.json", "--trace", "trace.jsonl"]])
    for _ in range(3):
        ending = signal.SIGKILL if prefix else trial.random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
        run = subprocess.Popen([*prefix, PROGRAM, *words], cwd=trial.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(trial.random.uniform(0, 0.2))
        run.send_signal(ending)
        _, told = run.communicate(timeout=TIME_LIMIT)
        assert run.returncode in (0, 1, -ending, 128 + ending), f"{words}: {run.returncode}, {told}"
        json.loads((trial.folder / "out.json").read_text())
    again = subprocess.run([*prefix, PROGRAM, *words], cwd=trial.folder, capture_output=True, text=True, timeout=TIME_LIMIT)
    assert again.returncode == 0, f"{words} after kills: {again.returncode}, {again.stderr}"
    if words[0] == "sweep":
        for name in ("results.csv", "summary.csv"):
            assert (trial.folder / "out" / name).read_bytes() == files[name], f"{name} is another after kills"
    else:
        assert "schema" in json.loads((trial.folder / "out.json").read_text())


@kind
def limits(trial):
    """Of memory, file size, time and threads: a result, or status 2 and a sentence."""
    command = trial.random.choice(limited_commands(trial.folder))
    what = trial.random.choice(["memory", "memory", "file", "time", *([] if SANITIZED else ["threads"])])  # which sanitizers start, too
    options = {}
    if what == "memory":
        command = [*command, "--memory-limit", str(trial.random.choice(sizes(60)))]
    elif what == "time" and command[0] in ("analyze", "compile", "simulate"):
        command = [*command, "--time-limit", trial.random.choice(["0ms", "1ms", "20ms", "1s"]) if command[0] != "analyze" else
                   trial.random.choice(["0", "0.001", "0.02", "1"])]
    elif what == "file":
        size = trial.random.choice([0, 1, 100, 4096, 20_000])
        options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    elif what == "threads":  # which root has as many as it likes
        processes = trial.random.randrange(1, 6)
        trial.write(EXAMPLE.name, EXAMPLE.read_bytes())
        command = [EXAMPLE.name if word == EXAMPLE else word for word in command]
        run = rta_as_ordinary_user(trial.folder, *command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (processes,) * 2))
        trial.hold(run, command, faithful=True)
        assert run.returncode != 2 or "rta: " in run.stderr, run.stderr
        return
    run = trial.rta(*command, faithful=True, **options)
    assert run.returncode != 2 or "rta: " in run.stderr, run.stderr


def tried(name, seed):
    with tempfile.TemporaryDirectory(prefix="rta-hostile-") as folder:
        try:
            KINDS[name](Trial(f"{name} {seed}", pathlib.Path(folder)))
        except AssertionError as fault:
            raise AssertionError(f"tests/hostile.py --seed {seed} {name}: {fault}") from fault


def trials(name, seed, seconds=None, most=None):
    """Trials of a kind from that seed on, for so long or so many; how many there were."""
    start, done = time.monotonic(), 0
    while (most is None or done < most) and (seconds is None or done == 0 or time.monotonic() - start < seconds):
        tried(name, seed + done)
        done += 1
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    given = parser.parse_args()
    chosen = given.kinds or list(KINDS)
    for name in chosen:
        if name not in KINDS:
            parser.error(f"no kind '{name}' (allowed: {', '.join(KINDS)})")
    failed = False
    for name in chosen:
        try:
            print(f"{name}: {trials(name, given.seed, given.seconds / len(chosen))} trials", flush=True)
        except AssertionError as fault:
            failed = True
            print(f"{name}: FAILED: {fault}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
