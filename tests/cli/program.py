"""What the command-line tests share: the program under test (RTA_PROGRAM; default: the one that ./rta builds) and how to run it."""

import atexit
import csv
import functools
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("RTA_PROGRAM") or ROOT / "build/release/rta").resolve()
TASK_SETS = sorted(path for folder in ("examples", "literature") for path in (ROOT / "tasksets" / folder).glob("*.yaml"))
EXAMPLE = ROOT / "tasksets/examples/pedestrian.yaml"
# No test may hang; generous, because the sanitizers slow the program down and tests run side by side.
TIME_LIMIT = 300  # s
# Signals that whoever started the tests ignores, as nohup does, would be ignored by the programs under test, too.
for ending in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(ending) == signal.SIG_IGN:
        signal.signal(ending, signal.SIG_DFL)
NOBODY = 65534


def rta(*arguments, stdin=b"", program=PROGRAM, **options):
    """Runs the program; the result has returncode, stdout and stderr (text)."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    run = subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, timeout=TIME_LIMIT, **options)
    run.stdout, run.stderr = run.stdout.decode(), run.stderr.decode(errors="replace")
    return run


def without_evidence(text, kind):
    """A result in that format, without what names the command line and the files; text as it is."""
    if kind == "json":
        return {key: value for key, value in json.loads(text).items() if key != "evidence"}
    if kind == "csv":
        return [row[:-1] for row in csv.reader(io.StringIO(text, newline=""))]
    return text


@functools.cache
def copy_for_everybody():
    """The program where every user may run it."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    os.chmod(folder.name, 0o755)
    return shutil.copy(PROGRAM, folder.name)


def rta_as_ordinary_user(folder, *arguments, **options):
    """Runs the program as somebody whose permissions count, whom `folder` then belongs to; root runs it as nobody."""
    if os.geteuid() != 0:
        return rta(*arguments, cwd=folder, **options)
    os.chown(folder, NOBODY, NOBODY)
    return rta(*arguments, program=copy_for_everybody(), user=NOBODY, group=NOBODY, extra_groups=[], cwd=folder, **options)


def on_terminal(program, arguments, answer="", environment=None, until=None):
    """Runs a program on a terminal where somebody types `answer`; returns status and all that the terminal showed.

    Once the expression `until` was shown, the program is interrupted, once.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execve(program, [pathlib.Path(program).name, *map(str, arguments)], os.environ if environment is None else environment)
    os.write(terminal, answer.encode())
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
        if until is not None and re.search(until, shown.decode(errors="replace")):
            os.kill(child, signal.SIGINT)
            until = None
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


# Every request of a page is blocked and shows up on the console; so does the first one, which proves that both is so.
FIRST_REQUEST = "http://first.invalid/"
GUARD = f"""<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:">
<script>new Image().src = '{FIRST_REQUEST}';</script>"""


def opened_in_chromium(html):
    """Opens a page and waits until its scripts are done; returns the document. Raises when the console shows anything or a request is made."""
    if "<head>" not in html:
        raise AssertionError(f"no page: {html[:300]}")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(html.replace("<head>", "<head>" + GUARD, 1))
        run = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={folder}/profile",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=10000", "--dump-dom", page.as_uri()],
            capture_output=True, text=True, timeout=TIME_LIMIT - 10)
    console = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    if len(console) != 1 or FIRST_REQUEST not in console[0]:
        raise AssertionError("console of the page:\n" + ("\n".join(console) or "nothing; chromium said:\n" + run.stderr[-2000:]))
    return run.stdout


def one_test_each(cases, name_of):
    """Class decorator: the class's `check(case)` becomes one test method per case, so that each is counted and named."""

    def decorate(cls):
        for case in cases:
            name = "test_" + "".join(c if c.isalnum() else "_" for c in name_of(case))
            if hasattr(cls, name):
                raise ValueError(f"two cases are called {name}")
            setattr(cls, name, lambda self, case=case: self.check(case))
        return cls

    return decorate
