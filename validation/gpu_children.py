"""Programs that gpu-check runs: each ends in its time, and Ctrl-C is for it first, so that it can leave what it has."""

import os
import signal
import subprocess


class Stopped(Exception):
    """Somebody asked for the end; what is known nevertheless is the second argument."""


class Ran:
    """How a program ended. `status`: its exit status, negative the signal; None: it was ended because its time was up."""

    def __init__(self, status, out, error, interrupted, limit):
        self.status, self.out, self.error, self.interrupted, self.limit = status, out, error, interrupted, limit

    def reason(self):
        """What it said of why it could not run."""
        if self.status is None:
            return f"did not end within {self.limit:.0f} s"
        said = self.error.strip() or self.out.strip()
        return said[-4000:] or (f"ended by signal {-self.status}" if self.status < 0 else f"ended with status {self.status}")


class Children:
    """One program at a time, in a process group of its own. SIGINT, SIGTERM and SIGHUP go to it as SIGINT, a second one as SIGTERM.

    Never as SIGKILL, but to what does not end in its time: an examination puts back what it has set."""

    def __init__(self):
        self.interrupted = False
        self.group = None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.on_signal)

    def on_signal(self, *_):
        self.end_group(signal.SIGTERM if self.interrupted else signal.SIGINT)
        self.interrupted = True

    def end_group(self, number):
        if self.group is None:
            return
        try:
            os.killpg(self.group, number)
        except ProcessLookupError:
            pass

    def run(self, words, limit, environment):
        if self.interrupted:
            raise Stopped("interrupted", {})
        try:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                     env=environment, start_new_session=True)
        except OSError as error:
            return Ran(127, "", f"{words[0]}: {error.strerror}", False, limit)
        self.group = child.pid
        if self.interrupted:  # between the two
            self.end_group(signal.SIGINT)
        late = False
        for wait in (limit, 30, None):
            try:
                out, error = child.communicate(timeout=wait)
                break
            except subprocess.TimeoutExpired:
                self.end_group(signal.SIGKILL if late else signal.SIGINT)
                late = True
        self.end_group(signal.SIGTERM)  # what it may have left running
        self.group = None
        return Ran(None if late else child.returncode, out, error, self.interrupted, limit)
